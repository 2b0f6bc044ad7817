import type { Page } from '@playwright/test'
import { decodeJwt } from 'jose'
import { continueAtProvider, resetLink, signInProvider } from './mailbox.ts'
import {
  type Account,
  accessToken,
  closeToasts,
  expect,
  expectRedAbove,
  fillLogin,
  fillRegistration,
  navigate,
  newAccount,
  registerByForm,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'

// These tests run against every identity provider.

/** How a 4xx of an identity provider appears in the console. */
const clientError = /status of 4\d\d/

/** Firebase tokens have times in whole seconds: after a sign-out only those of the next second are valid. */
const rejectedToken = /status of 401 .*\/api\//

test('registering signs in with the given name, the session survives a reload, a second tab and an invalid token, and a changed name and photo show at once and are stored', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 401 .*\/api\//)
  const account = await registerByForm(page, 'Ida Renn')
  await expect(page).toHaveURL('/')
  expect(await tokenClaims(page)).toMatchObject({ email: account.email, name: 'Ida Renn', photoURL: null })
  await navigate(page, '/dashboard/myProfile')
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
  const secondTab = await context.newPage()
  await openDashboard(secondTab)
  await secondTab.close()

  const invalidToken = `${(await accessToken(page))!.slice(0, -8)}AAAAAAAA`
  await page.evaluate((invalidToken) => localStorage.setItem('accessToken', invalidToken), invalidToken)
  await openDashboard(page)
  await expect.poll(() => accessToken(page)).not.toBe(invalidToken)
  expect(await profileStatus(page, (await accessToken(page))!)).toBe(200)

  const [{ image }] = await (await page.request.get('/api/part?limit=1')).json()
  await page.getByRole('link', { name: 'My Profile' }).click()
  await page.getByRole('button', { name: 'Edit name' }).click()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida Renn')
  await page.getByLabel('Display Name').fill('Ida R.')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(page, 'Name saved')).toBeVisible()
  await fillProfile(page)
  await page.getByLabel('Photo URL').fill(image)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ida R.' })).toBeVisible()
  await expect(photoInMenu(page)).toHaveAttribute('src', image)

  await page.getByRole('link', { name: 'Add A Review' }).click()
  await page.getByLabel('5 stars').check()
  await expect(page.getByRole('article').getByRole('heading')).toHaveText('Ida R.')
  await logOut(page)
  await page.getByRole('link', { name: 'Login' }).click()
  await signIn(page, account)
  expect(await tokenClaims(page)).toMatchObject({ name: 'Ida R.', photoURL: image })

  await navigate(page, '/dashboard/myProfile')
  await page.getByLabel('Photo URL').fill('')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(photoInMenu(page)).toHaveAttribute('src', /person\.svg$/)
  expect(await tokenClaims(page)).toMatchObject({ name: 'Ida R.', photoURL: null })
})

test('Log Out revokes the session and every access token, keeps the sessions of other devices, and the user can sign in again', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(rejectedToken)
  const account = await registerByForm(page, 'Ida Renn')
  const otherPage = await anotherBrowser()
  await otherPage.goto('/login')
  await signIn(otherPage, account)
  const otherToken = (await accessToken(otherPage))!
  const oldTokens = [(await accessToken(page))!, otherToken]
  for (const token of oldTokens) expect(await profileStatus(page, token, account)).toBe(200)

  await logOut(page)
  expect(await accessToken(page)).toBeNull()
  for (const token of oldTokens) await expect.poll(() => profileStatus(page, token, account)).toBe(401)
  await navigate(otherPage, '/dashboard')
  await expect(otherPage.getByText('No orders yet.')).toBeVisible()
  expect(await accessToken(otherPage)).not.toBe(otherToken)

  await navigate(page, '/dashboard')
  await expectLogin(page)
  await signIn(page, account)
  await expect(pageTitle(page)).toHaveText('My Orders')
  expect(await tokenClaims(page)).toMatchObject({ email: account.email, name: 'Ida Renn' })
})

test('a wrong password and an unknown account show the same error, a password reset for an unknown account the usual confirmation, and a taken email an error', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(clientError)
  const account = await registerByForm(page, 'Ida Renn')
  await logOut(page)
  const messages: string[] = []
  for (const email of [account.email, newAccount('Nobody').email]) {
    // Without the error of the last one.
    await navigate(page, '/')
    await navigate(page, '/login')
    await fillLogin(page, { email, password: 'not-the-password' })
    const button = page.getByRole('button', { name: 'Login' })
    await button.click()
    const error = page.getByRole('alert').filter({ hasText: /password/i })
    await expectRedAbove(error, button)
    messages.push((await error.textContent())!)
    expect(await accessToken(page)).toBeNull()
  }
  expect(messages[0]).toBe(messages[1])
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(toast(page, 'Reset Password Sent to Your Email!!')).toBeVisible()

  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await fillRegistration(page, { ...account, name: 'Another', password: 'another-1992' })
  const button = page.getByRole('button', { name: 'Register' })
  await button.click()
  await expectRedAbove(page.getByRole('alert').filter({ hasText: /already/i }), button)
  expect(await accessToken(page)).toBeNull()
})

test('a sign-in through Google or GitHub creates an account and signs in to it again later', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(rejectedToken)
  await visit(page, '/')
  for (const name of ['Google', 'GitHub']) {
    await navigate(page, '/registration')
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await continueAtProvider(page)
    await expect(toast(page, 'Registered Successfully!')).toBeVisible()
    await expect(page).toHaveURL('/')
    const { email } = await tokenClaims(page)
    expect(email).toContain('@example.com')

    await logOut(page)
    await navigate(page, '/dashboard/addReview')
    await expectLogin(page)
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await continueAtProvider(page)
    await expect(toast(page, 'Login Successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard/addReview')
    await expect(pageTitle(page)).toHaveText('Add A Review')
    expect(await tokenClaims(page)).toMatchObject({ email })
    await logOut(page)
    await closeToasts(page)
  }
})

test('a new account is asked to confirm its email, and the newest link confirms it once the user is logged in', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  test.slow()
  allowConsoleErrors(/status of 400 .*\/confirmation/)
  const account = await registerByForm(page, 'Ida Renn')
  await navigate(page, '/dashboard/myProfile')
  const notice = page.getByRole('heading', { name: 'Confirm your email address' })
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Send new link' }).click()
  await expect(toast(page, `We sent a new link to ${account.email}.`)).toBeVisible()

  await navigate(page, `/outbox?${new URLSearchParams({ q: `${account.email} confirm` })}`)
  const links = page.getByRole('article').getByRole('link')
  await expect(links).toHaveCount(2)
  const newest = await links.first().getAttribute('href')
  await links.last().click()
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This link has expired' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send new link' })).toBeVisible()

  const otherPage = await anotherBrowser()
  await otherPage.goto(newest!)
  await otherPage.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await signIn(otherPage, account)
  const button = otherPage.getByRole('button', { name: 'Confirm email address' })
  await expect(button).toBeVisible()
  await navigate(page, '/dashboard/myProfile')
  await expect(notice, 'opening the link confirms nothing').toBeVisible()
  await button.click()
  await expect(otherPage.getByText(`Thanks. ${account.email} is confirmed.`)).toBeFocused()
  await otherPage.reload()
  await button.click()
  await expect(otherPage.getByText(`${account.email} is already confirmed.`)).toBeVisible()

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('a password reset link works once and revokes older sessions', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  test.slow()
  allowConsoleErrors(clientError)
  const account = await registerByForm(page, 'Ida Renn')
  const oldToken = (await accessToken(page))!
  const newPassword = 'wheels-2026'

  const resetPage = await anotherBrowser()
  await visit(resetPage, '/login')
  await resetPage.getByLabel('Email', { exact: true }).fill(account.email)
  await resetPage.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(toast(resetPage, 'Reset Password Sent to Your Email!!')).toBeVisible()

  const link = await resetLink(resetPage, account.email)
  await setPassword(resetPage, link, newPassword)
  await expect(toast(resetPage, 'Your new password is set.')).toBeVisible()
  const { kind } = await signInProvider(resetPage)
  await expect(resetPage).toHaveURL(kind === 'embedded' ? '/login' : '/')

  await expect.poll(() => profileStatus(page, oldToken, account), 'the old access token').toBe(401)
  await navigate(page, '/dashboard/myProfile')
  await expectLogin(page)
  expect(await accessToken(page)).toBeNull()

  await fillLogin(page, account)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible()
  await signIn(page, { ...account, password: newPassword })
  await expect(pageTitle(page)).toHaveText('My Profile')

  await logOut(page)
  await visit(page, link)
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.')
  await expect(page.getByRole('button', { name: 'Set password' })).toHaveCount(0)
  expect(await accessToken(page)).toBeNull()
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await signIn(page, { ...account, password: newPassword })
})

const pageTitle = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

function expectLogin(page: Page) {
  return expect(pageTitle(page)).toHaveText('Login to Winged Wheels')
}

async function openDashboard(page: Page) {
  await page.goto('/dashboard')
  await expect(page.getByText('No orders yet.')).toBeVisible()
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }),
  ).toBeVisible()
}

type EmailClaim = Pick<Account, 'email'>

async function tokenClaims(page: Page) {
  return decodeJwt<Account>((await accessToken(page))!)
}

/** Status of a request for the user's own profile with this token. */
async function profileStatus(
  page: Page,
  token: string,
  { email }: EmailClaim = decodeJwt<EmailClaim>(token),
) {
  const headers = { authorization: `Bearer ${token}` }
  return (await page.request.get(`/api/profiles/${encodeURIComponent(email)}`, { headers })).status()
}

async function setPassword(page: Page, link: string, password: string) {
  await visit(page, link)
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}

async function fillProfile(page: Page) {
  await page.getByLabel('Education').fill('Mechanic')
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await page.getByLabel('LinkedIn').fill('https://www.linkedin.com/in/ida-renn')
}

function photoInMenu(page: Page) {
  return page.getByRole('navigation', { name: 'Main' }).locator('img')
}
