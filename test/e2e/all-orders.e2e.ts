import type { Page } from '@playwright/test'
import { callsOf, cancelOrders, holdCalls, placeOrders, placePaidOrder } from './orders.ts'
import {
  demoAdmin,
  expect,
  fact,
  openPurchase,
  registerByApi,
  rowsOf,
  signInByApi,
  stock,
  test,
  toast,
} from './shop.ts'

const changed = 'Delivered Status Successfully Changed!!'
const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

test('an admin marks a paid order shipped, and takes it back after a question', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await placePaidOrder(customer, hub, 12)

  await openAllOrders(page, name)
  for (const head of ['Name', 'Product', 'Quantity', 'Price', 'Status', 'Action']) {
    await expect(page.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  }
  const row = rowsOf(page, name)
  await expect(row).toContainText('$1,416')
  await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await row.getByRole('button', { name: 'Pending' }).click()
  await expect(toast(page, changed)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Shipped' })).toBeVisible()

  await page.reload()
  await row.getByRole('button', { name: 'Shipped' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('not been shipped after all?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(row.getByRole('button', { name: 'Shipped' })).toBeVisible()

  await row.getByRole('button', { name: 'Shipped' }).click()
  await question.getByRole('button', { name: 'Not shipped' }).click()
  await expect(toast(page, changed)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Pending' })).toBeVisible()
})

test('a double click on Pending makes one call, and the keyboard goes on where it was', async ({
  page,
  anotherBrowser,
}) => {
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
  const question = page.getByRole('dialog')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(shipped).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(pending).toBeFocused()
})

test('an admin deletes an unpaid order after a question, and its stock comes back', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const part = 'Meridian Long-Cage Rear Derailleur'
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await openPurchase(customer, part)
  const before = await (await stock(customer)).textContent()
  await placeOrders(customer, part, [12])

  await openAllOrders(page, name)
  const row = rowsOf(page, name)
  await expect(row.getByRole('cell', { name: 'Unpaid' })).toBeVisible()
  await expect(row.getByRole('button', { name: /Pending|Shipped/ })).toHaveCount(0)
  await row.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(part)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(row).toHaveCount(1)

  await row.getByRole('button', { name: 'Delete' }).press('Enter')
  await question.getByRole('button', { name: 'Delete order' }).press('Enter')
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()
  await openPurchase(customer, part)
  await expect(await stock(customer)).toHaveText(before!)
})

test('an admin who deletes an order that is gone already is told so', async ({
  page,
  context,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/purchase\//)
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await placeOrders(customer, 'Tine Butted Spokes with Nipples, Six-Pack', [96])

  await openAllOrders(page, name)
  const second = await context.newPage()
  await second.goto(page.url())
  for (const tab of [page, second]) {
    await rowsOf(tab, name).getByRole('button', { name: 'Delete' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
    await expect(rowsOf(tab, name)).toHaveCount(0)
  }
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(toast(second, 'There is no such order.')).toBeVisible()
})

test('an order has a page of its own: whereto it goes, and for an admin the way to ship it', async ({
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
  const about = page.getByRole('article')
  for (const [term, words] of [
    ['Quantity', '12'],
    ['Amount', '$1,416'],
    ['TransactionId', transactionId!],
    ['Name', name],
    ['Email', email],
    ['Address', '4 Canal Street, Bremen'],
    ['Phone Number', '01709876543'],
    ['Shipped', 'Not yet'],
  ] as const) {
    await expect(await fact(about, term), term).toHaveText(words)
  }
  await about.getByRole('button', { name: 'Pending' }).click()
  await expect(toast(page, changed)).toBeVisible()
  await expect(about.getByRole('button', { name: 'Shipped' })).toBeFocused()
  await expect(await fact(about, 'Shipped')).not.toHaveText('Not yet')

  await customer.goto('/dashboard')
  await customer.getByRole('row').getByRole('link', { name: hub }).click()
  const theirs = customer.getByRole('article')
  await expect(await fact(theirs, 'Address')).toHaveText('4 Canal Street, Bremen')
  await expect(await fact(theirs, 'Shipped')).not.toHaveText('Not yet')
  await expect(theirs.getByRole('button')).toHaveCount(0)
  await expect(theirs.getByRole('link', { name: 'Pay' })).toHaveCount(0)
})

test('an order that is not paid leads its owner to paying, and a stranger nowhere', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  const orders = await placeOrders(page, hub, [12])
  const own = `/dashboard/orders/${orders[0]!._id}`
  await page.goto(own)
  await expect(await fact(page.getByRole('article'), 'Held for')).toContainText('2 days 23 hours')
  await page.getByRole('article').getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay $1,416' })).toBeVisible()

  const stranger = await anotherBrowser()
  await registerByApi(stranger, 'Greta Lund')
  await stranger.goto(own)
  await expect(stranger.getByText('There is no such order.')).toBeVisible()
  await expect(stranger.getByText('4 Canal Street, Bremen')).toHaveCount(0)
  await cancelOrders(page, orders)
})

test('the order of a part that is off the shop says so, and leads to no part', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/part\//)
  const admin = await anotherBrowser()
  await signInByApi(admin, demoAdmin)
  const { addPart, listProducts, deleteProduct } = await callsOf(admin)
  const [sample] = (await listProducts({ body: { limit: 1 } })).rows
  const { _id, ...rest } = sample!
  const name = `Short-lived Hub ${crypto.randomUUID()}`
  const { insertedId: id } = await addPart({ body: { ...rest, name, minQuantity: 4, availableQuantity: 50 } })

  await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, name, [4])
  await page.goto(`/dashboard/orders/${order!._id}`)
  const about = page.getByRole('article')
  await expect(about.getByRole('link', { name: 'See the part' })).toHaveAttribute('href', `/parts/${id}`)
  await expect(page.getByText('no longer sold')).toHaveCount(0)

  await deleteProduct({ params: { id } })
  await page.reload()
  await expect(about.getByText('This part is no longer sold.', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(about.getByRole('link')).toHaveText(['Pay'])
})

/** Signs in as an admin and searches the orders of all for those of somebody. */
async function openAllOrders(page: Page, name: string) {
  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Manages All Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Manages All Orders' })).toBeVisible()
  await page.getByLabel('Search orders').fill(name)
  await expect(page.getByRole('status')).toHaveText('1 order')
}
