import { resetLink } from './mailbox.ts'
import { holdCalls } from './orders.ts'
import {
  accessToken,
  demoCustomer,
  expect,
  expectMessage,
  expectRedAbove,
  navigate,
  originOf,
  registerByApi,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'

test('Forgot password? requires a valid email, shows a network error and sends one request for a double click', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  await visit(page, '/login')
  const button = page.getByRole('button', { name: 'Forgot password?' })
  await button.click()
  await expect(toast(page, 'Please Enter Email Address!!')).toBeVisible()
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toBeFocused()
  await email.fill('ida@')
  await button.click()
  await expectMessage(page, 'Email', 'Provide a valid email')
  await expect(email).toBeFocused()
  await expect(page.getByText('Password is required')).toHaveCount(0)
  expect(await page.evaluate(() => document.activeElement?.closest('form')?.method)).toBe('post')

  await email.fill(demoCustomer.email)
  await page.route('**/identity/request-password-reset', (route) => route.abort(), { times: 1 })
  await button.click()
  await expectRedAbove(
    page
      .getByRole('alert')
      .filter({ hasText: 'We can’t reach the shop. Check your connection and try again.' }),
    page.getByRole('button', { name: 'Login' }),
  )
  const held = await holdCalls(page, 'POST', '**/identity/request-password-reset')
  await button.dblclick()
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await button.click({ force: true })
  held.letGo()
  await expect(toast(page, 'Reset Password Sent to Your Email!!')).toBeVisible()
  expect(held.made).toBe(1)
})

test('the new password page validates each field, shows an incomplete or invalid link, is public, does not leak its URL, and setting a password signs the user out', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 400 .*\/identity\/(check-reset-link|reset-password)|net::ERR_FAILED/)
  allowConsoleErrors(/status of 401 .*\/identity\/token/)
  const main = page.getByRole('main')
  const stale =
    'This link has expired or was already used. If you just set a password with it, sign in with that password.'
  await visit(page, '/reset-password')
  await expect(main.getByText('This link is incomplete. Open the full link from your email.')).toBeVisible()
  await expect(main.locator('form')).toHaveCount(0)
  await expect(main.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')

  await navigate(page, '/reset-password?token=made-up')
  await expect(main.getByRole('alert')).toHaveText(stale)
  await expect(main.locator('form')).toHaveCount(0)

  // The server cannot be asked.
  await page.route('**/identity/check-reset-link', (route) => route.abort())
  await visit(page, '/reset-password?token=made-up')
  const button = page.getByRole('button', { name: 'Set password' })
  await button.click()
  await expectMessage(page, 'New password', 'Password is required')
  await expectMessage(page, 'Confirm Password', 'Confirm Password is required')
  await page.getByLabel('New password').fill('12345')
  await page.getByLabel('Confirm Password').fill('123456')
  await expectMessage(page, 'New password', 'Password required Minimum 6 characters...')
  await expectMessage(page, 'Confirm Password', 'Your Password did not matched!')

  await page.getByLabel('New password').fill('wheels-2026')
  await page.getByLabel('Confirm Password').fill('wheels-2026')
  await button.click()
  await expectRedAbove(page.getByText(stale), button)
  await main.getByRole('link', { name: 'Login' }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Login to Winged Wheels')

  await page.unrouteAll()
  const account = await registerByApi(page, 'Ida Renn')
  const response = await page.goto('/reset-password?token=made-up')
  expect(response!.headers()['referrer-policy']).toBe('no-referrer')
  await expect(main.getByRole('alert')).toHaveText(stale)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.url()} ${request.headers().referer ?? ''}`))
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL('/')
  expect(requests.filter((request) => request.includes('made-up'))).toEqual([])

  const headers = { origin: await originOf(page) }
  await page.request.post('/identity/request-password-reset', { headers, data: { email: account.email } })
  await visit(page, await resetLink(page, account.email))
  const removal = page.getByRole('region', { name: 'Before you set a password' })
  await expect(removal).toContainText(`${account.email} was never confirmed`)
  await expect(removal.getByRole('listitem').filter({ hasText: 'unpaid orders' })).toBeVisible()
  await page.getByLabel('New password').fill('wheels-2026')
  await page.getByLabel('Confirm Password').fill('wheels-2026')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(toast(page, 'Your new password is set.')).toBeVisible()
  await expect(page).toHaveURL('/login')
  expect(await accessToken(page)).toBeNull()
  await signIn(page, { ...account, password: 'wheels-2026' })
})
