import type { Page } from '@playwright/test'
import { apiClientOf, cancelOrders, holdCalls, placeOrders, placePaidOrder } from './orders.ts'
import {
  definitionOf,
  demoAdmin,
  expect,
  openPurchase,
  registerByApi,
  rowsOf,
  signInByApi,
  stock,
  test,
  toast,
} from './shop.ts'

const changedMessage = 'Delivered Status Successfully Changed!!'
const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

test('an admin can mark a paid order shipped and undo it after confirming', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await placePaidOrder(customer, hub, 12)

  await openAllOrders(page, name)
  for (const header of ['Name', 'Product', 'Quantity', 'Price', 'Status', 'Action']) {
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()
  }
  const row = rowsOf(page, name)
  await expect(row).toContainText('$1,416')
  await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await row.getByRole('button', { name: 'Pending' }).click()
  await expect(toast(page, changedMessage)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Shipped' })).toBeVisible()

  await page.reload()
  await row.getByRole('button', { name: 'Shipped' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('not been shipped after all?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('button', { name: 'Shipped' })).toBeVisible()

  await row.getByRole('button', { name: 'Shipped' }).click()
  await dialog.getByRole('button', { name: 'Not shipped' }).click()
  await expect(toast(page, changedMessage)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Pending' })).toBeVisible()
})

test('a double click on Pending sends one request and keeps focus', async ({ page, anotherBrowser }) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await placePaidOrder(customer, hub, 12)

  await openAllOrders(page, name)
  const held = await holdCalls(page, 'PATCH', '**/api/shipped/*')
  const pending = page.getByRole('button', { name: 'Pending' })
  await pending.dblclick()
  await pending.press('Enter')
  held.letGo()
  const shipped = page.getByRole('button', { name: 'Shipped', exact: true })
  await expect(shipped).toBeFocused()
  expect(held.made).toBe(1)

  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(shipped).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(pending).toBeFocused()
})

test('an admin can delete an unpaid order after confirming, which restores its stock', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const part = 'Meridian Long-Cage Rear Derailleur'
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await openPurchase(customer, part)
  const stockBefore = await (await stock(customer)).textContent()
  await placeOrders(customer, part, [12])

  await openAllOrders(page, name)
  const row = rowsOf(page, name)
  await expect(row.getByRole('cell', { name: 'Unpaid' })).toBeVisible()
  await expect(row.getByRole('button', { name: /Pending|Shipped/ })).toHaveCount(0)
  await row.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(part)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toHaveCount(1)

  await row.getByRole('button', { name: 'Delete' }).press('Enter')
  await dialog.getByRole('button', { name: 'Delete order' }).press('Enter')
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()
  await openPurchase(customer, part)
  await expect(await stock(customer)).toHaveText(stockBefore!)
})

test('deleting an order that was already deleted shows an error', async ({
  page,
  context,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/purchase\//)
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await placeOrders(customer, 'Tine Butted Spokes with Nipples, Six-Pack', [96])

  await openAllOrders(page, name)
  const secondTab = await context.newPage()
  await secondTab.goto(page.url())
  for (const tab of [page, secondTab]) {
    await rowsOf(tab, name).getByRole('button', { name: 'Delete' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
    await expect(rowsOf(tab, name)).toHaveCount(0)
  }
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(toast(secondTab, 'There is no such order.')).toBeVisible()
})

test('the order page shows the delivery details and lets only an admin mark it shipped', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  const { email } = await registerByApi(customer, name)
  const { transactionId } = await placePaidOrder(customer, hub, 12)

  await openAllOrders(page, name)
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name: hub })).toBeVisible()
  const article = page.getByRole('article')
  for (const [term, value] of [
    ['Quantity', '12'],
    ['Amount', '$1,416'],
    ['TransactionId', transactionId!],
    ['Name', name],
    ['Email', email],
    ['Address', '4 Canal Street, Bremen'],
    ['Phone Number', '01709876543'],
    ['Shipped', 'Not yet'],
  ] as const) {
    await expect(await definitionOf(article, term), term).toHaveText(value)
  }
  await article.getByRole('button', { name: 'Pending' }).click()
  await expect(toast(page, changedMessage)).toBeVisible()
  await expect(article.getByRole('button', { name: 'Shipped' })).toBeFocused()
  await expect(await definitionOf(article, 'Shipped')).not.toHaveText('Not yet')

  await customer.goto('/dashboard')
  await customer.getByRole('row').getByRole('link', { name: hub }).click()
  const customerArticle = customer.getByRole('article')
  await expect(await definitionOf(customerArticle, 'Address')).toHaveText('4 Canal Street, Bremen')
  await expect(await definitionOf(customerArticle, 'Shipped')).not.toHaveText('Not yet')
  await expect(customerArticle.getByRole('button')).toHaveCount(0)
  await expect(customerArticle.getByRole('link', { name: 'Pay' })).toHaveCount(0)
})

test('an unpaid order page links to payment for its owner and is not found for another customer', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  const orders = await placeOrders(page, hub, [12])
  const orderPath = `/dashboard/orders/${orders[0]!._id}`
  await page.goto(orderPath)
  await expect(await definitionOf(page.getByRole('article'), 'Held for')).toContainText('2 days 23 hours')
  await page.getByRole('article').getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay $1,416' })).toBeVisible()

  const otherCustomer = await anotherBrowser()
  await registerByApi(otherCustomer, 'Greta Lund')
  await otherCustomer.goto(orderPath)
  await expect(otherCustomer.getByText('There is no such order.')).toBeVisible()
  await expect(otherCustomer.getByText('4 Canal Street, Bremen')).toHaveCount(0)
  await cancelOrders(page, orders)
})

test('the page of an order for a deleted part says so and does not link to the part', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/part\//)
  const admin = await anotherBrowser()
  await signInByApi(admin, demoAdmin)
  const { addPart, listProducts, deleteProduct } = await apiClientOf(admin)
  const [sample] = (await listProducts({ body: { limit: 1 } })).rows
  const { _id, ...rest } = sample!
  const name = `Short-lived Hub ${crypto.randomUUID()}`
  const { insertedId: id } = await addPart({ body: { ...rest, name, minQuantity: 4, availableQuantity: 50 } })

  await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, name, [4])
  await page.goto(`/dashboard/orders/${order!._id}`)
  const article = page.getByRole('article')
  await expect(article.getByRole('link', { name: 'See the part' })).toHaveAttribute('href', `/parts/${id}`)
  await expect(page.getByText('no longer sold')).toHaveCount(0)

  await deleteProduct({ params: { id } })
  await page.reload()
  await expect(article.getByText('This part is no longer sold.', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(article.getByRole('link')).toHaveText(['Pay'])
})

/** Signs in as an admin and searches all orders for a customer name. */
async function openAllOrders(page: Page, name: string) {
  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Manages All Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Manages All Orders' })).toBeVisible()
  await page.getByLabel('Search orders').fill(name)
  await expect(page.getByRole('status')).toHaveText('1 order')
}
