import type { Page } from '@playwright/test'
import { expectNoBarrier } from './axe.ts'
import { openPayment, placed } from './orders.ts'
import {
  cards,
  demoAdmin,
  enter,
  expect,
  fillPurchase,
  listedPages,
  openMyOrders,
  openPart,
  openPurchase,
  payWith,
  register,
  registerByForm,
  rowsOf,
  test,
  visit,
} from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('a visitor meets no barrier', async ({ page, expectTrouble }) => {
  test.slow()
  expectTrouble(/status of 404|status of 400 .*\/api\/messages/)
  for (const address of [...listedPages, '/login', '/registration']) {
    await visit(page, address)
    await expectNoBarrier(page, address)
  }
  for (const address of [
    '/parts?view=list&brand=Fernholt&available=true',
    '/parts?q=penny-farthing',
    '/no/such/page',
    '/parts/no-such-part',
    '/reset-password?token=x',
    '/outbox',
  ]) {
    await visit(page, address)
    await expectNoBarrier(page, address)
  }

  await visit(page, '/')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expectNoBarrier(page, 'home with an empty message')
  for (const [address, button, words] of [
    ['/login', 'Login', 'Email is required'],
    ['/registration', 'Register', 'Name is required'],
  ] as const) {
    await page.goto(address)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(words)).toBeVisible()
    await expectNoBarrier(page, `${address} with nothing typed`)
  }

  await openPart(page, soldOut)
  await expectNoBarrier(page, 'a part that is sold out')
  await openPart(page, ring)
  await page.getByLabel('Quantity', { exact: true }).fill('1')
  await expectNoBarrier(page, 'a part with a quantity that is wrong')
  await page.getByRole('link', { name: `${ring} , larger` }).click()
  await expect(page.getByRole('dialog', { name: `${ring}, larger` })).toBeVisible()
  await expectNoBarrier(page, 'a picture looked at closely')

  await page.setViewportSize({ width: 360, height: 740 })
  await visit(page, '/parts')
  await page.getByText('Filters', { exact: true }).click()
  await expectNoBarrier(page, 'the filters on a phone')
})

test('a customer meets no barrier', async ({ page, expectTrouble }) => {
  test.slow()
  expectTrouble(/status of 40[24] /)
  await registerByForm(page, 'Ida Renn')
  await expectNoBarrier(page, 'home with a toast')
  await openMyOrders(page)
  await expectNoBarrier(page, 'My Orders without an order')

  await openPurchase(page, ring)
  await expectNoBarrier(page, 'the Purchase page')
  await fillPurchase(page, 1)
  await page.getByLabel('Address').fill('')
  await expect(page.getByText('Address is required')).toBeVisible()
  await expectNoBarrier(page, 'the Purchase page with mistakes')

  await placed(page, ring, [48])
  await placed(page, 'Quern Tapered Headset EC34/EC44', [30])
  await openMyOrders(page)
  await expectNoBarrier(page, 'My Orders')
  await rowsOf(page, ring).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'Cancel your purchase of' })).toBeVisible()
  await expectNoBarrier(page, 'the question before a purchase is cancelled')
  await page.getByRole('button', { name: 'Keep it' }).click()

  await rowsOf(page, ring).getByRole('link', { name: 'Pay' }).click()
  await payWith(page, cards.declined)
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  await expectNoBarrier(page, 'the payment with a card that was declined')
  await payWith(page, cards.good)
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await expectNoBarrier(page, 'the payment that is completed')
  await openMyOrders(page)
  await expectNoBarrier(page, 'My Orders with one paid')

  await page.getByRole('link', { name: ring }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ring)
  await expectNoBarrier(page, "an order's own page")

  await page.goto('/dashboard/payment/no-such-order')
  await expect(page.getByText('There is no such order.')).toBeVisible()
  await expectNoBarrier(page, 'an order that is not there')

  await openScreen(page, '/dashboard/addReview', 'Add A Review')
  await expectNoBarrier(page, 'Add A Review')
  await page.getByLabel('Address').fill('Bremen')
  await page.getByLabel('Address').fill('')
  await page.getByLabel('3 stars').check({ force: true })
  await expect(page.getByText('Address is required')).toBeVisible()
  await expectNoBarrier(page, 'Add A Review with a mistake')

  await openScreen(page, '/dashboard/myProfile', 'My Profile')
  await page.getByLabel('LinkedIn').fill('somewhere')
  await expect(page.getByLabel('LinkedIn')).toHaveAttribute('aria-invalid', 'true')
  await expectNoBarrier(page, 'My Profile with a mistake')

  await page.setViewportSize({ width: 360, height: 740 })
  await openScreen(page, '/dashboard', 'My Orders')
  await expectNoBarrier(page, 'My Orders on a phone')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expectNoBarrier(page, 'the menu on a phone')
})

test('an admin meets no barrier', async ({ page, anotherBrowser }) => {
  test.slow()
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await register(customer, name)
  await openPayment(customer, ring, 48)
  await payWith(customer, cards.good)
  await expect(customer.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await placed(customer, 'Quern Tapered Headset EC34/EC44', [30])

  await enter(page, demoAdmin)
  await page.goto(`/dashboard/manageAllOrders?q=${encodeURIComponent(name)}`)
  const paid = rowsOf(page, name).filter({ hasText: ring })
  await expect(paid.getByRole('button', { name: 'Pending' })).toBeVisible()
  await expectNoBarrier(page, 'Manages All Orders')
  await paid.getByRole('button', { name: 'Pending' }).click()
  await paid.getByRole('button', { name: 'Shipped' }).click()
  await expect(page.getByRole('dialog', { name: 'not been shipped after all?' })).toBeVisible()
  await expectNoBarrier(page, 'the question before an order is not shipped after all')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await openScreen(page, '/dashboard/manageAllOrders?q=penny-farthing', 'Manages All Orders')
  await expectNoBarrier(page, 'orders of which none is found')

  await openScreen(page, '/dashboard/myOrders', 'My Orders')
  await expectNoBarrier(page, 'My Orders of an admin')
  await openScreen(page, '/dashboard/messages', 'Messages')
  await expectNoBarrier(page, 'Messages')

  await openScreen(page, '/dashboard', 'Make Admin')
  await expectNoBarrier(page, 'Make Admin')
  await rowsOf(page, demoAdmin.email).getByRole('button', { name: 'Remove Admin' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoBarrier(page, 'the question before an admin is removed')

  await openScreen(page, '/dashboard/addProduct', 'Add a New Product')
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('Image is required')).toBeVisible()
  await expectNoBarrier(page, 'Add A Product with nothing filled in')

  await openScreen(page, '/dashboard/manageProducts', 'Manages Products')
  await expectNoBarrier(page, 'Manages Products')
  const first = page.getByRole('row').nth(1)
  await first.getByRole('button', { name: 'Restock' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add to stock' }).click()
  await expect(page.getByText('Say how many arrived')).toBeVisible()
  await expectNoBarrier(page, 'a delivery of which nobody said how many')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await first.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'Are you sure to delete this' })).toBeVisible()
  await expectNoBarrier(page, 'the question before a product is deleted')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await first.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await expectNoBarrier(page, 'a product that is changed')
})

async function openScreen(page: Page, address: string, heading: string) {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
}
