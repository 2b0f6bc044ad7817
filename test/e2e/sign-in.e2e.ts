import type { Page, Route } from '@playwright/test'
import { decodeJwt } from 'jose'
import { openSession } from '#test/process.ts'
import { holdCalls } from './orders.ts'
import {
  type Account,
  accessToken,
  demoCustomer,
  expect,
  expectRedAbove,
  fillLogin,
  navigate,
  newAccount,
  originOf,
  publicPages,
  registerByApi,
  registerByForm,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'

// Only the embedded identity provider simulates the pages of Google and GitHub.

const unreachable = 'We can’t reach the shop. Check your connection and try again.'

test('a login with an external return URL leads home, also when signed in already or through a provider', async ({
  page,
}) => {
  // app/auth/guards.test.ts covers more URLs.
  await page.goto('/login?from=//evil.example')
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
  await expect(title(page)).toHaveText('Winged Wheels Manufacturer')
  await logOut(page)

  const query = new URLSearchParams({ from: 'javascript:alert(1)' })
  await navigate(page, `/login?${query}`)
  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto(`/login?${query}`)
  await expect(page).toHaveURL('/')
})

test('a sign-in through a provider keeps the return URL after a refusal or an error, and hides the form on return', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  for (const path of ['/login', '/registration']) {
    const html = await (await page.request.get(`${path}?via=google`)).text()
    expect(html).toContain('Signing you in')
    expect(html).not.toContain('name="password"')
  }
  await page.goto('/dashboard/myProfile')
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await continueWith(page, 'GitHub')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectError(page, 'You cancelled the sign-in. Nothing was shared.')
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2FmyProfile')
  expect(await accessToken(page)).toBeNull()

  await continueWith(page, 'GitHub')
  const held = await holdCalls(page, 'GET', '**/identity/token')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect.poll(() => held.made).toBe(1)
  await expect(page.getByRole('status').filter({ hasText: 'Signing you in' })).toBeVisible()
  await expect(page.getByRole('main').locator('form')).toHaveCount(0)
  await page.route('**/api/user/*', (route) => route.abort(), { times: 1 })
  held.letGo()
  await expectError(page, unreachable)

  await continueWith(page, 'GitHub')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(title(page)).toHaveText('My Profile')
})

test('a provider button sends one request at a time, and its errors are shown above it until the next attempt', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED|status of 429|status of 401 .*\/identity\/sign-in/)
  await visit(page, '/login?from=/blogs')
  let requests = 0
  await page.route('**/identity/sign-in/social', (route) => {
    requests += 1
    return route.fulfill({ json: { redirect: false } })
  })
  const google = page.getByRole('button', { name: 'Continue with Google' })
  const github = page.getByRole('button', { name: 'Continue with GitHub' })
  await google.dblclick()
  await github.click({ force: true })
  await expect(google).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => requests).toBe(1)
  await restoreFromCache(page)
  await expect(google).toHaveAttribute('aria-disabled', 'false')
  await github.click()
  await expect.poll(() => requests).toBe(2)
  await restoreFromCache(page)
  await page.unrouteAll()

  const tooMany = 'Too many attempts. Try again in 15 minutes.'
  for (const [handler, message] of [
    [(route: Route) => route.abort(), unreachable],
    [(route: Route) => route.fulfill({ status: 429, json: { message: tooMany } }), tooMany],
  ] as const) {
    await page.route('**/identity/sign-in/social', handler, { times: 1 })
    await google.click()
    await expectError(page, message)
  }
  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const message = await expectError(page, 'You cancelled the sign-in. Nothing was shared.')
  await fillLogin(page, { email: demoCustomer.email, password: 'not-the-password' })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible()
  await expect(message).toHaveCount(0)

  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(message).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
  await expect(message).toHaveCount(0)

  // A page restored from the bfcache redirects a user who signed in meanwhile.
  await registerByApi(await context.newPage(), 'Ida Renn')
  await restoreFromCache(page)
  await expect(title(page)).toHaveText('Recent Blogs')
})

test('a provider account with an email registered by password or an unverified email is rejected with a message', async ({
  page,
}) => {
  const account = newAccount('Ida Renn')
  await openSession(await originOf(page), 'sign-up', account)
  await page.goto('/login')
  for (const name of ['Google', 'GitHub'] as const) {
    await continueWith(page, name)
    await continueAs(page, account.email)
    await expectError(
      page,
      'This email address is registered with another sign-in method. Use that one instead.',
    )
    await expect(page).toHaveURL('/login')
    expect(await accessToken(page)).toBeNull()
  }

  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(title(page)).toHaveText('Register with Winged Wheels')
  await continueWith(page, 'GitHub')
  await page.getByRole('checkbox').uncheck()
  await continueAs(page, newAccount('Ida Renn').email)
  const message = page.getByText(
    'That account’s email address isn’t confirmed. Confirm it there, then try again.',
  )
  await expectRedAbove(message, page.getByRole('button', { name: 'Register' }))
  await expect(page).toHaveURL('/registration')
  expect(await accessToken(page)).toBeNull()

  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await signIn(page, account)
})

test('a provider callback that was used before or in another browser is rejected', async ({
  page,
  anotherBrowser,
}) => {
  const tooLate = 'This sign-in expired or started in another browser. Try again.'
  await visit(page, '/login')
  await continueWith(page, 'Google')
  const callback = page.waitForRequest('**/identity/callback/google?**')
  await continueAs(page, newAccount('Ida Renn').email)
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await logOut(page)

  const usedUrl = (await callback).url()
  await page.goto(usedUrl)
  await expectError(page, tooLate)
  for (const error of ['invalid_code', 'state_unheard_of']) {
    await navigate(page, '/blogs')
    await navigate(page, `/login?error=${error}`)
    await expectError(page, tooLate)
  }
  const another = await anotherBrowser()
  await another.goto(usedUrl)
  await expectError(another, tooLate)

  // An open sign-in is refused to a browser that has only its callback URL.
  await visit(page, '/login')
  await continueWith(page, 'Google')
  const form = { name: 'Ida Renn', email: newAccount('Ida Renn').email, confirmed: 'on', choice: 'continue' }
  const response = await page.request.post(page.url(), { form, maxRedirects: 0 })
  await another.goto(response.headers().location!)
  await expectError(another, tooLate)
  for (const tab of [page, another]) {
    const cookies = await tab.context().cookies()
    expect(cookies.filter(({ name }) => name.includes('session'))).toEqual([])
  }
})

test('a second click on Continue, or going back to the provider, keeps the first sign-in', async ({
  page,
}) => {
  const { email } = newAccount('Ida Renn')
  await visit(page, '/login')
  await continueWith(page, 'Google')
  // Sends what the first click of a double click sends; `click` below is the second one.
  const form = { name: 'Ida Renn', email, confirmed: 'on', choice: 'continue' }
  expect((await page.request.post(page.url(), { form })).ok()).toBe(true)
  const continueButton = page.getByRole('button', { name: 'Continue', exact: true })
  await continueButton.click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await signedInEmail(page)).toBe(email)

  await page.goBack()
  await page.getByLabel('Email').fill(newAccount('Somebody else').email)
  await continueButton.click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await signedInEmail(page)).toBe(email)
})

test('a forged return from a provider and an error description in the URL are not shown, and the pages say that the providers are simulated', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 401 .*\/identity\/token/)
  await page.goto('/login?via=google')
  await expectError(page, 'We couldn’t sign you in. Try again.')
  expect(await accessToken(page)).toBeNull()

  const error_description = 'Call 555-0100 to get back into your account'
  for (const error of ['server_error', 'constructor', '__proto__', '<b>x</b>']) {
    await navigate(page, '/blogs')
    await navigate(page, `/login?${new URLSearchParams({ error, error_description })}`)
    await expectError(page, 'We couldn’t sign you in. Try again.')
    await expect(page.getByText(error_description)).toHaveCount(0)
    await expect(page).toHaveURL('/login')
  }

  const hint = 'Test mode: signing in with Google or GitHub opens a test page.'
  for (const path of ['/login', '/registration']) {
    await navigate(page, path)
    await expect(page).toHaveURL(path)
    await expect(page.getByText(hint)).toBeVisible()
  }
  await navigate(page, '/privacy')
  await expect(page.getByText('a test page replaces Google and GitHub')).toBeVisible()
  await expect(page.getByText('can see that you use this shop')).toHaveCount(0)
})

const failures = {
  'a failed session request': (route: Route) => route.abort(),
  'a server error': (route: Route) => route.fulfill({ status: 500, json: { message: 'Down.' } }),
  'a stale session response': (route: Route) => route.fulfill({ json: null }),
}

test('a user stays signed in after a failed session check, and an ended session leads to the login page when the tab becomes visible', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED|status of 500|status of 401 .*\/api\/user\//)
  const session = page.waitForResponse('**/identity/get-session')
  await registerByForm(page, 'Ida Renn')
  await session
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(title(page)).toHaveText('My Orders')
  await page.clock.install()
  for (const [failure, handler] of Object.entries(failures)) {
    let requests = 0
    await page.route('**/identity/get-session', (route) => {
      requests += 1
      return requests === 1 ? handler(route) : route.fallback()
    })
    await dispatchVisibilityChange(page)
    // A missing session is checked a second time before the user is signed out.
    await expect.poll(() => requests, failure).toBe(failure === 'a stale session response' ? 2 : 1)
    await page.getByRole('link', { name: 'My Profile' }).click()
    await expect(title(page), failure).toHaveText('My Profile')
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'My Orders' }).click()
    await expect(page.getByText('No orders yet.'), failure).toBeVisible()
    await page.unrouteAll()
  }

  const found = page.waitForResponse('**/identity/get-session')
  await dispatchVisibilityChange(page)
  await (await found).finished()
  await endSession(page)
  await dispatchVisibilityChange(page)
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  expect(await accessToken(page)).toBeNull()

  // A token exchange that returns 401 is retried once.
  let exchanges = 0
  await page.route('**/api/user/*', (route) => {
    exchanges += 1
    return exchanges === 1
      ? route.fulfill({ status: 401, json: { message: 'Please sign in.' } })
      : route.fallback()
  })
  await signIn(page, demoCustomer)
  expect(exchanges).toBe(2)
})

test('public pages do not load the identity client, even for a signed-in user', async ({ page }) => {
  const loaded = new Set<string>()
  page.on('request', (request) => {
    if (/\/assets\/.*\.js$/.test(request.url())) loaded.add(request.url())
  })
  await registerByForm(page, 'Ida Renn')
  const identityFiles = await findIdentityFiles(page, loaded)
  expect(identityFiles.length).toBe(1)

  loaded.clear()
  await page.goto('/robots.txt')
  await visit(page, '/')
  for (const path of publicPages) await navigate(page, path)
  expect(loaded.size).toBeGreaterThan(publicPages.length)
  expect([...loaded].filter((file) => identityFiles.includes(file))).toEqual([])
})

async function findIdentityFiles(page: Page, files: Iterable<string>) {
  const found: string[] = []
  for (const file of files) {
    const code = await (await page.request.get(file)).text()
    if (code.includes('/get-session')) found.push(file)
  }
  return found
}

test('a failed sign-out is retried before the next sign-in', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/net::ERR_FAILED|status of 401/)
  await registerByApi(page, 'Ida Renn')
  await page.goto('/blogs')
  await page.route('**/identity/sign-out', (route) => route.abort())
  await logOut(page)
  await page.goto('/login?via=google')
  await expectError(page, unreachable)
  expect(await accessToken(page)).toBeNull()

  await page.unroute('**/identity/sign-out')
  const signedOut = page.waitForResponse('**/identity/sign-out')
  await signIn(page, demoCustomer)
  expect((await signedOut).ok()).toBe(true)
})

async function signedInEmail(page: Page) {
  return decodeJwt<Account>((await accessToken(page))!).email
}

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }),
  ).toBeVisible()
}

/** Opens the simulated page of a provider. */
async function continueWith(page: Page, name: 'Google' | 'GitHub') {
  await page.getByRole('button', { name: `Continue with ${name}` }).click()
  await expect(page.getByRole('heading', { name: `Continue with ${name}` })).toBeVisible()
  await expect(page.getByText('Test mode')).toBeVisible()
}

/** Continues on a provider page with this email. */
async function continueAs(page: Page, email: string) {
  await page.getByLabel('Name').fill('Ida Renn')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

async function expectError(page: Page, message: string) {
  const alert = page.getByRole('alert').filter({ hasText: message })
  await expectRedAbove(alert, page.getByRole('button', { name: 'Login' }))
  return alert
}

/** Simulates a restore from the bfcache. */
async function restoreFromCache(page: Page) {
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
}

/** Ends the session without notifying the page. */
async function endSession(page: Page) {
  const headers = { origin: await originOf(page), 'content-type': 'application/json' }
  const response = await page.request.post('/identity/sign-out', { headers, data: {} })
  expect(response.ok()).toBe(true)
}

/** The identity provider's client checks the session at most every five seconds. */
async function dispatchVisibilityChange(page: Page) {
  await page.clock.fastForward(10_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}
