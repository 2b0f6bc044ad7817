import { readFile } from 'node:fs/promises'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectAccessible } from './axe.ts'
import { placeOrders } from './orders.ts'
import { cards, definitionOf, expect, navigate, payWith, registerByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

test('an order has a pro-forma invoice and, once paid, an invoice, which prints alone on one page, black on white, and downloads as a PDF', async ({
  page,
}) => {
  const { email } = await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, tube, [120])
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.goto(`/dashboard/orders/${order!._id}`)
  await page.getByRole('link', { name: 'Pro-forma invoice' }).click()
  await expect(await definitionOf(page.getByRole('article'), 'Total to pay')).toHaveText('$360')
  await navigate(page, `/dashboard/payment/${order!._id}`)
  await payWith(page, cards.good)
  const transaction = (await page.getByText(/^pi_/).textContent())!
  await page.getByRole('link', { name: 'View invoice' }).click()

  await expect(page).toHaveURL(`/dashboard/orders/${order!._id}/receipt`)
  await page.goto(`/dashboard/orders/${order!._id}/documents/pro-forma`)
  await expect(page).toHaveURL(`/dashboard/orders/${order!._id}/receipt`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoice')
  const invoice = page.getByRole('article')
  for (const text of [
    ...['Winged Wheels', 'Ropewalk Works, 19 Millrace Road, Port Aldery'],
    ...['Ida Renn', email, '4 Canal Street, Bremen', '01709876543', 'Test payment: no money was received.'],
  ])
    await expect(invoice).toContainText(text)
  for (const [term, value] of [
    ['Order', `#${order!.number}`],
    ['Ordered', /20\d\d/],
    ['Paid', /20\d\d/],
    ['TransactionId', transaction],
    ['Total paid', '$360'],
  ] as const) {
    await expect(await definitionOf(invoice, term), term).toHaveText(value)
  }
  await expect(invoice.getByRole('columnheader')).toHaveText([
    ...['Part number', 'Product', 'Quantity', 'Price per unit', 'Amount'],
  ])
  await expect(invoice.getByRole('cell')).toHaveText([/^WW-/, new RegExp(`^${tube}`), '120', '$3', '$360'])
  await expectAccessible(page, 'an invoice')
  await page.setViewportSize({ width: 375, height: 600 })
  expect(await invoice.evaluate((sheet) => sheet.scrollHeight - sheet.clientHeight), 'hidden pixels').toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('[data-printed]')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^invoice-\d{4}\.pdf$/)
  const file = new Uint8Array(await readFile(await download.path()))
  const { text } = await extractText(await getDocumentProxy(file), { mergePages: true })
  for (const words of ['Invoice', tube, '$360', transaction]) expect(text).toContain(words)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const hidden of [
    page.getByRole('navigation'),
    page.getByRole('contentinfo'),
    page.getByRole('button'),
    page.getByRole('link', { name: 'View order' }),
  ]) {
    await expect(hidden).toHaveCount(0)
  }
  await expect(invoice).toBeVisible()
  const colors = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body)
    return [color, backgroundColor]
  })
  expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), format).toHaveLength(1)
  }
})
