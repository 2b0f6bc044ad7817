import { demoAdmin as admin } from '#db/seed/accounts.ts'
import { signedIn } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { cancelOrders, placeOrders, placePaidOrder } from './orders.ts'
import { cards, demoAdmin, expect, fact, payWith, registerByApi, signInByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

test('whoever has paid gets a receipt at an address of its own', async ({ page }) => {
  const { email } = await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, tube, [120])
  await page.goto(`/dashboard/payment/${order!._id}`)
  await payWith(page, cards.good)
  const transaction = (await page.getByText(/^pi_/).textContent())!
  await page.getByRole('link', { name: 'Receipt' }).click()

  await expect(page).toHaveURL(`/dashboard/orders/${order!._id}/receipt`)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  const sheet = page.getByRole('article')
  await expect(sheet).toContainText('Winged Wheels')
  await expect(sheet).toContainText('Ropewalk Works, 19 Millrace Road, Port Aldery')
  await expect(sheet).toContainText(`Order ${order!._id}`)
  for (const [term, said] of [
    ['Name', 'Ida Renn'],
    ['Email', email],
    ['Address', '4 Canal Street, Bremen'],
    ['Phone Number', '01709876543'],
    ['Ordered', /20\d\d/],
    ['Paid', /20\d\d/],
    ['TransactionId', transaction],
  ] as const) {
    await expect(await fact(sheet, term), term).toHaveText(said)
  }
  const rows = sheet.getByRole('row')
  await expect(rows).toHaveText(['ProductQuantityPrice per unitAmount', `${tube}120$3$360`, 'Total paid$360'])
  await expectAccessible(page, 'a receipt')
})

test('what was given back stands on the receipt', async ({ page, baseURL }) => {
  await registerByApi(page, 'Ida Renn')
  const { _id: id } = await placePaidOrder(page, tube, 100)
  const { refundOrder } = await signedIn(baseURL!, admin)
  await refundOrder({ params: { id }, body: { amount: 120, reason: 'Forty were flat', returned: 0 } })
  await page.goto(`/dashboard/orders/${id}/receipt`)
  await expect(page.getByRole('row', { name: 'Refunded' })).toHaveText('Refunded− $120')
  await expect(page.getByRole('row', { name: 'Total after refund' })).toHaveText('Total after refund$180')
})

test('an order that is not paid has no receipt, and leads back', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const orders = await placeOrders(page, tube, [100])
  await page.goto(`/dashboard/orders/${orders[0]!._id}/receipt`)
  await expect(page.getByText('This order is not paid, so there is no receipt of it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
  await page.getByRole('link', { name: 'See the order' }).click()
  await expect(page).toHaveURL(`/dashboard/orders/${orders[0]!._id}`)
  await cancelOrders(page, orders)
})

test('an admin sees the receipt of a customer, and a stranger does not', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await placePaidOrder(page, tube, 100)
  const address = `/dashboard/orders/${_id}/receipt`
  const [office, stranger] = [await anotherBrowser(), await anotherBrowser()]
  await signInByApi(office, demoAdmin)
  await office.goto(address)
  await expect(office.getByRole('article')).toContainText('Ida Renn')
  await registerByApi(stranger, 'Otto Stranger')
  await stranger.goto(address)
  await expect(stranger.getByText('There is no such order.')).toBeVisible()
})

test.describe('on paper', () => {
  test.use({ colorScheme: 'dark' })

  test('a receipt stands alone on one page, dark on white', async ({ page }) => {
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
    const [ink, paper] = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      return [color, backgroundColor]
    })
    expect([ink, paper]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    for (const format of ['A4', 'Letter']) {
      const sheet = (await page.pdf({ format })).toString('latin1')
      expect(sheet.match(/\/Type\s*\/Page\b(?!s)/g), format).toHaveLength(1)
    }
  })
})
