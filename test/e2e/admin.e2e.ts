import type { Page } from '@playwright/test'
import { callsOf, holdCalls } from './orders.ts'
import {
  type Account,
  accessToken,
  test as base,
  demoAdmin,
  expect,
  registerByApi,
  rowsOf,
  signInByApi,
  toast,
} from './shop.ts'

const adminScreens = [
  { entry: 'Make Admin', path: '/dashboard', heading: 'Make Admin' },
  { entry: 'Add A Product', path: '/dashboard/addProduct', heading: 'Add a New Product' },
  { entry: 'Manages Products', path: '/dashboard/manageProducts', heading: 'Manages Products' },
  { entry: 'Manages All Orders', path: '/dashboard/manageAllOrders', heading: 'Manages All Orders' },
  { entry: 'Messages', path: '/dashboard/messages', heading: 'Messages' },
  { entry: 'My Orders', path: '/dashboard/myOrders', heading: 'My Orders' },
  { entry: 'My Profile', path: '/dashboard/myProfile', heading: 'My Profile' },
]
const adminEntries = adminScreens.map(({ entry }) => entry)
const customerEntries = ['My Orders', 'Add A Review', 'My Profile']

interface Somebody extends Account {
  /** Where they are signed in. */
  page: Page
}

/** The page is the admin's; somebody else is a customer before the test, and again after it. */
const test = base.extend<{ somebody: Somebody }>({
  somebody: async ({ page, anotherBrowser }, use) => {
    const theirs = await anotherBrowser()
    const account = await registerByApi(theirs, 'Greta Lund')
    await openUsers(page)
    await use({ ...account, page: theirs })
    await (await callsOf(page)).removeAdmin({ params: { email: account.email } })
  },
})

test('the menu of an admin names every screen and leads there', async ({ page }) => {
  await openUsers(page)
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

test('an admin makes a customer an admin, and takes it back after a question', async ({ page, somebody }) => {
  const { email, page: theirs } = somebody
  for (const head of ['No', 'User', 'Roll', 'Action']) {
    await expect(page.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  }
  const row = await findUser(page, email)
  await expect(row.getByRole('cell', { name: 'customer', exact: true })).toBeVisible()
  await expect(row.getByText('Already Admin')).toHaveCount(0)
  await theirs.goto('/dashboard')
  await expectMenu(theirs, customerEntries)

  await row.getByRole('button', { name: 'Make Admin' }).click()
  await expect(toast(page, `Successfully made ${email} an admin!`)).toBeVisible()
  await expect(row.getByText('Already Admin', { exact: true })).toBeVisible()
  await expect(row.getByRole('cell', { name: 'admin', exact: true })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toHaveCount(0)
  await theirs.goto('/dashboard')
  await expectMenu(theirs, adminEntries)

  const question = page.getByRole('dialog')
  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await expect(question).toContainText(`Shall ${email} be no admin any more?`)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await page.reload()
  await expect(row.getByText('Already Admin', { exact: true })).toBeVisible()

  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await question.getByRole('button', { name: 'Remove Admin' }).click()
  await expect(toast(page, `Successfully removed ${email} as an admin!`)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()

  await menu(theirs).getByRole('link', { name: 'Manages All Orders' }).click()
  await expect(theirs).toHaveURL(/\/login(\?|$)/)
  await expect(theirs.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  expect(await accessToken(theirs)).toBeNull()
})

test('users are found by address and by roll', async ({ page, somebody }) => {
  await findUser(page, somebody.email)
  await page.getByLabel('Roll', { exact: true }).selectOption('Admins')
  await expect(page.getByText('No user is like that.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all users' }).click()
  await expect(rowsOf(page, somebody.email)).toHaveCount(1)
  await page.getByLabel('Roll', { exact: true }).selectOption('Admins')
  await expect(page.getByRole('status')).toHaveText('1 user')
  await expect(rowsOf(page, demoAdmin.email)).toHaveCount(1)
})

test('a promotion that is refused says so, and the customer stays one', async ({
  page,
  somebody: { email },
  expectTrouble,
}) => {
  expectTrouble(/status of 403 .*\/api\/user\/admin\//)
  const row = await findUser(page, email)
  await page.route('**/api/user/admin/*', (route) =>
    route.fulfill({ status: 403, json: { message: 'Only admins may do that.' } }),
  )
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await expect(toast(page, `Failed to make ${email} an Admin!`)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  await expect(row.getByText('Already Admin')).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()
})

test('a double click on Make Admin makes one call, and the keyboard goes on in the row', async ({
  page,
  somebody: { email },
}) => {
  const row = await findUser(page, email)
  const held = await holdCalls(page, 'PUT', '**/api/user/admin/*')
  const button = row.getByRole('button', { name: 'Make Admin' })
  await button.dblclick()
  await button.press('Enter')
  held.letGo()
  await expect(row.getByText('Already Admin')).toBeVisible()
  expect(held.made).toBe(1)
  await expect(row.getByRole('button', { name: 'Remove Admin' })).toBeFocused()
})

test('the last admin cannot be removed', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 409 .*\/api\/user\/admin\//)
  await openUsers(page)
  const row = await findUser(page, demoAdmin.email)
  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
  await expect(toast(page, 'The last admin cannot be removed.')).toBeVisible()
  await page.reload()
  await expect(row.getByText('Already Admin')).toBeVisible()
})

test('an admin who removes themselves sees the dashboard of a customer', async ({ page, somebody }) => {
  const { email, page: theirs } = somebody
  await (await callsOf(page)).makeAdmin({ params: { email } })
  await theirs.goto('/dashboard')
  const row = await findUser(theirs, email)
  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
  await expect(toast(theirs, `Successfully removed ${email} as an admin!`)).toBeVisible()
  await expect(theirs.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  await expectMenu(theirs, customerEntries)
  expect(await accessToken(theirs)).not.toBeNull()
})

test('a customer who opens a screen of admins is signed out and led to the login page', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
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
  await signInByApi(page, demoAdmin)
  await page.route('**/api/admin/*', (route) =>
    route.fulfill({ status: 500, json: { message: 'The shop is being mended.' } }),
  )
  await page.goto('/dashboard')
  await expect(page.getByRole('alert').filter({ hasText: 'The shop is being mended.' })).toBeVisible()
  await expect(page.getByText('Loading')).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectMenu(page, adminEntries)
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

/** Searches the users for an address, and answers its row. */
async function findUser(page: Page, email: string) {
  await page.getByLabel('Search users').fill(email)
  await expect(page.getByRole('status')).toHaveText('1 user')
  return rowsOf(page, email)
}
