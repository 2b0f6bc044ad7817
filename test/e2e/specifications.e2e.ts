import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { addProductByApi, test } from './products.ts'
import { definitionOf, expect, expectMessage, navigate, rowsOf, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

test('an admin defines attributes, says them of a part, and customers read them', async ({ page, name }) => {
  const category = `Brakes ${uniqueWord()}`
  const { _id: partId } = await addProductByApi(page, name, category)
  await visit(page, `/dashboard/attributes?q=${encodeURIComponent(category)}`)
  await addAttribute(page, { Name: 'Diameter', Category: category }, 'Number', 'mm')
  await addAttribute(
    page,
    { Name: 'Mount', Category: category },
    'Choice from a list',
    undefined,
    'Six-bolt\nCenter Lock',
  )
  await expectAccessible(page, 'the list of attributes')

  await navigate(page, `/dashboard/manageProducts/${partId}`)
  await page.getByRole('link', { name: 'Specifications' }).click()
  await page.getByLabel('Diameter').fill('12 x 148 mm')
  await page.getByLabel('Mount').selectOption('Six-bolt')
  await page.getByRole('button', { name: 'Save specifications' }).click()
  await expectMessage(page, 'Diameter', 'Write one number, such as 12 mm')
  await page.getByLabel('Diameter').fill('18 cm')
  await page.getByRole('button', { name: 'Save specifications' }).click()
  await expect(toast(page, 'Specifications saved')).toBeVisible()
  await expect(page.getByLabel('Diameter')).toHaveValue('180 mm')
  await expectAccessible(page, 'the specifications of a part')

  await navigate(page, `/parts/${partId}`)
  const article = page.getByRole('article')
  await expect(article.getByRole('heading', { name: 'Specifications' })).toBeVisible()
  await expect(await definitionOf(article, 'Diameter')).toHaveText('180 mm')
  await expect(await definitionOf(article, 'Mount')).toHaveText('Six-bolt')

  await importPartData(page, name)
  await navigate(page, `/parts/${partId}`)
  await expect(await definitionOf(article, 'Diameter')).toHaveText('203 mm')

  await navigate(page, `/dashboard/attributes?q=${encodeURIComponent(category)}`)
  for (const [attribute, details] of [
    ['Diameter', '1 part has it. Their values are deleted with it.'],
    ['Mount', '1 part has it. Their values are deleted with it.'],
  ] as const) {
    await rowsOf(page, attribute).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete the attribute ${attribute}?` })
    await expect(dialog).toContainText(details)
    await dialog.getByRole('button', { name: 'Delete attribute' }).click()
    await expect(toast(page, `Attribute ${attribute} deleted`)).toBeVisible()
  }
})

async function addAttribute(
  page: Page,
  texts: Record<string, string>,
  kind: string,
  unit?: string,
  choices?: string,
) {
  const list = new URL(page.url())
  await page.getByRole('link', { name: 'New attribute' }).click()
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Kind of values').selectOption(kind)
  if (unit) await page.getByLabel('Unit').selectOption(unit)
  if (choices) await page.getByLabel('Choices').fill(choices)
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await expect(toast(page, `Attribute ${texts.Name} added`)).toBeVisible()
  await navigate(page, list.pathname + list.search)
  await expect(rowsOf(page, texts.Name!)).toContainText(kind)
}

/** What is exported changes nothing, and what is edited is shown before it is saved. */
async function importPartData(page: Page, name: string) {
  await navigate(page, '/dashboard/importPartData')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const exported = await readFile(await (await downloading).path(), 'utf8')
  const check = async (text: string) => {
    const file = { name: 'part-data.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Check file' }).click()
  }
  const preview = page.getByRole('region', { name: 'Preview' })
  await check(exported)
  await expect(preview.getByRole('status')).toHaveText(/^Nothing to import: \d+ rows? as in the catalogue\.$/)
  const own = exported.split('\r\n').find((line) => line.includes(',Diameter,180 mm,'))!
  const [head] = exported.split('\r\n')
  await check(`${head}\r\n${own.replace('180 mm', 'wide')}`)
  await expect(rowsOf(page, `${name}: Diameter`)).toContainText(
    'Value: Diameter: Write one number, such as 12 mm',
  )
  await check(`${head}\r\n${own.replace('180 mm', '203')}`)
  await expect(rowsOf(page, `${name}: Diameter`)).toContainText('Value: 180 mm → 203 mm')
  await expectAccessible(page, 'a preview of part data')
  await preview.getByRole('button', { name: 'Import 1 fact' }).click()
  await expect(toast(page, '0 facts added, 1 changed, 0 removed')).toBeVisible()
}
