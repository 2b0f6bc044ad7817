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

// What only Firebase does, or does differently; what every provider does is in identity.e2e.ts.

for (const privacy of [false, true]) {
  test(`nobody learns who has an account, in projects ${privacy ? 'that' : 'from before they could'} keep it secret`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/status of 400 .*accounts:(signInWithPassword|sendOobCode)/)
    await ask(page, 'PATCH', '/emulator/v1/projects/{project}/config', {
      emailPrivacyConfig: { enableImprovedEmailPrivacy: privacy },
    })
    const known = await registerByForm(page, 'Ada')
    await logOut(page)
    for (const { email } of [known, newAccount('Bob')]) {
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

for (const [what, operation, change] of [
  ['closed', ':update', { disableUser: true }],
  ['deleted', ':delete', {}],
] as const) {
  test(`whoever's account is ${what} at Firebase is out at the next renewal`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/status of 401 .*\/api\//)
    expectTrouble(/status of 400 .*securetoken|status of 400 .*accounts:/)
    const { email } = await registerByForm(page, 'Ada')
    await stepIntoDashboard(page)
    const { users } = await ask(page, 'POST', `${accounts}:lookup`, { email: [email] })
    await ask(page, 'POST', accounts + operation, { ...change, localId: users[0].localId })
    await spoilToken(page)
    await page.getByRole('link', { name: 'My Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
    expect(await accessToken(page)).toBeNull()
  })
}

test('whoever is signed out of Firebase in another tab is so here', async ({ page, context }) => {
  await registerByForm(page, 'Ada')
  await stepIntoDashboard(page)
  const second = await context.newPage()
  await second.goto('/blogs')
  await second.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (/^firebase:authUser:/.test(key)) localStorage.removeItem(key)
  })
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  expect(await accessToken(page)).toBeNull()
})

test('two tabs renew at the same moment, and both go on', async ({ page, context, expectTrouble }) => {
  // Tokens of the same second are one token, and the shop takes it once.
  expectTrouble(/status of 401 .*\/api\//)
  await registerByForm(page, 'Ada')
  const second = await context.newPage()
  await spoilToken(page)
  await Promise.all([openMyOrders(page), openMyOrders(second)])
  for (const tab of [page, second]) {
    await expect(tab.getByText('You have not ordered anything yet.')).toBeVisible()
  }
})

test('a session outlasts a restart of the browser, and signing out ends it', async ({
  page,
  anotherBrowser,
}) => {
  await registerByForm(page, 'Ada')
  const later = await anotherBrowser({ storageState: await page.context().storageState() })
  await openMyOrders(later)
  await logOut(later)
  await later.goto('/dashboard')
  await expect(later.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
})

test('only pages where people sign in load code of Firebase, and none asks anybody but the emulator', async ({
  page,
}) => {
  const asked: URL[] = []
  page.on('request', (request) => asked.push(new URL(request.url())))
  const loaded = () => asked.filter(({ pathname }) => pathname.includes('firebase'))
  for (const address of ['/', '/parts', '/blogs', '/terms']) await visit(page, address)
  expect(loaded()).toEqual([])
  const account = newAccount('Ada')
  await page.goto('/login')
  await expect.poll(loaded).not.toEqual([])
  await fillLogin(page, account)

  const settings = await signInProvider(page)
  const emulator = settings.kind === 'firebase' ? settings.emulator : null
  const ours = new Set([emulator, new URL(page.url()).origin])
  expect(asked.filter(({ origin, protocol }) => protocol.startsWith('http') && !ours.has(origin))).toEqual([])
})

test('registering that fails halfway goes on where it failed', async ({ page, expectTrouble }) => {
  expectTrouble(/ERR_FAILED .*accounts:update/)
  await visit(page, '/registration')
  const account = newAccount('Ada')
  await fillRegistration(page, account)
  const name = '**/accounts:update?*'
  await page.route(name, (route) => route.abort())
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('The sign-in service cannot be reached.')).toBeVisible()
  expect(await accessToken(page)).toBeNull()

  await page.unroute(name)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  const token = await accessToken(page)
  expect(decodeJwt(token!)).toMatchObject({ email: account.email, name: 'Ada' })
})

test("GitHub opens nobody's account with an address that it has not confirmed", async ({ page }) => {
  const { email } = await registerByForm(page, 'Ada')
  await logOut(page)
  await signInAs(page, 'GitHub', { sub: crypto.randomUUID(), email, email_verified: false })
  await expect(page.getByText('This email already signs in another way. Please use that way.')).toBeVisible()
  expect(await accessToken(page)).toBeNull()
})

test('whoever brings no address from GitHub is told that the shop needs one, and is not signed in', async ({
  page,
}) => {
  await signInAs(page, 'GitHub', { sub: crypto.randomUUID(), name: 'Nobody' })
  await expect(page.getByText('No email address came from there, and the shop needs one.')).toBeVisible()
  expect(await accessToken(page)).toBeNull()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /authUser/.test(key)))).toEqual(
    [],
  )
})

test('whoever sets a new password is let in, with a token from after that', async ({
  page,
  expectTrouble,
}) => {
  // One of the same second counts as one from before.
  expectTrouble(/status of 401 .*\/api\//)
  const account = await registerByForm(page, 'Ada')
  await logOut(page)
  await visit(page, '/login')
  await page.getByLabel('Email', { exact: true }).fill(account.email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(toast(page, 'Reset Password Sent to Your Email!!')).toBeVisible()
  await visit(page, await resetLink(page, account.email))
  await page.getByLabel('New password').fill('wheels-2026')
  await page.getByLabel('Confirm Password').fill('wheels-2026')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(toast(page, 'Your new password is set.')).toBeVisible()
  await openMyOrders(page)
})

/** Comes from Google or GitHub as somebody else than the shop makes up for the emulator. */
async function signInAs(page: Page, provider: string, person: object) {
  await page.route('**/accounts:signInWithIdp?*', (route) => {
    const sent = route.request().postDataJSON()
    const credential = new URLSearchParams(sent.postBody)
    credential.set(credential.has('id_token') ? 'id_token' : 'access_token', JSON.stringify(person))
    return route.continue({ postData: { ...sent, postBody: credential.toString() } })
  })
  await visit(page, '/login')
  await page.getByRole('button', { name: `Continue with ${provider}` }).click()
}

/** Without loading the page anew, which would ask Firebase who is there. */
async function stepIntoDashboard(page: Page) {
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()
}

async function logOut(page: Page) {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
}

/** Asks the emulator as the project's owner. */
async function ask(page: Page, method: string, path: string, body: object) {
  const settings = await signInProvider(page)
  if (settings.kind !== 'firebase') throw new Error('this shop does not use Firebase')
  const response = await fetch(settings.emulator + path.replace('{project}', settings.projectId), {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer
}

/** Makes the access token one that the shop refuses, as it does after an hour. */
async function spoilToken(page: Page) {
  const good = await accessToken(page)
  await page.evaluate((token) => localStorage.setItem('accessToken', token), `${good!.slice(0, -8)}AAAAAAAA`)
}
