import type { Page } from '@playwright/test'
import type { Account } from '#test/process.ts'
import {
  accessToken,
  demoCustomer,
  expect,
  fillLogin,
  fillRegistration,
  newAccount,
  signInByApi,
  test,
  toast,
  visit,
} from './shop.ts'

/** A deployment replaces the scripts and the manifest that names them; the tab has what it has loaded. */
async function deploy(page: Page) {
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
  return () => page.unroute('**/assets/**')
}

test('a tab older than the shop reloads once to log in, and keeps what was typed', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404|route module|dynamically imported module/)
  await visit(page, '/login')
  await fillLogin(page, demoCustomer)
  const finish = await deploy(page)
  const reloaded = page.waitForEvent('framenavigated')
  page.once('framenavigated', finish)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await reloaded
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(demoCustomer.email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  await page.getByLabel('Password', { exact: true }).fill(demoCustomer.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
})

test('a tab older than the shop opens the page that a link leads to', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404|route module|dynamically imported module/)
  await visit(page, '/terms')
  const finish = await deploy(page)
  page.once('framenavigated', finish)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Returns' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Returns')
  await expect(page).toHaveURL('/returns')
})

test('Log Out in a tab older than the shop signs out', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 404|route module|dynamically imported module/)
  await signInByApi(page, demoCustomer)
  await visit(page, '/terms')
  const finish = await deploy(page)
  page.once('framenavigated', finish)
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeVisible()
  // The page may still be loading again.
  await expect.poll(() => accessToken(page).catch(() => 'loading')).toBeNull()
})

test('values that a phone fills in without events are submitted', async ({ page }) => {
  const account: Account = newAccount('Ida Renn')
  await visit(page, '/registration')
  await fillRegistration(page, { ...account, name: 'x', email: 'x' }, 'x')
  await page.evaluate(({ name, email, password }) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
    const values = [name, email, password, password]
    const fields = document.querySelectorAll('main form input')
    for (const [i, value] of values.entries()) set.call(fields[i], value)
  }, account)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
})

test('HTML that was changed before React took over keeps what was typed', async ({ page }) => {
  await page.route('**/registration', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({ response, body: html.replace('<main', '<div>An extension</div><main') })
  })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/assets/entry.client-*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/registration', { waitUntil: 'commit' })
  await page.getByLabel('Name', { exact: true }).fill('Ida Renn')
  letGo()
  await expect(page.getByRole('button', { name: 'Register' })).toBeEnabled()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ida Renn')
})
