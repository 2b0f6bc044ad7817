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
  listedPages,
  newAccount,
  originOf,
  registerByApi,
  registerByForm,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'

// What only the embedded identity can show, since only its Google and GitHub are pages here.

const elsewhere = [
  '//evil.example',
  'https:evil.example',
  'https://evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
]

// app/auth/guards.test.ts has the others.
for (const from of ['//evil.example', 'javascript:alert(1)']) {
  test(`whoever signs in stays here, although ${JSON.stringify(from)} is remembered`, async ({ page }) => {
    const remembered = new URLSearchParams({ from })
    await page.goto(`/login?${remembered}`)
    await signIn(page, demoCustomer)
    await expect(page).toHaveURL('/')
    await page.goto(`/login?${remembered}`)
    await expect(page).toHaveURL('/')

    await logOut(page)
    await visit(page, `/login?${remembered}`)
    await continueWith(page, 'Google')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await expect(toast(page, 'Login Successfully!')).toBeVisible()
    await expect(page).toHaveURL('/')
  })
}

test('a provider is asked to lead back to this shop only', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 403 .*\/identity\/sign-in\/social/)
  await page.goto('/login')
  for (const address of elsewhere) {
    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const status = await page.evaluate(
        async (body) => {
          const headers = { 'content-type': 'application/json' }
          const init = { method: 'POST', headers, body: JSON.stringify(body) }
          return (await fetch('/identity/sign-in/social', init)).status
        },
        { provider: 'google', callbackURL: '/login', [name]: address },
      )
      expect(status, `${name} ${address}`).toBe(403)
    }
  }
})

test('the page to go back to is remembered on the way through a provider, also after a refusal', async ({
  page,
}) => {
  await page.goto('/dashboard/myProfile')
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await continueWith(page, 'GitHub')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectRefusal(page, 'You were not signed in: nothing was shared.')
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2FmyProfile')
  expect(await accessToken(page)).toBeNull()

  await continueWith(page, 'GitHub')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(title(page)).toHaveText('My Profile')
})

test('a refusal is said once: not after a reload, and not at the next attempt', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/identity\/sign-in/)
  await visit(page, '/login')
  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const words = await expectRefusal(page, 'You were not signed in: nothing was shared.')
  await fillLogin(page, { email: demoCustomer.email, password: 'not-the-password' })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible()
  await expect(words).toHaveCount(0)

  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(words).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
  await expect(words).toHaveCount(0)
})

test('an address that somebody has here already is refused, and says why', async ({ page }) => {
  const account = await registerByForm(page, 'Ida Renn')
  await logOut(page)
  for (const name of ['Google', 'GitHub'] as const) {
    await visit(page, '/login')
    await continueWith(page, name)
    await beThere(page, account.email)
    await expectRefusal(page, 'This email already signs in another way. Please use that way.')
    await expect(page).toHaveURL('/login')
    expect(await accessToken(page)).toBeNull()
  }
  await signIn(page, account)
})

test('an address that the provider has not confirmed is refused, also at the registration', async ({
  page,
}) => {
  await visit(page, '/registration')
  await continueWith(page, 'GitHub')
  await page.getByRole('checkbox').uncheck()
  await beThere(page, newAccount('Ida Renn').email)
  const words = page.getByText('Please confirm your email address there first, and then try again.')
  await expectRedAbove(words, page.getByRole('button', { name: 'Register' }))
  await expect(page).toHaveURL('/registration')
  expect(await accessToken(page)).toBeNull()
})

test('a way back that was gone already, or began elsewhere, is refused', async ({ page, anotherBrowser }) => {
  const tooLate = 'That took too long or began in another browser. Please try again.'
  await visit(page, '/login')
  await continueWith(page, 'Google')
  const wayBack = page.waitForRequest('**/identity/callback/google?**')
  await beThere(page, newAccount('Ida Renn').email)
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await logOut(page)

  const used = (await wayBack).url()
  for (const address of [used, '/login?error=invalid_code', '/login?error=state_unheard_of']) {
    await page.goto(address)
    await expectRefusal(page, tooLate)
  }
  const another = await anotherBrowser()
  await another.goto(used)
  await expectRefusal(another, tooLate)

  // Of a way that is still open, somebody has only what leads back.
  await visit(page, '/login')
  await continueWith(page, 'Google')
  const form = { name: 'Ida Renn', email: newAccount('Ida Renn').email, confirmed: 'on', choice: 'continue' }
  const answer = await page.request.post(page.url(), { form, maxRedirects: 0 })
  await another.goto(answer.headers().location!)
  await expectRefusal(another, tooLate)
  for (const browser of [page, another]) {
    const cookies = await browser.context().cookies()
    expect(cookies.filter(({ name }) => name.includes('session'))).toEqual([])
  }
})

test('a second click at a provider, or going back there, ends signed in as the first click did', async ({
  page,
}) => {
  const { email } = newAccount('Ida Renn')
  await visit(page, '/login')
  await continueWith(page, 'Google')
  // What the first click of two sends. Its answer lets the browser in, and the second click leads on.
  const form = { name: 'Ida Renn', email, confirmed: 'on', choice: 'continue' }
  expect((await page.request.post(page.url(), { form })).ok()).toBe(true)
  const goOn = page.getByRole('button', { name: 'Continue', exact: true })
  await goOn.click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await whoIs(page)).toBe(email)

  await page.goBack()
  await page.getByLabel('Email').fill(newAccount('Somebody else').email)
  await goOn.click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await whoIs(page)).toBe(email)
})

test('what a provider says in the address is never shown', async ({ page }) => {
  const error_description = 'Call 555-0100 to get back into your account'
  for (const error of ['server_error', 'constructor', '__proto__', '<b>x</b>']) {
    await page.goto(`/login?${new URLSearchParams({ error, error_description })}`)
    await expectRefusal(page, 'Signing in there did not work. Please try again.')
    await expect(page.getByText(error_description)).toHaveCount(0)
    await expect(page).toHaveURL('/login')
  }
})

test('whoever only says that they come from a provider is told so, and signed in as nobody', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/identity\/token/)
  await page.goto('/login?via=google')
  await expectRefusal(page, 'Signing in there did not work. Please try again.')
  expect(await accessToken(page)).toBeNull()
})

test('the pages that lead to a provider, and the one on privacy, say that a page of the shop stands in', async ({
  page,
}) => {
  const hint = 'Test mode: a page of this shop stands in for Google and GitHub, with test accounts.'
  for (const path of ['/login', '/registration']) {
    await page.goto(path)
    await expect(page.getByText(hint)).toBeVisible()
  }
  await page.goto('/privacy')
  await expect(page.getByText('a page of the shop stands in for Google and GitHub')).toBeVisible()
  await expect(page.getByText('they learn that you use this shop')).toHaveCount(0)
})

test('back from a provider, the form is not seen until something went wrong', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_FAILED/)
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
  await expectRefusal(page, 'The shop cannot be reached. Please check your connection and try again.')

  await continueWith(page, 'Google')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
})

test('a button to a provider works once at a time, and again on a page that comes back as it was', async ({
  page,
}) => {
  await visit(page, '/login')
  let begun = 0
  await page.route('**/identity/sign-in/social', (route) => {
    begun += 1
    // A provider that is asked, and does not come.
    return route.fulfill({ json: { redirect: false } })
  })
  const google = page.getByRole('button', { name: 'Continue with Google' })
  const github = page.getByRole('button', { name: 'Continue with GitHub' })
  await google.dblclick()
  await github.click({ force: true })
  await expect(google).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => begun).toBe(1)

  await comeBack(page)
  await expect(google).toHaveAttribute('aria-disabled', 'false')
  await github.click()
  await expect.poll(() => begun).toBe(2)
})

test('a login page that comes back as it was leads on whoever signed in meanwhile', async ({
  page,
  context,
}) => {
  await visit(page, '/login?from=/blogs')
  await registerByApi(await context.newPage(), 'Ida Renn')
  await comeBack(page)
  await expect(title(page)).toHaveText('Recent Blogs')
})

test('a provider that cannot be asked is said above the button', async ({ page, expectTrouble }) => {
  expectTrouble(/net::ERR_FAILED|status of 429/)
  await visit(page, '/login')
  await page.route('**/identity/sign-in/social', (route) => route.abort(), { times: 1 })
  const google = page.getByRole('button', { name: 'Continue with Google' })
  await google.click()
  await expectRefusal(page, 'The shop cannot be reached. Please check your connection and try again.')
  const wait = 'Too many attempts. Please try again in 15 minutes.'
  await page.route(
    '**/identity/sign-in/social',
    (route) => route.fulfill({ status: 429, json: { message: wait } }),
    { times: 1 },
  )
  await google.click()
  await expectRefusal(page, wait)
  await google.click()
  await expect(page.getByRole('heading', { name: 'Continue with Google' })).toBeVisible()
})

test('an identity that the shop does not take yet is shown to it once more', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/api\/user\//)
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

test('whose session ended elsewhere is led to the login page when they look again', async ({ page }) => {
  const known = page.waitForResponse('**/identity/get-session')
  await registerByForm(page, 'Ida Renn')
  await known
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(title(page)).toHaveText('My Orders')
  await endSession(page)
  await lookAgain(page)
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  expect(await accessToken(page)).toBeNull()
})

const noAnswers = {
  'a question that failed': (route: Route) => route.abort(),
  'a shop in trouble': (route: Route) => route.fulfill({ status: 500, json: { message: 'Down.' } }),
  'an answer that came late': (route: Route) => route.fulfill({ json: null }),
}

for (const [what, answer] of Object.entries(noAnswers)) {
  test(`nobody is put out by ${what}`, async ({ page, expectTrouble }) => {
    expectTrouble(/net::ERR_FAILED|status of 500/)
    const known = page.waitForResponse('**/identity/get-session')
    await registerByForm(page, 'Ida Renn')
    await known
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(title(page)).toHaveText('My Orders')
    let asked = 0
    await page.route('**/identity/get-session', (route) => {
      asked += 1
      return asked === 1 ? answer(route) : route.fallback()
    })
    await lookAgain(page)
    // Before anything is done because of a late answer, the shop is asked again.
    await expect.poll(() => asked).toBe(what === 'an answer that came late' ? 2 : 1)
    await page.reload()
    await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()
  })
}

test('what anybody may see loads nothing of the identity provider, also for whoever is signed in', async ({
  page,
}) => {
  const loaded = new Set<string>()
  page.on('request', (request) => {
    if (/\/assets\/.*\.js$/.test(request.url())) loaded.add(request.url())
  })
  await visit(page, '/')
  await registerByForm(page, 'Ida Renn')
  const signing = await filesThatSignIn(page, loaded)
  expect(signing.length).toBe(1)

  loaded.clear()
  for (const path of listedPages) await visit(page, path)
  expect(loaded.size).toBeGreaterThan(listedPages.length)
  expect([...loaded].filter((file) => signing.includes(file))).toEqual([])
})

async function filesThatSignIn(page: Page, files: Iterable<string>) {
  const found: string[] = []
  for (const file of files) {
    const code = await (await page.request.get(file)).text()
    if (code.includes('/get-session')) found.push(file)
  }
  return found
}

test('a sign-out of which the identity provider did not hear is made up for before anybody signs in', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_FAILED|status of 401/)
  await registerByForm(page, 'Ida Renn')
  await page.route('**/identity/sign-out', (route) => route.abort())
  await logOut(page)
  await page.goto('/login?via=google')
  await expectRefusal(page, 'The shop cannot be reached. Please check your connection and try again.')
  expect(await accessToken(page)).toBeNull()

  await page.unroute('**/identity/sign-out')
  const signedOut = page.waitForResponse('**/identity/sign-out')
  await signIn(page, demoCustomer)
  expect((await signedOut).ok()).toBe(true)
})

/** Whose the access token is. */
async function whoIs(page: Page) {
  return decodeJwt<Account>((await accessToken(page))!).email
}

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
}

/** Presses the button of a provider and waits for its page, which says that it is none of theirs. */
async function continueWith(page: Page, name: 'Google' | 'GitHub') {
  await page.getByRole('button', { name: `Continue with ${name}` }).click()
  await expect(page.getByRole('heading', { name: `Continue with ${name}` })).toBeVisible()
  await expect(page.getByText('Test mode')).toBeVisible()
}

/** Goes on from a provider's page as whoever has this address there. */
async function beThere(page: Page, email: string) {
  await page.getByLabel('Name').fill('Ida Renn')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

async function expectRefusal(page: Page, words: string) {
  const refusal = page.getByRole('alert').filter({ hasText: words })
  await expectRedAbove(refusal, page.getByRole('button', { name: 'Login' }))
  return refusal
}

/** What a browser tells a page that it has kept and shows again. */
async function comeBack(page: Page) {
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
}

/** Ends the session as another device would: this page hears nothing of it. */
async function endSession(page: Page) {
  const headers = { origin: await originOf(page), 'content-type': 'application/json' }
  const answer = await page.request.post('/identity/sign-out', { headers, data: {} })
  expect(answer.ok()).toBe(true)
}

/** What a browser tells a page that is looked at again. */
async function lookAgain(page: Page) {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}
