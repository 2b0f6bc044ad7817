import type { Page, Route } from '@playwright/test'
import { decodeJwt } from 'jose'
import { holdCalls } from './orders.ts'
import {
  type Account,
  accessToken,
  demoCustomer,
  expect,
  expectRedAbove,
  fillLogin,
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

const foreignUrls = [
  '//evil.example',
  'https:evil.example',
  'https://evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
]

// app/auth/guards.test.ts covers more URLs.
for (const from of ['//evil.example', 'javascript:alert(1)']) {
  test(`a sign-in with the return URL ${JSON.stringify(from)} leads home`, async ({ page }) => {
    const query = new URLSearchParams({ from })
    await page.goto(`/login?${query}`)
    await signIn(page, demoCustomer)
    await expect(page).toHaveURL('/')
    await page.goto(`/login?${query}`)
    await expect(page).toHaveURL('/')

    await logOut(page)
    await visit(page, `/login?${query}`)
    await continueWith(page, 'Google')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await expect(toast(page, 'Login Successfully!')).toBeVisible()
    await expect(page).toHaveURL('/')
  })
}

test('a sign-in through a provider rejects callback URLs of other sites', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 403 .*\/identity\/sign-in\/social/)
  await page.goto('/login')
  for (const url of foreignUrls) {
    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const status = await page.evaluate(
        async (body) => {
          const headers = { 'content-type': 'application/json' }
          const init = { method: 'POST', headers, body: JSON.stringify(body) }
          return (await fetch('/identity/sign-in/social', init)).status
        },
        { provider: 'google', callbackURL: '/login', [name]: url },
      )
      expect(status, `${name} ${url}`).toBe(403)
    }
  }
})

test('a sign-in through a provider keeps the return URL, also after a refusal', async ({ page }) => {
  await page.goto('/dashboard/myProfile')
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await continueWith(page, 'GitHub')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectError(page, 'You were not signed in: nothing was shared.')
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2FmyProfile')
  expect(await accessToken(page)).toBeNull()

  await continueWith(page, 'GitHub')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(title(page)).toHaveText('My Profile')
})

test('a provider error is shown once and cleared by a reload or the next attempt', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 401 .*\/identity\/sign-in/)
  await visit(page, '/login')
  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const message = await expectError(page, 'You were not signed in: nothing was shared.')
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
})

test('a provider account with an email registered by password is rejected with a message', async ({
  page,
}) => {
  const account = await registerByForm(page, 'Ida Renn')
  await logOut(page)
  for (const name of ['Google', 'GitHub'] as const) {
    await visit(page, '/login')
    await continueWith(page, name)
    await continueAs(page, account.email)
    await expectError(page, 'This email already signs in another way. Please use that way.')
    await expect(page).toHaveURL('/login')
    expect(await accessToken(page)).toBeNull()
  }
  await signIn(page, account)
})

test('a provider account with an unverified email is rejected, also on the registration page', async ({
  page,
}) => {
  await visit(page, '/registration')
  await continueWith(page, 'GitHub')
  await page.getByRole('checkbox').uncheck()
  await continueAs(page, newAccount('Ida Renn').email)
  const message = page.getByText('Please confirm your email address there first, and then try again.')
  await expectRedAbove(message, page.getByRole('button', { name: 'Register' }))
  await expect(page).toHaveURL('/registration')
  expect(await accessToken(page)).toBeNull()
})

test('a used or foreign provider callback is rejected', async ({ page, anotherBrowser }) => {
  const tooLate = 'That took too long or began in another browser. Please try again.'
  await visit(page, '/login')
  await continueWith(page, 'Google')
  const callback = page.waitForRequest('**/identity/callback/google?**')
  await continueAs(page, newAccount('Ida Renn').email)
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await logOut(page)

  const usedUrl = (await callback).url()
  for (const url of [usedUrl, '/login?error=invalid_code', '/login?error=state_unheard_of']) {
    await page.goto(url)
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

test('an error description in the URL is never shown', async ({ page }) => {
  const error_description = 'Call 555-0100 to get back into your account'
  for (const error of ['server_error', 'constructor', '__proto__', '<b>x</b>']) {
    await page.goto(`/login?${new URLSearchParams({ error, error_description })}`)
    await expectError(page, 'Signing in there did not work. Please try again.')
    await expect(page.getByText(error_description)).toHaveCount(0)
    await expect(page).toHaveURL('/login')
  }
})

test('a forged return from a provider shows an error and signs nobody in', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 401 .*\/identity\/token/)
  await page.goto('/login?via=google')
  await expectError(page, 'Signing in there did not work. Please try again.')
  expect(await accessToken(page)).toBeNull()
})

test('the login, registration and privacy pages say that the providers are simulated', async ({ page }) => {
  const hint = 'Test mode: a page of this shop stands in for Google and GitHub, with test accounts.'
  for (const path of ['/login', '/registration']) {
    await page.goto(path)
    await expect(page.getByText(hint)).toBeVisible()
  }
  await page.goto('/privacy')
  await expect(page.getByText('a page of the shop stands in for Google and GitHub')).toBeVisible()
  await expect(page.getByText('they learn that you use this shop')).toHaveCount(0)
})

test('the login page hides its form on return from a provider until an error occurs', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  for (const path of ['/login', '/registration']) {
    const html = await (await page.request.get(`${path}?via=google`)).text()
    expect(html).toContain('Signing you in')
    expect(html).not.toContain('<form')
  }
  await visit(page, '/login')
  await continueWith(page, 'Google')
  const held = await holdCalls(page, 'GET', '**/identity/token')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect.poll(() => held.made).toBe(1)
  await expect(page.getByRole('status').filter({ hasText: 'Signing you in' })).toBeVisible()
  await expect(page.locator('form')).toHaveCount(0)
  await page.route('**/api/user/*', (route) => route.abort(), { times: 1 })
  held.letGo()
  await expectError(page, 'The shop cannot be reached. Please check your connection and try again.')

  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
})

test('a provider button sends one request at a time and works again after a bfcache restore', async ({
  page,
}) => {
  await visit(page, '/login')
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
})

test('a login page restored from the bfcache redirects a user who signed in meanwhile', async ({
  page,
  context,
}) => {
  await visit(page, '/login?from=/blogs')
  await registerByApi(await context.newPage(), 'Ida Renn')
  await restoreFromCache(page)
  await expect(title(page)).toHaveText('Recent Blogs')
})

test('a failed request to start a provider sign-in shows an error above the button', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED|status of 429/)
  await visit(page, '/login')
  await page.route('**/identity/sign-in/social', (route) => route.abort(), { times: 1 })
  const google = page.getByRole('button', { name: 'Continue with Google' })
  await google.click()
  await expectError(page, 'The shop cannot be reached. Please check your connection and try again.')
  const message = 'Too many attempts. Please try again in 15 minutes.'
  await page.route(
    '**/identity/sign-in/social',
    (route) => route.fulfill({ status: 429, json: { message } }),
    { times: 1 },
  )
  await google.click()
  await expectError(page, message)
  await google.click()
  await expect(page.getByRole('heading', { name: 'Continue with Google' })).toBeVisible()
})

test('a token exchange that returns 401 is retried once', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 401 .*\/api\/user\//)
  let exchanges = 0
  await page.route('**/api/user/*', (route) => {
    exchanges += 1
    return exchanges === 1
      ? route.fulfill({ status: 401, json: { message: 'Please sign in.' } })
      : route.fallback()
  })
  await page.goto('/login')
  await signIn(page, demoCustomer)
  expect(exchanges).toBe(2)
})

test('a session that ended elsewhere redirects to the login page when the tab becomes visible', async ({
  page,
}) => {
  const session = page.waitForResponse('**/identity/get-session')
  await registerByForm(page, 'Ida Renn')
  await session
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(title(page)).toHaveText('My Orders')
  await endSession(page)
  await dispatchVisibilityChange(page)
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  expect(await accessToken(page)).toBeNull()
})

const failures = {
  'a failed session request': (route: Route) => route.abort(),
  'a server error': (route: Route) => route.fulfill({ status: 500, json: { message: 'Down.' } }),
  'a stale session response': (route: Route) => route.fulfill({ json: null }),
}

for (const [failure, handler] of Object.entries(failures)) {
  test(`a user stays signed in after ${failure}`, async ({ page, allowConsoleErrors }) => {
    allowConsoleErrors(/net::ERR_FAILED|status of 500/)
    const session = page.waitForResponse('**/identity/get-session')
    await registerByForm(page, 'Ida Renn')
    await session
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(title(page)).toHaveText('My Orders')
    let requests = 0
    await page.route('**/identity/get-session', (route) => {
      requests += 1
      return requests === 1 ? handler(route) : route.fallback()
    })
    await dispatchVisibilityChange(page)
    // A missing session is checked a second time before the user is signed out.
    await expect.poll(() => requests).toBe(failure === 'a stale session response' ? 2 : 1)
    await page.reload()
    await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()
  })
}

test('public pages do not load the identity client, even for a signed-in user', async ({ page }) => {
  const loaded = new Set<string>()
  page.on('request', (request) => {
    if (/\/assets\/.*\.js$/.test(request.url())) loaded.add(request.url())
  })
  await visit(page, '/')
  await registerByForm(page, 'Ida Renn')
  const identityFiles = await findIdentityFiles(page, loaded)
  expect(identityFiles.length).toBe(1)

  loaded.clear()
  for (const path of publicPages) await visit(page, path)
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
  await registerByForm(page, 'Ida Renn')
  await page.route('**/identity/sign-out', (route) => route.abort())
  await logOut(page)
  await page.goto('/login?via=google')
  await expectError(page, 'The shop cannot be reached. Please check your connection and try again.')
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
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
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

async function dispatchVisibilityChange(page: Page) {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}
