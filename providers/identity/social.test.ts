import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt, UnsecuredJWT } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { users } from '#db/schema.ts'
import type { SignInProvider } from '#shop/ports.ts'
import {
  accessTokenOf,
  ada,
  browserAt,
  expectAnswer,
  resetCode,
  shopWithBrowser,
  statusWithToken,
  type TestBrowser,
} from '#test/identity.ts'
import { type TestShop, testShop } from '#test/shop.ts'
import { testProvider } from './test-provider.ts'

const callbackUrls = { callbackURL: '/login?via=google', errorCallbackURL: '/login?via=google&from=%2Fblogs' }

async function startSignIn(browser: TestBrowser, provider: SignInProvider = 'google') {
  const { url } = await (await browser.post('/sign-in/social', { provider, ...callbackUrls })).json()
  return String(url)
}

const providerAda = { name: 'Ada There', email: ada.email, confirmed: 'on', choice: 'continue' }

async function submitConsent(
  browser: TestBrowser,
  page: string,
  person: Record<string, string> = providerAda,
) {
  return (await browser.submit(page, person)).headers.get('location')!
}

async function followCallback(browser: TestBrowser, url: string) {
  const response = await browser.send(url)
  expect(response.status).toBe(302)
  return response.headers.get('location')
}

async function signInAt(browser: TestBrowser, provider: SignInProvider, person?: Record<string, string>) {
  return followCallback(browser, await submitConsent(browser, await startSignIn(browser, provider), person))
}

async function isSignedIn(browser: TestBrowser) {
  return (await browser.get('/token')).ok
}

test('settings list the available sign-in providers', async () => {
  const credentials = { clientId: 'id', clientSecret: 'secret' }
  const settings = async (options: Parameters<typeof testShop>[0]) =>
    (await testShop(options)).identity.settings
  const providers = ['google', 'github']
  expect(await settings({})).toEqual({ kind: 'embedded', providers, testMode: providers })
  expect(await settings({ testMode: false })).toEqual({ kind: 'embedded', providers: [], testMode: [] })
  const github = { testMode: false, github: credentials }
  expect(await settings(github)).toMatchObject({ providers: ['github'], testMode: [] })
  expect(await settings({ google: credentials })).toMatchObject({ providers, testMode: ['github'] })
  const both = { google: credentials, github: credentials }
  expect(await settings(both)).toMatchObject({ providers, testMode: [] })
})

for (const provider of ['google', 'github'] as const) {
  test(`signing in with ${provider} creates an account and later finds it again`, async () => {
    const shop = await testShop()
    const browser = browserAt(shop)
    expect(await signInAt(browser, provider)).toBe('/login?via=google')
    const first = decodeJwt(await browser.idToken())
    expect(first).toMatchObject({ email: ada.email, email_verified: true, name: 'Ada There' })
    expect(await statusWithToken(shop, await accessTokenOf(shop, browser))).toBe(200)

    const again = browserAt(shop)
    await signInAt(again, provider, { ...providerAda, name: 'Another Name' })
    expect(decodeJwt(await again.idToken())).toMatchObject({ sub: first.sub, name: 'Ada There' })
  })
}

test('the consent page shows test mode, suggests a person and escapes input', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const page = await browser.send(await startSignIn(browser))
  const html = await page.text()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const words of ['Test mode', 'replaces Google', 'Gwen Google', 'gwen@example.com', '>Cancel<'])
    expect(html).toContain(words)
  expect(html).not.toMatch(/<style|<script/)
  expect(await (await browser.send(await startSignIn(browser, 'github'))).text()).toContain('Gideon Hub')

  const evil = { ...providerAda, name: '"><script>alert(1)</script>', email: 'no address' }
  const refused = await browser.submit(await startSignIn(browser), evil)
  expect(refused.status).toBe(400)
  const again = await refused.text()
  expect(again).toContain('Please provide a valid email')
  expect(again).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
})

test('the consent page rejects an invalid authorization request', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const page = await startSignIn(browser)
  const invalid = {
    redirect_uri: [
      'https://evil.example',
      'http://shop.test/identity/callback/google/',
      'http://shop.test/identity/callback/github',
    ],
    client_id: ['another', ''],
    response_type: ['token', ''],
    state: [''],
    code_challenge: ['', 'short'],
    code_challenge_method: ['plain', ''],
  }
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const url = new URL(page)
      if (value) url.searchParams.set(name, value)
      else url.searchParams.delete(name)
      for (const response of [await browser.send(url.href), await browser.submit(url.href, providerAda)]) {
        expect(response.status, `${name}=${value}`).toBe(400)
        expect(await response.text()).toContain('Start again')
      }
    }
  }
})

test('cancelling consent redirects back without signing in', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const url = await submitConsent(browser, await startSignIn(browser), { ...providerAda, choice: 'cancel' })
  expect(await followCallback(browser, url)).toBe('/login?via=google&from=%2Fblogs&error=access_denied')
  expect(await isSignedIn(browser)).toBe(false)
})

test('a state that is missing, forged, reused or from another browser is rejected', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const url = await submitConsent(browser, await startSignIn(browser))
  const forged = url.replace(/state=[^&]+/, `state=${'x'.repeat(32)}`)
  const missing = url.replace(/&?state=[^&]+/, '')

  const other = browserAt(shop)
  expect(await followCallback(other, url)).toContain('error=state_mismatch')
  expect(await followCallback(browser, forged)).toBe('/login?error=state_mismatch')
  expect(await followCallback(browser, missing)).toBe('/login?error=state_not_found')
  expect([await isSignedIn(other), await isSignedIn(browser)]).toEqual([false, false])

  const replay = browserAt(shop, browser)
  expect(await followCallback(browser, url)).toBe('/login?via=google')
  expect(await followCallback(replay, url)).toBe('/login?error=state_mismatch')
  expect([await isSignedIn(browser), await isSignedIn(replay)]).toEqual([true, false])
})

test('an authorization code works once, and only in its own flow', async () => {
  const shop = await testShop()
  const [attacker, victim] = [browserAt(shop), browserAt(shop)]
  const own = await submitConsent(attacker, await startSignIn(attacker))
  const injected = new URL(await submitConsent(victim, await startSignIn(victim)))
  injected.searchParams.set('code', new URL(own).searchParams.get('code')!)
  expect(await followCallback(victim, injected.href)).toContain('error=invalid_code')
  expect(await isSignedIn(victim)).toBe(false)

  // The failed attempt consumed the code for its owner too.
  expect(await followCallback(attacker, own)).toContain('error=invalid_code')
})

test('an authorization code is bound to one minute and its redirect URI', async () => {
  const { db } = await testShop()
  const { config, fetch } = testProvider({ db, origin: 'http://shop.test', provider: 'google' })
  const codeVerifier = 'v'.repeat(43)
  const redirectURI = 'http://shop.test/identity/callback/google'
  const authorizationParams = new URLSearchParams({
    response_type: 'code',
    client_id: 'test-mode',
    redirect_uri: redirectURI,
    state: 'x',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const redeemCode = async (redirectURI: string, age = 0) => {
    // Time stands still, so that the code is as old as intended on a busy machine, too.
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    onTestFinished(() => void vi.useRealTimers())
    const page = `${config.authorizationUrl}?${authorizationParams}`
    const body = new URLSearchParams(providerAda)
    const response = await fetch(new Request(page, { method: 'POST', body }))
    const code = new URL(response.headers.get('location')!).searchParams.get('code')!
    vi.setSystemTime(now + age)
    return config.getToken!({ code, codeVerifier, redirectURI })
  }
  expect(await redeemCode(redirectURI, 59_000)).toMatchObject({ raw: { email: ada.email } })
  await expect(redeemCode(redirectURI, 60_001)).rejects.toThrow('invalid code')
  await expect(redeemCode('http://localhost:3000/identity/callback/google')).rejects.toThrow('invalid code')
})

test('an authorization code is rejected by the other provider', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const url = await submitConsent(browser, await startSignIn(browser, 'github'))
  expect(await followCallback(browser, url.replace('/callback/github', '/callback/google'))).toContain(
    'error=invalid_code',
  )
})

test('an authorization code is stored hashed and expires after one minute', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const url = await submitConsent(browser, await startSignIn(browser))
  const { verification } = identityTables
  const rows = await shop.db.select().from(verification)
  const code = rows.find(({ identifier }) => identifier.startsWith('test-mode:'))!
  expect(code.expiresAt.getTime() - code.createdAt.getTime()).toBe(60_000)
  expect(JSON.stringify(rows)).not.toContain(new URL(url).searchParams.get('code'))
  await shop.db
    .update(verification)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(eq(verification.id, code.id))
  expect(await followCallback(browser, url)).toContain('error=invalid_code')
})

test('an email registered with one sign-in method is rejected by the others', async () => {
  const { shop } = await shopWithBrowser()
  const browser = browserAt(shop)
  expect(await signInAt(browser, 'google')).toBe('/login?via=google&from=%2Fblogs&error=account_not_linked')
  expect(await isSignedIn(browser)).toBe(false)

  const bob = { ...providerAda, email: 'bob@example.com' }
  await signInAt(browserAt(shop), 'google', bob)
  expect(await signInAt(browserAt(shop), 'github', bob)).toContain('error=account_not_linked')
  for (const email of ['ADA@example.com', 'BOB@example.com']) {
    const duplicate = await browserAt(shop).post('/sign-up/email', { ...ada, email })
    await expectAnswer(duplicate, 422, expect.stringContaining('already exists'), email)
  }
})

test('an email that the provider has not verified is rejected and can still be registered', async () => {
  const shop = await testShop()
  const { confirmed: _, ...unconfirmed } = providerAda
  const browser = browserAt(shop)
  expect(await signInAt(browser, 'github', unconfirmed)).toContain('error=email_not_verified')
  expect(await isSignedIn(browser)).toBe(false)
  expect(await shop.db.$count(identityTables.user)).toBe(0)
  await browserAt(shop).register()
})

test('social sign-in replaces an invalid name with the email’s local part', async () => {
  const shop = await testShop()
  const names = { 'ada@example.com': '', 'bob@example.com': 'x'.repeat(81) }
  for (const [email, name] of Object.entries(names)) {
    const browser = browserAt(shop)
    await signInAt(browser, 'google', { ...providerAda, email, name })
    expect(decodeJwt(await browser.idToken())).toMatchObject({ name: email.split('@')[0] })
  }
})

/** What the provider’s answers, which the test stubs, lead to. */
async function signInThere(shop: TestShop, provider: SignInProvider) {
  const browser = browserAt(shop)
  const state = new URL(await startSignIn(browser, provider)).searchParams.get('state')
  const location = await followCallback(browser, `/identity/callback/${provider}?code=x&state=${state}`)
  return { browser, location }
}

function mockGitHub(profile: object, emails: object[]) {
  const answers: Record<string, object> = {
    'https://github.com/login/oauth/access_token': { access_token: 'gho_x', token_type: 'bearer' },
    'https://api.github.com/user': profile,
    'https://api.github.com/user/emails': emails,
  }
  vi.stubGlobal('fetch', async (url: string | URL) => Response.json(answers[String(url)]))
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('GitHub sign-in uses GitHub’s profile and requires a verified email', async () => {
  const shop = await testShop({ github: { clientId: 'github-id', clientSecret: 'github-secret' } })
  const profile = { id: 7, login: 'ada', name: null, email: null, avatar_url: 'http://tracker.example/x.png' }
  const signInWithGitHub = async (verified: boolean) => {
    mockGitHub(profile, [{ email: 'ada@example.com', primary: true, verified }])
    return signInThere(shop, 'github')
  }
  expect((await signInWithGitHub(false)).location).toContain('error=email_not_verified')
  const { browser, location } = await signInWithGitHub(true)
  expect(location).toBe('/login?via=google')
  expect(decodeJwt(await browser.idToken())).toMatchObject({ email: ada.email, name: 'ada', picture: null })
  expect(await shop.db.select().from(identityTables.account)).toMatchObject([{ accessToken: null }])
})

/** GitHub’s answers, or Google’s, for an address with that flag. */
function mockProvider(provider: SignInProvider, subject: number, flag: object) {
  if (provider === 'github') {
    const profile = { id: subject, login: 'eve', name: 'Eve', email: null, avatar_url: null }
    return mockGitHub(profile, [{ email: ada.email, primary: true, ...flag }])
  }
  const claims = { sub: String(subject), email: ada.email, name: 'Eve', aud: 'id', ...flag }
  const token = new UnsecuredJWT(claims).setIssuer('https://accounts.google.com').setExpirationTime('1h')
  const answer = { access_token: 'x', token_type: 'bearer', id_token: token.encode() }
  vi.stubGlobal('fetch', async () => Response.json(answer))
  onTestFinished(() => void vi.unstubAllGlobals())
}

for (const provider of ['google', 'github'] as const) {
  const flag = provider === 'google' ? 'email_verified' : 'verified'
  test(`an address that ${provider} has not verified never takes an account`, async () => {
    const credentials = { clientId: 'id', clientSecret: 'secret' }
    const shop = await testShop({ [provider]: credentials })
    const signInAs = async (subject: number, verified: object) => {
      mockProvider(provider, subject, verified)
      return signInThere(shop, provider)
    }
    const unverified = [{ [flag]: false }, { [flag]: 'false' }, { [flag]: 1 }, {}]
    const refuse = async (subject: number) => {
      for (const value of unverified) {
        for (const attempt of ['first', 'second']) {
          const { browser, location } = await signInAs(subject, value)
          expect(location, `${attempt} ${JSON.stringify(value)}`).toContain('error=')
          expect(await isSignedIn(browser)).toBe(false)
        }
      }
    }
    await refuse(7)
    expect(await shop.db.$count(identityTables.user)).toBe(0)

    // Not one that a password opens, and not one of the provider.
    const owner = await browserAt(shop).register()
    await accessTokenOf(shop, owner)
    await refuse(7)
    expect(decodeJwt(await owner.idToken())).toMatchObject({ email_verified: false, name: ada.name })
    expect((await shop.db.select().from(users))[0]).toMatchObject({ emailConfirmedAt: null })
    await shop.db.delete(identityTables.user)

    expect((await signInAs(7, { [flag]: true })).location).toBe(callbackUrls.callbackURL)
    await refuse(8)
    expect((await signInAs(8, { [flag]: true })).location).toContain('error=account_not_linked')
    // The account stays as it was, whatever the provider says of it later.
    const again = await signInAs(7, { [flag]: 'false' })
    expect(again.location).toBe(callbackUrls.callbackURL)
    expect(await shop.db.select().from(identityTables.user)).toMatchObject([{ emailVerified: true }])
    await shop.db.update(identityTables.user).set({ emailVerified: false })
    for (const value of [...unverified, { [flag]: true }]) await signInAs(7, value)
    expect(await shop.db.select().from(identityTables.user)).toMatchObject([{ emailVerified: false }])
  })
}

test('a social account can also set a password', async () => {
  const shop = await testShop()
  await signInAt(browserAt(shop), 'google')
  const browser = browserAt(shop)
  expect((await browser.signIn('secret-2')).status).toBe(401)
  await browser.post('/request-password-reset', { email: ada.email })
  await browser.post('/reset-password', { token: await resetCode(shop), newPassword: 'secret-2' })
  expect((await browser.signIn('secret-2')).status).toBe(200)
  expect(await signInAt(browserAt(shop), 'google')).toBe('/login?via=google')
})

test('social sign-in rejects a callback URL of another site', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const google = { provider: 'google', ...callbackUrls }
  // biome-ignore format: a table
  const externalUrls = [
    '//evil.example', 'https://evil.example', '/\\evil.example', '\\\\evil.example', 'javascript:alert(1)',
    '/..//evil.example/login', '/login/..//evil.example', '/%2e%2e//evil.example', '/login?x=1#//evil.example',
    '/outbox', { toString: 1 },
  ]
  for (const field of ['callbackURL', 'errorCallbackURL']) {
    for (const url of externalUrls) {
      const refused = await browser.post('/sign-in/social', { ...google, [field]: url })
      expect(refused.status, JSON.stringify({ [field]: url })).toBe(403)
    }
  }
  // What no page of the shop sends is left out.
  const more = { newUserCallbackURL: 'https://evil.example', requestSignUp: true, scopes: ['repo'] }
  const started = await browser.post('/sign-in/social', { ...google, ...more })
  const { url } = await started.json()
  expect(url).not.toContain('repo')
  const consented = await submitConsent(browser, url, { ...providerAda, email: 'new@example.com' })
  expect(await followCallback(browser, consented)).toBe(callbackUrls.callbackURL)
})

test('with credentials, social sign-in redirects to Google and GitHub', async () => {
  const google = { clientId: 'google-id', clientSecret: 'google-secret' }
  const github = { clientId: 'github-id', clientSecret: 'github-secret' }
  const shop = await testShop({ google, github })
  const browser = browserAt(shop)
  const pages = {
    google: 'https://accounts.google.com/o/oauth2/v2/auth',
    github: 'https://github.com/login/oauth/authorize',
  }
  for (const provider of ['google', 'github'] as const) {
    const { origin, pathname, searchParams } = new URL(await startSignIn(browser, provider))
    expect(origin + pathname).toBe(pages[provider])
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: `${provider}-id`,
      redirect_uri: `http://shop.test/identity/callback/${provider}`,
      response_type: 'code',
      state: expect.stringMatching(/^.{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(searchParams.toString()).not.toContain('secret')
    expect((await browser.get(`/test-mode/${provider}`)).status).toBe(404)
  }
  const idToken = { token: await (await browserAt(shop).register()).idToken() }
  const byToken = { provider: 'google', ...callbackUrls, idToken }
  const signInByToken = await browser.post('/sign-in/social', byToken)
  expect(new URL((await signInByToken.json()).url).origin).toBe('https://accounts.google.com')
  expect(browser.cookies.has('winged-wheels.session_token')).toBe(false)
})

test('without credentials and test mode, social sign-in returns 404', async () => {
  const shop = await testShop({ testMode: false })
  for (const provider of ['google', 'github', 'facebook']) {
    const refused = await browserAt(shop).post('/sign-in/social', { provider, ...callbackUrls })
    expect(refused.status, provider).toBe(404)
    expect((await browserAt(shop).get(`/test-mode/${provider}`)).status).toBe(404)
  }
})
