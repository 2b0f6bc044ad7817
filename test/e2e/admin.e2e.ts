import type { Page } from '@playwright/test'
import {
  accessToken,
  cards,
  demoAdmin,
  expect,
  openPurchase,
  order,
  payWith,
  register,
  rowsOf,
  signIn,
  stock,
  test,
  toast,
} from './shop.ts'

const changed = 'Delivered Status Successfully Changed!!'

test('an admin marks a paid order shipped, and takes it back after a question', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await register(customer, name)
  await order(customer, 'Fallow Rear Hub 32H, 12 x 148 mm', 12)
  await customer.getByRole('alert').getByRole('link', { name: 'Pay now' }).click()
  await payWith(customer, cards.good)
  await expect(customer.getByText('Congratulations! Your Payment is completed.')).toBeVisible()

  await openAllOrders(page)
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

test('an admin deletes an unpaid order after a question, and its stock comes back', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const part = 'Meridian Long-Cage Rear Derailleur'
  const customer = await anotherBrowser()
  await register(customer, name)
  await openPurchase(customer, part)
  const before = await (await stock(customer)).textContent()
  await order(customer, part, 12)

  await openAllOrders(page)
  const row = rowsOf(page, name)
  await expect(row.getByRole('button', { name: /Pending|Shipped/ })).toHaveCount(0)
  await row.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(part)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(row).toHaveCount(1)

  await row.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
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
  await register(customer, name)
  await order(customer, 'Tine Butted Spokes with Nipples, Six-Pack', 96)

  await openAllOrders(page)
  const second = await context.newPage()
  await second.goto('/dashboard/manageAllOrders')
  for (const tab of [page, second]) {
    await rowsOf(tab, name).getByRole('button', { name: 'Delete' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
    await expect(rowsOf(tab, name)).toHaveCount(0)
  }
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(toast(second, 'There is no such order.')).toBeVisible()
})

test('a customer who opens the orders of all is signed out and led to the login page', async ({ page }) => {
  await register(page, 'Ida Renn')
  await page.goto('/dashboard/manageAllOrders')
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Log Out' })).toHaveCount(0)
  expect(await accessToken(page)).toBeNull()
})

test('a dashboard that cannot ask who is an admin says what failed, and Try again works', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 500 .*\/api\/admin\//)
  await page.goto('/login')
  await signIn(page, demoAdmin)
  await page.route('**/api/admin/*', (route) =>
    route.fulfill({ status: 500, json: { message: 'The shop is being mended.' } }),
  )
  await page.goto('/dashboard')
  await expect(page.getByRole('alert').filter({ hasText: 'The shop is being mended.' })).toBeVisible()
  await expect(page.getByText('Loading')).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(menu.getByRole('link', { name: 'Manages All Orders' })).toBeVisible()
})

async function openAllOrders(page: Page) {
  await page.goto('/login')
  await signIn(page, demoAdmin)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Manages All Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Manages All Orders' })).toBeVisible()
}
