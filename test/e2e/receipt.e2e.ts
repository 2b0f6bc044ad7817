import { demoAdmin as admin } from '#db/seed/accounts.ts'
import { createSignedInClient } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { cancelOrders, placeOrders, placePaidOrder } from './orders.ts'
import { cards, definitionOf, demoAdmin, expect, payWith, registerByApi, signInByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

test('a paid order has a receipt with its own URL', async ({ page }) => {
  const { email } = await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, tube, [120])
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
  await expect(receipt).toContainText(`Order ${order!._id}`)
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
})

test('the receipt shows refunds', async ({ page, baseURL }) => {
  await registerByApi(page, 'Ida Renn')
  const { _id: id } = await placePaidOrder(page, tube, 100)
  const { refundOrder } = await createSignedInClient(baseURL!, admin)
  await refundOrder({ params: { id }, body: { amount: 120, reason: 'Forty were flat', returned: 0 } })
  await page.goto(`/dashboard/orders/${id}/receipt`)
  await expect(page.getByRole('row', { name: 'Refunded' })).toHaveText('Refunded− $120')
  await expect(page.getByRole('row', { name: 'Total after refund' })).toHaveText('Total after refund$180')
})

test('an unpaid order has no receipt and links to the order', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const orders = await placeOrders(page, tube, [100])
  await page.goto(`/dashboard/orders/${orders[0]!._id}/receipt`)
  await expect(page.getByText('This order is not paid, so there is no receipt of it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
  await page.getByRole('link', { name: 'See the order' }).click()
  await expect(page).toHaveURL(`/dashboard/orders/${orders[0]!._id}`)
  await cancelOrders(page, orders)
})

test('an admin can open a customer receipt, and another customer cannot', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await placePaidOrder(page, tube, 100)
  const url = `/dashboard/orders/${_id}/receipt`
  const [adminPage, otherPage] = [await anotherBrowser(), await anotherBrowser()]
  await signInByApi(adminPage, demoAdmin)
  await adminPage.goto(url)
  await expect(adminPage.getByRole('article')).toContainText('Ida Renn')
  await registerByApi(otherPage, 'Otto Stranger')
  await otherPage.goto(url)
  await expect(otherPage.getByText('There is no such order.')).toBeVisible()
})

test.describe('printed', () => {
  test.use({ colorScheme: 'dark' })

  test('a receipt prints alone on one page, black on white', async ({ page }) => {
    await registerByApi(page, 'Ida Renn')
    const { _id } = await placePaidOrder(page, tube, 100)
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await page.goto(`/dashboard/orders/${_id}/receipt`)
    await page.getByRole('button', { name: 'Print' }).click()
    await expect(page.locator('[data-printed]')).toBeVisible()

    await page.emulateMedia({ media: 'print' })
    for (const hidden of [
      page.getByRole('navigation'),
      page.getByRole('contentinfo'),
      page.getByRole('button'),
      page.getByRole('link', { name: 'See the order' }),
    ]) {
      await expect(hidden).toHaveCount(0)
    }
    await expect(page.getByRole('article')).toBeVisible()
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
})
