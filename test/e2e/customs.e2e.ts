import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectAccessible } from './axe.ts'
import { placePaidOrder, registerApiCustomer } from './orders.ts'
import { addProductByApi, openList, test } from './products.ts'
import { definitionOf, expect, expectMessage, navigate, rowsOf, toast } from './shop.ts'

test('an admin sets weight, tax class, origin and HS code of a part, exports and imports them, and prints a packing slip that shows them', async ({
  page,
  name,
  origin,
}) => {
  const { _id: partId } = await addProductByApi(page, name)
  const { _id: orderId } = await placePaidOrder(await registerApiCustomer(origin, 'Ida Renn'), name, 12)
  await openList(page, name)
  const listPath = page.url().replace(origin, '')
  await page.getByRole('link', { name: 'Edit' }).click()
  await fillCustoms(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, `Product: ${name} is updated`)).toBeVisible()

  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Weight')).toHaveValue('138 g')
  await expect(page.getByLabel('Tax class')).toHaveValue('reduced')
  await expect(page.getByLabel('Country of origin')).toHaveValue('TW')
  await expect(page.getByLabel('HS code')).toHaveValue('8714 94 90')
  const changes = page.getByRole('region', { name: 'Changes by admins' })
  await changes.getByText('Show values').first().click()
  for (const change of [
    'Weight: none → 138 g',
    'Country of origin: none → Taiwan',
    'HS code: none → 8714 94 90',
  ])
    await expect(changes).toContainText(change)
  await expectAccessible(page, 'the form of a product')

  await navigate(page, `/parts/${partId}`)
  await expect(await definitionOf(page.getByRole('article'), 'Weight')).toHaveText('138 g')
  await expect(await definitionOf(page.getByRole('article'), 'Country of origin')).toHaveText('Taiwan')

  await navigate(page, listPath)
  await importHeavier(page, name)

  await navigate(page, `/dashboard/orders/${orderId}/packing-slip`)
  const slip = page.getByRole('article')
  const details = '1.8 kg (12 × 150 g) · Origin Taiwan · HS 8714 94 90'
  await expect(slip.getByText(details)).toBeVisible()
  const total = 'about 1.8 kg, without packaging'
  await expect(await definitionOf(slip, 'Total weight')).toHaveText(total)
  await expectAccessible(page, 'a packing slip', 'article')
  await page.setViewportSize({ width: 360, height: 640 })
  expect(await slip.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth), 'hidden pixels').toBe(0)
  const text = await downloadText(page)
  expect(text).toContain(details)
  expect(text).toContain(total)
})

/** What is wrong is told at its field, and what is typed outlives a reload. */
async function fillCustoms(page: Page) {
  const weight = page.getByLabel('Weight')
  await expect(weight).toHaveAccessibleDescription(/^Of one piece, in grams or kilograms/)
  await weight.fill('5 lb')
  await page.getByLabel('HS code').fill('8714')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectMessage(page, 'Weight', 'Enter a weight such as 200 g or 0.2 kg')
  await expectMessage(page, 'HS code', 'Enter 6 to 10 digits, such as 8714.91 30')
  await expect(weight).toBeFocused()
  await weight.fill('0.138 kg')
  await expect(weight).toHaveAccessibleDescription('That’s 138 g each.')
  await page.getByLabel('Tax class').selectOption('Reduced')
  await page.getByLabel('Country of origin').selectOption('Taiwan')
  await page.getByLabel('HS code').fill('8714.94 90')
  await page.reload()
  await expect(weight).toHaveValue('0.138 kg')
  await expect(page.getByLabel('Country of origin')).toHaveValue('TW')
}

async function importHeavier(page: Page, name: string) {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const exported = await readFile(await (await downloading).path(), 'utf8')
  expect(exported).toContain('Weight (g),Tax class,Country of origin,HS code,GTIN')
  expect(exported).toContain(',138,reduced,TW,8714 94 90,')
  await page.getByRole('link', { name: 'Import CSV' }).click()
  const check = async (text: string) => {
    const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Check file' }).click()
  }
  const preview = page.getByRole('region', { name: 'Preview' })
  await check(exported)
  await expect(preview.getByRole('status')).toHaveText('Nothing to import: 1 row as in the catalogue.')
  await check(exported.replace(',138,reduced,', ',0.15 kg,standard,'))
  await expect(preview.getByRole('status')).toHaveText('1 part to change.')
  await expect(rowsOf(page, name)).toContainText('Weight (g): 138 → 150')
  await expect(rowsOf(page, name)).toContainText('Tax class: reduced → standard')
  await preview.getByRole('button', { name: 'Import 1 part' }).click()
  await expect(toast(page, '1 part changed, 0 added')).toBeVisible()
}

async function downloadText(page: Page) {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const file = new Uint8Array(await readFile(await (await downloading).path()))
  return (await extractText(await getDocumentProxy(file), { mergePages: true })).text
}
