import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'
import { placePaidOrder, registerApiCustomer } from './orders.ts'
import { addProductByApi, openList, test } from './products.ts'
import { demoAdmin, expect, navigate, rowsOf, signInByApi, toast, visit } from './shop.ts'

test('an admin exports the products of a search, edits the file, corrects an error, imports it, and is told that the same file changes nothing', async ({
  page,
  name,
}) => {
  await addProductByApi(page, name)
  await openList(page, name)
  const exported = await download(page, 'Export CSV')
  expect(exported.name).toMatch(/^products-\d{4}-\d\d-\d\d\.csv$/)
  expect(exported.text.trimEnd().split('\r\n')).toHaveLength(2)

  const workbook = await download(page, 'Export Excel')
  expect(workbook.name).toMatch(/^products-\d{4}-\d\d-\d\d\.xlsx$/)
  const { sheets } = await readXlsx(workbook.bytes)
  expect(sheets[0]!.rows.map(([, partName]) => partName)).toEqual(['Name', name])

  await page.getByRole('link', { name: 'Import CSV' }).click()
  await page.getByRole('button', { name: 'Check file' }).click()
  await expect(page.getByText('Choose a CSV file')).toBeVisible()
  const check = async (text: string) => {
    const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Check file' }).click()
  }
  const preview = page.getByRole('region', { name: 'Preview' })
  await check(exported.text.replace('Stops quietly.,38,', 'Stops quietly.,none,'))
  await expect(preview.getByRole('status')).toHaveText('1 row with errors.')
  await expect(rowsOf(page, name)).toContainText('Price: Whole numbers only')
  const edited = exported.text.replace('Stops quietly.,38,', 'Stops quietly.,42,')
  await check(edited)
  await expect(preview.getByRole('status')).toHaveText('1 part to change.')
  await expect(rowsOf(page, name)).toContainText('Price: 38 → 42')
  await preview.getByRole('button', { name: 'Import 1 part' }).click()
  await expect(toast(page, '1 part changed, 0 added')).toBeVisible()

  await navigate(page, '/dashboard/importProducts')
  await check(edited)
  await expect(preview.getByRole('status')).toHaveText('Nothing to import: 1 row as in the catalogue.')
})

test('the accountant’s export has the totals of its period, and an export that fails says so', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/ERR_|Failed to load resource/)
  const customer = await registerApiCustomer(origin, 'Ida Renn')
  await placePaidOrder(customer, 'Everyday 700C Inner Tube, Presta 48 mm', 100)
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/exports?from=2020-01-01&to=2099-12-31')
  await expect(page.getByRole('status').filter({ hasText: 'Net' })).toContainText('Payments')
  const { name, text } = await download(page, 'Export CSV')
  expect(name).toBe('payments-2020-01-01-to-2099-12-31.csv')
  const amounts = text.split('\r\n').flatMap((line) => /,(-?\d+\.\d\d),USD,/.exec(line)?.[1] ?? [])
  const net = amounts.reduce((sum, amount) => sum + Number(amount), 0)
  const shown = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(net)
  await expect(page.getByRole('status').filter({ hasText: 'Net' })).toContainText(shown)

  await page.getByLabel('To').fill('2019-12-31')
  await page.getByRole('button', { name: 'Show totals' }).click()
  await expect(page.getByLabel('To')).toHaveAccessibleDescription('Choose a day that isn’t before the first')
  await page.route('**/api/exports/payments*', (route) => route.abort('connectionreset'))
  await page.getByLabel('To').fill('2020-12-31')
  await page.getByRole('button', { name: 'Show totals' }).click()
  await expect(page).toHaveURL(/to=2020-12-31/)
  await expect(page.getByRole('button', { name: 'Show totals' })).toBeFocused()
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(toast(page, 'We can’t reach the shop.')).toBeVisible()
})

async function download(page: Page, button: string) {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await started
  await expect(toast(page, `${file.suggestedFilename()} saved`)).toBeVisible()
  const bytes = readFileSync(await file.path())
  return { name: file.suggestedFilename(), bytes, text: bytes.toString('utf8') }
}
