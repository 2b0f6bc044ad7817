import { expect, type Page } from '@playwright/test'
import { decodeJwt } from 'jose'
import { resetLink, signInProvider } from './mailbox.ts'
import {
  accessToken,
  fillLogin,
  fillRegistration,
  newAccount,
  openMyOrders,
  registerByForm,
  test,
  toast,
  visit,
} from './shop.ts'

// Only behaviour specific to Firebase; the tests for every provider are in identity.e2e.ts.

for (const privacy of [false, true]) {
  test(`login and password reset do not reveal accounts with email enumeration protection ${privacy ? 'on' : 'off'}`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/status of 400 .*accounts:(signInWithPassword|sendOobCode)/)
    await requestEmulator(page, 'PATCH', '/emulator/v1/projects/{project}/config', {
      emailPrivacyConfig: { enableImprovedEmailPrivacy: privacy },
    })
    const registered = await registerByForm(page, 'Ada')
    await logOut(page)
    for (const { email } of [registered, newAccount('Bob')]) {
      await visit(page, '/login')
      await fillLogin(page, { email, password: 'not-this-one' })
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByText('Invalid email or password')).toBeVisible()
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await expect(toast(page, 'Reset Password Sent to Your Email!!')).toBeVisible()
    }
  })
}

const accounts = '/identitytoolkit.googleapis.com/v1/projects/{project}/accounts'

for (const [what, operation, fields] of [
  ['disabled', ':update', { disableUser: true }],
  ['deleted', ':delete', {}],
] as const) {
  test(`a user whose Firebase account is ${what} is signed out at the next token refresh`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/status of 401 .*\/api\//)
    allowConsoleErrors(/status of 400 .*securetoken|status of 400 .*accounts:/)
    const { email } = await registerByForm(page, 'Ada')
    await navigateToDashboard(page)
    const { users } = await requestEmulator(page, 'POST', `${accounts}:lookup`, { email: [email] })
    await requestEmulator(page, 'POST', accounts + operation, { ...fields, localId: users[0].localId })
    await corruptToken(page)
    await page.getByRole('link', { name: 'My Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
    expect(await accessToken(page)).toBeNull()
  })
}

test('signing out of Firebase in one tab signs out the other tabs', async ({ page, context }) => {
  await registerByForm(page, 'Ada')
  await navigateToDashboard(page)
  const secondTab = await context.newPage()
  await secondTab.goto('/blogs')
  await secondTab.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (/^firebase:authUser:/.test(key)) localStorage.removeItem(key)
  })
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  expect(await accessToken(page)).toBeNull()
})

test('two tabs can refresh their tokens at the same time', async ({ page, context, allowConsoleErrors }) => {
  // Tokens issued within the same second are identical, and the shop accepts each token only once.
  allowConsoleErrors(/status of 401 .*\/api\//)
  await registerByForm(page, 'Ada')
  const secondTab = await context.newPage()
  await corruptToken(page)
  await Promise.all([openMyOrders(page), openMyOrders(secondTab)])
  for (const tab of [page, secondTab]) {
    await expect(tab.getByText('No orders yet.')).toBeVisible()
  }
})

test('a session survives a browser restart and ends on sign-out', async ({ page, anotherBrowser }) => {
  await registerByForm(page, 'Ada')
  const restarted = await anotherBrowser({ storageState: await page.context().storageState() })
  await openMyOrders(restarted)
  await logOut(restarted)
  await restarted.goto('/dashboard')
  await expect(restarted.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
})

test('only sign-in pages load Firebase, and only the emulator is contacted', async ({ page }) => {
  const requestUrls: URL[] = []
  page.on('request', (request) => requestUrls.push(new URL(request.url())))
  const firebaseRequests = () => requestUrls.filter(({ pathname }) => pathname.includes('firebase'))
  for (const path of ['/', '/parts', '/blogs', '/terms']) await visit(page, path)
  expect(firebaseRequests()).toEqual([])
  const account = newAccount('Ada')
  await page.goto('/login')
  await expect.poll(firebaseRequests).not.toEqual([])
  await fillLogin(page, account)

  const settings = await signInProvider(page)
  const emulator = settings.kind === 'firebase' ? settings.emulator : null
  const allowedOrigins = new Set([emulator, new URL(page.url()).origin])
  expect(
    requestUrls.filter(({ origin, protocol }) => protocol.startsWith('http') && !allowedOrigins.has(origin)),
  ).toEqual([])
})

test('registration can be retried after failing halfway', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/ERR_FAILED .*accounts:update/)
  await visit(page, '/registration')
  const account = newAccount('Ada')
  await fillRegistration(page, account)
  const updateUrl = '**/accounts:update?*'
  await page.route(updateUrl, (route) => route.abort())
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('We can’t reach the sign-in provider.')).toBeVisible()
  expect(await accessToken(page)).toBeNull()

  await page.unroute(updateUrl)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  const token = await accessToken(page)
  expect(decodeJwt(token!)).toMatchObject({ email: account.email, name: 'Ada' })
})

test('GitHub sign-in with an unverified email does not open an existing account', async ({ page }) => {
  const { email } = await registerByForm(page, 'Ada')
  await logOut(page)
  await signInAs(page, 'GitHub', { sub: crypto.randomUUID(), email, email_verified: false })
  await expect(
    page.getByText('This email address is registered with another sign-in method. Use that one instead.'),
  ).toBeVisible()
  expect(await accessToken(page)).toBeNull()
})

test('GitHub sign-in without an email shows an error and does not sign in', async ({ page }) => {
  await signInAs(page, 'GitHub', { sub: crypto.randomUUID(), name: 'Nobody' })
  await expect(
    page.getByText('That account didn’t share an email address. Use another account or sign-in method.'),
  ).toBeVisible()
  expect(await accessToken(page)).toBeNull()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /authUser/.test(key)))).toEqual(
    [],
  )
})

test('setting a new password signs in with a token issued afterwards', async ({
  page,
  allowConsoleErrors,
}) => {
  // A token issued in the same second as the password change is rejected as older.
  allowConsoleErrors(/status of 401 .*\/api\//)
  const account = await registerByForm(page, 'Ada')
  await logOut(page)
  await visit(page, '/login')
  await page.getByLabel('Email', { exact: true }).fill(account.email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(toast(page, 'Reset Password Sent to Your Email!!')).toBeVisible()
  await visit(page, await resetLink(page, account.email))
  await page.getByLabel('New password').fill('wheels-2026')
  await page.getByLabel('Confirm Password').fill('wheels-2026')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(toast(page, 'Your new password is set.')).toBeVisible()
  await openMyOrders(page)
})

/** Signs in through Google or GitHub with the given profile instead of the generated one. */
async function signInAs(page: Page, provider: string, profile: object) {
  await page.route('**/accounts:signInWithIdp?*', (route) => {
    const body = route.request().postDataJSON()
    const credential = new URLSearchParams(body.postBody)
    credential.set(credential.has('id_token') ? 'id_token' : 'access_token', JSON.stringify(profile))
    return route.continue({ postData: { ...body, postBody: credential.toString() } })
  })
  await visit(page, '/login')
  await page.getByRole('button', { name: `Continue with ${provider}` }).click()
}

/** Navigates without a page load, which would make Firebase check the session. */
async function navigateToDashboard(page: Page) {
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByText('No orders yet.')).toBeVisible()
}

async function logOut(page: Page) {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }),
  ).toBeVisible()
}

async function requestEmulator(page: Page, method: string, path: string, body: object) {
  const settings = await signInProvider(page)
  if (settings.kind !== 'firebase') throw new Error('this shop does not use Firebase')
  const response = await fetch(settings.emulator + path.replace('{project}', settings.projectId), {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
    body: JSON.stringify(body),
  })
  const result = await response.json()
  expect(response.status, JSON.stringify(result)).toBe(200)
  return result
}

/** Makes the shop reject the access token, as it does after it expires. */
async function corruptToken(page: Page) {
  const valid = await accessToken(page)
  await page.evaluate((token) => localStorage.setItem('accessToken', token), `${valid!.slice(0, -8)}AAAAAAAA`)
}
