import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { openPayment, placeOrders } from './orders.ts'
import {
  cards,
  demoAdmin,
  expect,
  fillPurchase,
  navigate,
  openMyOrders,
  openPart,
  openPurchase,
  payWith,
  publicPages,
  registerByApi,
  registerByForm,
  rowsOf,
  signInByApi,
  test,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('the visitor pages pass axe', async ({ page, allowConsoleErrors }) => {
  test.slow()
  allowConsoleErrors(/status of 404|status of 400 .*\/(api\/messages|check-reset-link)/)
  await visit(page, '/')
  for (const path of [
    ...publicPages,
    '/login',
    '/registration',
    '/parts?view=list&brand=Fernholt&available=true',
    '/parts?q=penny-farthing',
    '/no/such/page',
    '/parts/no-such-part',
    '/reset-password?token=x',
    '/confirm-email?token=x',
    '/outbox',
  ]) {
    await navigate(page, path)
    await expect(page).toHaveURL(path)
    await expectAccessible(page, path)
  }

  await navigate(page, '/')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expectAccessible(page, 'home with an empty message', 'form')
  for (const [path, button, message] of [
    ['/login', 'Login', 'Email is required'],
    ['/registration', 'Register', 'Name is required'],
  ] as const) {
    await navigate(page, path)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(message)).toBeVisible()
    await expectAccessible(page, `${path} with nothing typed`)
  }

  await openPart(page, soldOut)
  await expectAccessible(page, 'a part that is sold out')
  await openPart(page, ring)
  await page.getByLabel('Quantity', { exact: true }).fill('1')
  await expectAccessible(page, 'a part with a quantity that is wrong')
  await page.getByRole('link', { name: `${ring} , enlarge` }).click()
  await expect(page.getByRole('dialog', { name: `${ring}, enlarged` })).toBeVisible()
  await expectAccessible(page, 'a picture looked at closely', 'dialog[open]')

  await page.setViewportSize({ width: 360, height: 740 })
  await navigate(page, '/parts')
  await page.getByText('Filters', { exact: true }).click()
  await expectAccessible(page, 'the filters on a phone')
})

test('the customer pages pass axe', async ({ page, allowConsoleErrors }) => {
  test.slow()
  allowConsoleErrors(/status of 40[24] /)
  await registerByForm(page, 'Ida Renn')
  await expectAccessible(page, 'home with a toast', '.Toastify')
  await openMyOrders(page)
  await expectAccessible(page, 'My Orders without an order')

  await openPurchase(page, ring)
  await expectAccessible(page, 'the Purchase page')
  await fillPurchase(page, 1)
  await page.getByLabel('Address').fill('')
  await expect(page.getByText('Address is required')).toBeVisible()
  await expectAccessible(page, 'the Purchase page with mistakes')

  await placeOrders(page, ring, [48])
  await placeOrders(page, 'Quern Tapered Headset EC34/EC44', [30])
  await openMyOrders(page)
  await expectAccessible(page, 'My Orders')
  await rowsOf(page, ring).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'Cancel order #' })).toBeVisible()
  await expectAccessible(page, 'the question before a purchase is cancelled', 'dialog[open]')
  await page.getByRole('button', { name: 'Keep order' }).click()

  await rowsOf(page, ring).getByRole('link', { name: 'Pay' }).click()
  await payWith(page, cards.declined)
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  await expectAccessible(page, 'the payment with a card that was declined')
  await payWith(page, cards.good)
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await expectAccessible(page, 'the payment that is completed')
  await openMyOrders(page)
  await expectAccessible(page, 'My Orders with one paid')

  await page.getByRole('link', { name: new RegExp(`^${ring}`) }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Order #\d+$/)
  await expectAccessible(page, "an order's own page")

  await navigate(page, '/dashboard/payment/no-such-order')
  await expect(page.getByText('This order doesn’t exist or was cancelled.')).toBeVisible()
  await expectAccessible(page, 'an order that is not there')

  await openScreen(page, '/dashboard/addReview', 'Add A Review')
  await expectAccessible(page, 'Add A Review')
  await page.getByLabel('Address').fill('Bremen')
  await page.getByLabel('Address').fill('')
  await page.getByLabel('3 stars').check({ force: true })
  await expect(page.getByText('Address is required')).toBeVisible()
  await expectAccessible(page, 'Add A Review with a mistake')

  await openScreen(page, '/dashboard/myProfile', 'My Profile')
  await page.getByLabel('LinkedIn').fill('somewhere')
  await expect(page.getByLabel('LinkedIn')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page, 'My Profile with a mistake')

  await page.setViewportSize({ width: 360, height: 740 })
  await openScreen(page, '/dashboard', 'My Orders')
  await expectAccessible(page, 'My Orders on a phone')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expectAccessible(page, 'the menu on a phone', 'dialog[open]')
})

test('the admin pages pass axe', async ({ page, anotherBrowser }) => {
  test.slow()
  const name = `Greta ${uniqueWord()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  await openPayment(customer, ring, 48)
  await payWith(customer, cards.good)
  await expect(customer.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await placeOrders(customer, 'Quern Tapered Headset EC34/EC44', [30])

  await signInByApi(page, demoAdmin)
  await page.goto(`/dashboard/manageAllOrders?q=${encodeURIComponent(name)}`)
  const paid = rowsOf(page, name).filter({ hasText: ring })
  await expect(paid.getByRole('button', { name: 'Pending' })).toBeVisible()
  await expectAccessible(page, 'Manages All Orders')
  await paid.getByRole('button', { name: 'Pending' }).click()
  await paid.getByRole('button', { name: 'Shipped' }).click()
  await expect(page.getByRole('dialog', { name: 'as not shipped?' })).toBeVisible()
  await expectAccessible(page, 'the question before an order is not shipped after all', 'dialog[open]')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await openScreen(page, '/dashboard/overview', 'Overview')
  for (const summary of await page.getByText('Show as table').all()) await summary.click()
  await expectAccessible(page, 'Overview')

  await openScreen(page, '/dashboard/manageAllOrders?q=penny-farthing', 'Manages All Orders')
  await expectAccessible(page, 'orders of which none is found')

  await openScreen(page, '/dashboard/myOrders', 'My Orders')
  await expectAccessible(page, 'My Orders of an admin')
  await openScreen(page, '/dashboard/messages', 'Messages')
  await expectAccessible(page, 'Messages')
  await openScreen(page, '/dashboard/reviews', 'Reviews')
  await expectAccessible(page, 'Reviews')
  await openScreen(page, '/dashboard/auditLog', 'Audit log')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page, 'the audit log')
  await openScreen(page, '/dashboard/changePrices?by=percent&value=5', 'Change prices')
  await expectAccessible(page, 'new prices before they are applied')

  await openScreen(page, '/dashboard', 'Make Admin')
  await expectAccessible(page, 'Make Admin')
  await rowsOf(page, demoAdmin.email).getByRole('button', { name: 'Remove Admin' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'the question before an admin is removed', 'dialog[open]')

  await openScreen(page, '/dashboard/addProduct', 'Add a New Product')
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('Image is required')).toBeVisible()
  await expectAccessible(page, 'Add A Product with nothing filled in')

  await openScreen(page, '/dashboard/manageProducts', 'Manages Products')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expectAccessible(page, 'Manages Products with selected rows')
  const first = page.getByRole('row').nth(1)
  await first.getByRole('button', { name: 'Restock' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add to stock' }).click()
  await expect(page.getByText('Quantity received is required')).toBeVisible()
  await expectAccessible(page, 'a delivery of which nobody said how many', 'dialog[open]')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await first.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'Are you sure to delete this' })).toBeVisible()
  await expectAccessible(page, 'the question before a product is deleted', 'dialog[open]')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await first.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await expectAccessible(page, 'a product that is changed')
})

async function openScreen(page: Page, path: string, heading: string) {
  await navigate(page, path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
}
