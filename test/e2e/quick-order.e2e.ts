import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, test, visit } from './shop.ts'

async function check(page: Page, list: string) {
  await page.getByLabel('Parts and quantities').fill(list)
  await page.getByRole('button', { name: 'Check lines' }).click()
}

/** As a file that the browser lets somebody choose. */
async function choose(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
}

function quantities(page: Page) {
  return page
    .getByLabel(/^Quantity of /)
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
}

test('a list of two possible quantities is asked about once, by keyboard', async ({ page }) => {
  const list = 'Please send:\nWW-CN12;60;96\nWW-TY29;48;24'
  await page.setViewportSize({ width: 360, height: 740 })
  await visit(page, '/quick-order')
  await check(page, list)
  const question = page.getByRole('heading', { name: 'Which column is the quantity?' })
  await expect(question).toBeFocused()
  await expectAccessible(page, 'the question about the quantity')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.getByRole('button', { name: 'Use this column' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Choose the column of the quantities.')
  await question.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'Column 2' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Column 3' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '2 of 2 lines ready' })).toBeFocused()
  expect(await quantities(page)).toEqual(['96', '24'])
  await expect(page.getByText('line 1 “Please send:”')).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: 'Check lines' }).click()
  await expect(page.getByText('We read the quantities as you chose')).toBeVisible()
  expect(await quantities(page)).toEqual(['96', '24'])
  await page.getByRole('button', { name: 'Choose again' }).click()
  await page.getByRole('radio', { name: 'None of these' }).check()
  await page.getByRole('button', { name: 'Use this column' }).click()
  await expect(page.getByRole('heading', { name: '0 of 2 lines ready' })).toBeFocused()
  expect(await quantities(page)).toEqual(['', ''])

  await check(page, 'WW-SP6;1.000\nWW-CN12;60.000')
  await expect(page.getByRole('heading', { name: 'How many is 1.000 in this list?' })).toBeFocused()
  await expectAccessible(page, 'the question about thousands')
  await page.getByRole('radio', { name: '1,000' }).check()
  await page.getByRole('button', { name: 'Read numbers this way' }).click()
  await expect(page.getByLabel('Quantity of Meridian 12-Speed Chain')).toHaveValue('60000')
})

test('an Excel file is read as a list, and an older one says how to save it', async ({ page }) => {
  await visit(page, '/quick-order')
  await choose(page, 'test/world/spreadsheets/order-de-DE.xlsx')
  await expect(page.getByLabel('Parts and quantities')).toHaveValue(/WW-CN12/)
  await page.getByRole('button', { name: 'Check lines' }).click()
  await expect(page.getByRole('heading', { name: '3 of 3 lines ready' })).toBeFocused()
  expect(await quantities(page)).toEqual(['1200', '24', '8'])
  const old = { name: 'list.xls', mimeType: 'application/vnd.ms-excel' }
  await choose(page, { ...old, buffer: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) })
  await expect(page.getByRole('alert')).toContainText('This is an old Excel file (.xls)')
  await choose(page, { name: 'list.xlsx', mimeType: '', buffer: Buffer.from('PK\u0003\u0004 cut off') })
  await expect(page.getByRole('alert')).toContainText('This isn’t an .xlsx file.')
})
