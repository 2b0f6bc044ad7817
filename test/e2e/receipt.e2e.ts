import { expectAccessible } from './axe.ts'
import { placeOrders } from './orders.ts'
import { cards, definitionOf, expect, payWith, registerByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

test('a paid order has a receipt with its own URL, which prints alone on one page, black on white', async ({
  page,
}) => {
  const { email } = await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, tube, [120])
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.goto(`/dashboard/payment/${order!._id}`)
  await payWith(page, cards.good)
  const transaction = (await page.getByText(/^pi_/).textContent())!
  await page.getByRole('link', { name: 'Receipt' }).click()

  await expect(page).toHaveURL(`/dashboard/orders/${order!._id}/receipt`)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  const receipt = page.getByRole('article')
  await expect(receipt).toContainText('Winged Wheels')
  await expect(receipt).toContainText('Ropewalk Works, 19 Millrace Road, Port Aldery')
  await expect(receipt).toContainText(`Order #${order!.number}`)
  for (const [term, value] of [
    ['Name', 'Ida Renn'],
    ['Email', email],
    ['Address', '4 Canal Street, Bremen'],
    ['Phone Number', '01709876543'],
    ['Ordered', /20\d\d/],
    ['Paid', /20\d\d/],
    ['TransactionId', transaction],
  ] as const) {
    await expect(await definitionOf(receipt, term), term).toHaveText(value)
  }
  const rows = receipt.getByRole('row')
  await expect(rows).toHaveText(['ProductQuantityPrice per unitAmount', `${tube}120$3$360`, 'Total paid$360'])
  await expectAccessible(page, 'a receipt')
  await page.setViewportSize({ width: 375, height: 600 })
  expect(await receipt.evaluate((sheet) => sheet.scrollHeight - sheet.clientHeight), 'hidden pixels').toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('[data-printed]')).toBeVisible()

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const hidden of [
    page.getByRole('navigation'),
    page.getByRole('contentinfo'),
    page.getByRole('button'),
    page.getByRole('link', { name: 'View order' }),
  ]) {
    await expect(hidden).toHaveCount(0)
  }
  await expect(receipt).toBeVisible()
  const [text, background] = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body)
    return [color, backgroundColor]
  })
  expect([text, background]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), format).toHaveLength(1)
  }
})
