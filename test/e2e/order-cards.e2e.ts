import type { Page } from '@playwright/test'
import { formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { expectAccessible } from './axe.ts'
import { apiClientOf, payByApi, placeOrderOfSeveral } from './orders.ts'
import { demoAdmin, expect, registerByApi, retryingClosed, signInByApi, test, toast } from './shop.ts'
import { uniqueWord } from './words.ts'

test('an order is one card on a phone, and an admin refunds two of its three items in one form', async ({
  page,
  anotherBrowser,
}) => {
  const customer = await anotherBrowser()
  const name = `Greta ${uniqueWord()}`
  await registerByApi(customer, name)
  const client = await apiClientOf(customer)
  const order = await placeOrderOfSeveral(customer, 3)
  const { clientSecret } = await client.startPayment({ body: { price: order.price, purchase: order._id } })
  const [transactionId = ''] = clientSecret.split('_secret_')
  await payByApi(customer, clientSecret)
  await client.payPurchase({ params: { id: order._id }, body: { transactionId } })

  await customer.setViewportSize({ width: 360, height: 740 })
  await customer.goto('/dashboard/myOrders')
  const card = customer.getByRole('article', { name: `Order #${order.number}` })
  await expect(card).toContainText('Not shipped yet')
  await expect(card).toContainText(/Ships by [A-Z][a-z]{2} \d/)
  await expect(card.locator('.btn-primary')).toHaveCount(0)
  await expect(card.getByRole('img')).toHaveCount(3)
  for (const action of ['Order again', 'Ask', 'Papers'])
    await expect(card.getByRole('link', { name: action })).toBeVisible()
  await expect(card.getByRole('link', { name: 'Track' })).toHaveCount(0)
  await expect(customer.getByRole('table')).toHaveCount(0)
  await expectAccessible(customer, 'My Orders on a phone')
  await customer.setViewportSize({ width: 1280, height: 900 })
  await expect(customer.getByRole('table')).toContainText(/Ships by [A-Z][a-z]{2} \d/)
  await showLate(customer)

  await signInByApi(page, demoAdmin)
  await page.goto(`/dashboard/orders/${order._id}`)
  const article = page.getByRole('article')
  const steps = article.getByRole('list', { name: 'Status' }).getByRole('listitem')
  await expect(steps).toHaveText([/^Ordered/, /^Paid/, /^Getting ready to ship/])
  const primary = article.locator('.btn-primary').filter({ visible: true })
  await expect(primary, 'what is to do first').toHaveText(['Ship items'])
  await article.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const [first, second] = order.lines
  await expect(dialog.getByLabel(`Quantity of ${first!.parts}`)).toBeFocused()
  await dialog.getByLabel(`Quantity of ${first!.parts}`).fill(String(first!.quantity + 1))
  await expect(dialog).toContainText(`Quantity must be at most ${first!.quantity}`)
  await dialog.getByLabel(`Quantity of ${first!.parts}`).fill(String(first!.quantity))
  await expect(dialog.getByLabel(`Amount of ${first!.parts}`)).toHaveValue(String(first!.price))
  const restock = dialog.getByLabel('Return these parts to stock')
  await restock.uncheck()
  await expect(dialog).toContainText('Refunded parts that haven’t shipped will still ship.')
  await restock.check()
  await expect(dialog).not.toContainText('will still ship')
  await dialog.getByLabel(`Quantity of ${second!.parts}`).fill('1')
  await dialog.getByLabel(`Amount of ${second!.parts}`).fill('0.5')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(dialog).toContainText('Reason is required')
  await dialog.getByLabel('Reason').fill('They came bent.')
  await expectAccessible(page, 'refund of an order')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  const amount = `$${(first!.price + 0.5).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`
  await expect(dialog).toContainText(`Refund ${amount} to ${name}?`)
  await expect(dialog.getByRole('list', { name: 'This refund' }).getByRole('listitem')).toHaveText([
    `${first!.quantity} × ${first!.parts}${formatDollars(first!.price)}`,
    `1 × ${second!.parts}$0.50`,
  ])
  await dialog.getByRole('button', { name: `Refund ${amount}` }).click()
  await expect(toast(page, `Refunded ${amount}`)).toBeVisible()
  await expect(article.getByRole('list', { name: 'Timeline' })).toContainText('They came bent.')

  await customer.goto(`/dashboard/orders/${order._id}`)
  await expect(customer.getByRole('article')).toContainText(`${first!.quantity + 1} refunded before shipping`)
})

/** As the server answers days later. */
async function showLate(page: Page) {
  await page.route('**/api/myOrders?*', async (route) => {
    const response = await route.fetch(retryingClosed)
    const rows = (await response.json()).map((row: Order) => ({ ...row, shipBy: '2026-11-27', late: true }))
    await route.fulfill({ response, json: rows })
  })
  await page.reload()
  await expect(page.getByText('We’re late: this was to ship by Fri 27 Nov.')).toHaveCount(1)
  await page.unrouteAll()
}

test('My Orders shows three items of an order until it is opened, and a customer on a phone removes one', async ({
  page,
}) => {
  await registerByApi(page, `Ida ${uniqueWord()}`)
  const order = await placeOrderOfSeveral(page, 4)
  const [first, second] = order.lines
  await page.goto('/dashboard/myOrders')
  const items = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Delete' }) })
  await expect(items).toHaveCount(3)
  await page.getByRole('button', { name: 'Show all 4 items' }).click()
  await expect(items).toHaveCount(4)
  await page.getByRole('button', { name: 'Show only 3 items' }).click()
  await expect(items).toHaveCount(3)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/dashboard/orders/${order._id}`)
  await page.getByRole('link', { name: first!.parts }).click()
  await page.getByRole('button', { name: 'Remove item', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove item', exact: true }).click()
  await expect(toast(page, 'Purchase Cancelled Successfully')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${order.number}`)
  await expect(page.getByRole('link', { name: second!.parts })).toBeVisible()
  await expect(page.getByRole('link', { name: first!.parts })).toHaveCount(0)
})
