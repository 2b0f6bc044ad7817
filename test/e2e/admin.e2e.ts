import type { Locator, Page } from '@playwright/test'
import { apiClientOf, confirmEmail, holdCalls, registerApiCustomer } from './orders.ts'
import {
  accessToken,
  definitionOf,
  demoAdmin,
  expect,
  navigate,
  registerByApi,
  respondWith,
  rowsOf,
  signInByApi,
  test,
  toast,
} from './shop.ts'

const adminScreens = [
  { entry: 'Overview', path: '/dashboard/overview', heading: 'Overview' },
  { entry: 'Make Admin', path: '/dashboard', heading: 'Make Admin' },
  { entry: 'Add A Product', path: '/dashboard/addProduct', heading: 'Add a New Product' },
  { entry: 'Manages Products', path: '/dashboard/manageProducts', heading: 'Manages Products' },
  { entry: 'Attributes', path: '/dashboard/attributes', heading: 'Attributes' },
  { entry: 'Drawings', path: '/dashboard/drawings', heading: 'Drawings' },
  { entry: 'Manages All Orders', path: '/dashboard/manageAllOrders', heading: 'Manages All Orders' },
  { entry: 'Quotes', path: '/dashboard/quotes', heading: 'Quotes' },
  { entry: 'Messages', path: '/dashboard/messages', heading: 'Messages' },
  { entry: 'Reviews', path: '/dashboard/reviews', heading: 'Reviews' },
  { entry: 'Searches', path: '/dashboard/searches', heading: 'Searches without results' },
  { entry: 'Exports', path: '/dashboard/exports', heading: 'Exports' },
  { entry: 'Audit log', path: '/dashboard/auditLog', heading: 'Audit log' },
  { entry: 'Settings', path: '/dashboard/settings', heading: 'Settings' },
  { entry: 'Delivery and tax', path: '/dashboard/deliveryAndTax', heading: 'Delivery and tax' },
  { entry: 'My Orders', path: '/dashboard/myOrders', heading: 'My Orders' },
  { entry: 'My Profile', path: '/dashboard/myProfile', heading: 'My Profile' },
]
const adminEntries = adminScreens.map(({ entry }) => entry)
const customerEntries = ['My Orders', 'Builds', 'Add A Review', 'My Profile']

test('the dashboard shows an error when the role check fails, Try again recovers, and the menu links to every screen', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 500 .*\/api\/admin\//)
  await signInByApi(page, demoAdmin)
  await page.route('**/api/admin/*', respondWith(500, 'The shop is being mended.'))
  await page.goto('/dashboard')
  await expect(page.getByRole('alert').filter({ hasText: 'The shop is being mended.' })).toBeVisible()
  await expect(page.getByText('Loading')).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectMenu(page, adminEntries)
  for (const { entry, path, heading } of adminScreens.toReversed()) {
    const link = menu(page).getByRole('link', { name: entry, exact: true })
    await link.click()
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(menu(page).locator('[aria-current]')).toHaveCount(1)
  }
})

test('an admin can make a customer with a confirmed email an admin and remove the role after confirming, and sees the customer dashboard after removing their own', async ({
  page,
  anotherBrowser,
}) => {
  const otherPage = await anotherBrowser()
  const { email } = await registerByApi(otherPage, 'Greta Lund')
  await openUsers(page)
  for (const header of ['No', 'User', 'Roll', 'Action']) {
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()
  }
  const row = await findUser(page, email)
  await expect(row.getByRole('cell', { name: 'customer', exact: true })).toBeVisible()
  await expect(row.getByText('Already Admin')).toHaveCount(0)
  await otherPage.goto('/dashboard')
  await expectMenu(otherPage, customerEntries)

  const dialog = page.getByRole('dialog')
  const action = row.getByRole('cell').last()
  await expect(action.getByText('Email not confirmed'), 'beside the button').toBeVisible()
  expect((await row.boundingBox())!.height, 'of one line').toBeLessThanOrEqual(48)
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await expect(dialog).toContainText('Greta Lund can’t become an admin yet')
  await expect(dialog).toContainText('Anybody who can read its email can reset the password')
  await expect(dialog.getByLabel('Email')).toHaveValue(email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(toast(page, `Invitation sent to ${email}`)).toBeVisible()
  await expect(action.getByText('Invited')).toBeVisible()

  await confirmEmail(otherPage, email)
  await refresh(page)
  await expect(row.getByText('Email not confirmed')).toHaveCount(0)
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await expect(dialog).toContainText('Make Greta Lund an admin?')
  await expect(await definitionOf(dialog, 'Email')).toHaveText(email)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await makeAdmin(page, row)
  await expect(toast(page, `Successfully made ${email} an admin!`)).toBeVisible()
  await expect(row.getByText('Already Admin', { exact: true })).toBeVisible()
  await expect(row.getByRole('cell', { name: 'admin', exact: true })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toHaveCount(0)
  await navigate(otherPage, '/dashboard')
  await expectMenu(otherPage, adminEntries)
  await removeAdmin(otherPage, await findUser(otherPage, email))
  await expect(toast(otherPage, `Successfully removed ${email} as an admin!`)).toBeVisible()
  await expect(otherPage.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  await expectMenu(otherPage, customerEntries)
  expect(await accessToken(otherPage)).not.toBeNull()

  await (await apiClientOf(page)).makeAdmin({ params: { email } })
  await navigate(otherPage, '/dashboard')
  await expectMenu(otherPage, adminEntries)
  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await expect(dialog).toContainText(`, ${email}?`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await refresh(page)
  await expect(row.getByText('Already Admin', { exact: true })).toBeVisible()

  await removeAdmin(page, row)
  await expect(toast(page, `Successfully removed ${email} as an admin!`)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()

  await menu(otherPage).getByRole('link', { name: 'Manages All Orders' }).click()
  await expect(otherPage).toHaveURL(/\/login(\?|$)/)
  await expect(otherPage.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  expect(await accessToken(otherPage)).toBeNull()
})

test('the last admin cannot be removed, Make Admin shows an error after a 403 and sends one request for a double click, and users can be searched by email and filtered by role', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of (403|409) .*\/api\/user\/admin\//)
  const customer = await registerApiCustomer(origin, 'Greta Lund')
  const { email } = customer
  await confirmEmail(customer, email)
  await openUsers(page)
  const demoRow = await findUser(page, demoAdmin.email)
  await expect(demoRow.getByText('You', { exact: true })).toBeVisible()
  await removeAdmin(page, demoRow)
  await expect(toast(page, 'You can’t remove the last admin.')).toBeVisible()
  await refresh(page)
  await expect(demoRow.getByText('Already Admin')).toBeVisible()

  const row = await findUser(page, email)
  await expect(row.getByText('You', { exact: true })).toHaveCount(0)
  await page.route('**/api/user/admin/*', respondWith(403, 'Only admins may do that.'))
  await makeAdmin(page, row)
  await expect(toast(page, `Failed to make ${email} an Admin!`)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  await expect(row.getByText('Already Admin')).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()

  await page.unrouteAll()
  const held = await holdCalls(page, 'PUT', '**/api/user/admin/*')
  const button = row.getByRole('button', { name: 'Make Admin' })
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).dblclick()
  await expect(page.getByRole('dialog')).toBeHidden()
  await button.press('Enter')
  held.letGo()
  await expect(row.getByText('Already Admin')).toBeVisible()
  expect(held.made).toBe(1)
  await expect(row.getByRole('button', { name: 'Remove Admin' })).toBeFocused()
  await (await apiClientOf(page)).removeAdmin({ params: { email } })

  await page.getByLabel('Roll', { exact: true }).selectOption('Admins')
  await expect(page.getByText('No users match.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all users' }).click()
  await expect(rowsOf(page, email)).toHaveCount(1)
  await page.getByLabel('Roll', { exact: true }).selectOption('Admins')
  await expect(page.getByRole('status')).toHaveText('1 user')
  await expect(rowsOf(page, demoAdmin.email)).toHaveCount(1)
})

test('a customer who opens an admin screen is signed out and redirected to login', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const basketRequested = Promise.withResolvers<void>()
  await page.route('**/api/basket', () => basketRequested.resolve())
  await page.route('**/api/admin/*', async (route) => {
    await basketRequested.promise
    await route.continue()
  })
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/basket'))
  await page.goto('/dashboard/manageAllOrders')
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await aborted
  await expect(page.getByRole('button', { name: 'Log Out' })).toHaveCount(0)
  expect(await accessToken(page)).toBeNull()
})

function menu(page: Page) {
  return page.getByRole('navigation', { name: 'Dashboard' })
}

function expectMenu(page: Page, entries: string[]) {
  return expect(menu(page).getByRole('link')).toHaveText(entries)
}

async function openUsers(page: Page) {
  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Make Admin' })).toBeVisible()
}

/** Loads the data of the open page again. */
function refresh(page: Page) {
  const { pathname, search } = new URL(page.url())
  return navigate(page, pathname + search)
}

async function findUser(page: Page, email: string) {
  await page.getByLabel('Search users').fill(email)
  await expect(page.getByRole('status')).toHaveText('1 user')
  return rowsOf(page, email)
}

async function makeAdmin(page: Page, row: Locator) {
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function removeAdmin(page: Page, row: Locator) {
  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
}
