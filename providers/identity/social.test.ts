import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import type { SignInProvider } from '#shop/ports.ts'
import { accessTokenOf, ada, browserAt, callWith, resetCode, type TestBrowser } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'
import { testProvider } from './test-provider.ts'

const back = { callbackURL: '/login?via=google', errorCallbackURL: '/login?via=google&from=%2Fblogs' }

/** Asks to sign in at a provider, and answers the address of its page. */
async function leave(browser: TestBrowser, provider: SignInProvider = 'google') {
  const { url } = await (await browser.post('/sign-in/social', { provider, ...back })).json()
  return String(url)
}

const adaThere = { name: 'Ada There', email: ada.email, confirmed: 'on', choice: 'continue' }

/** Fills in the provider's page, and answers the address that it leads back to. */
async function consent(browser: TestBrowser, page: string, person: Record<string, string> = adaThere) {
  return (await browser.submit(page, person)).headers.get('location')!
}

/** Comes back from the provider, and answers where that leads. */
async function comeBack(browser: TestBrowser, address: string) {
  const response = await browser.send(address)
  expect(response.status).toBe(302)
  return response.headers.get('location')
}

async function signInAt(browser: TestBrowser, provider: SignInProvider, person?: Record<string, string>) {
  return comeBack(browser, await consent(browser, await leave(browser, provider), person))
}

async function isSignedIn(browser: TestBrowser) {
  return (await browser.get('/token')).ok
}

test('the shop’s settings say where people can sign in', async () => {
  const some = { clientId: 'id', clientSecret: 'secret' }
  const settings = async (options: Parameters<typeof testShop>[0]) =>
    (await testShop(options)).identity.settings
  const both = ['google', 'github']
  expect(await settings({})).toEqual({ kind: 'embedded', providers: both, testMode: both })
  expect(await settings({ testMode: false })).toEqual({ kind: 'embedded', providers: [], testMode: [] })
  expect(await settings({ testMode: false, github: some })).toMatchObject({
    providers: ['github'],
    testMode: [],
  })
  expect(await settings({ google: some })).toMatchObject({ providers: both, testMode: ['github'] })
  expect(await settings({ google: some, github: some })).toMatchObject({ providers: both, testMode: [] })
})

for (const provider of ['google', 'github'] as const) {
  test(`somebody signs in at ${provider}, first as new and then as the same`, async () => {
    const shop = await testShop()
    const browser = browserAt(shop)
    expect(await signInAt(browser, provider)).toBe('/login?via=google')
    const first = decodeJwt(await browser.idToken())
    expect(first).toMatchObject({ email: ada.email, name: 'Ada There' })
    expect(await callWith(shop, await accessTokenOf(shop, browser))).toBe(200)

    const again = browserAt(shop)
    await signInAt(again, provider, { ...adaThere, name: 'Another Name' })
    expect(decodeJwt(await again.idToken())).toMatchObject({ sub: first.sub, name: 'Ada There' })
  })
}

test('the consent page says what it is, suggests somebody and escapes what it is given', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const page = await browser.send(await leave(browser))
  const html = await page.text()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const words of ['Test mode', 'stands for Google', 'Gwen Google', 'gwen@example.com', '>Cancel<'])
    expect(html).toContain(words)
  expect(html).not.toMatch(/<style|<script/)
  expect(await (await browser.send(await leave(browser, 'github'))).text()).toContain('Gideon Hub')

  const evil = { ...adaThere, name: '"><script>alert(1)</script>', email: 'no address' }
  const refused = await browser.submit(await leave(browser), evil)
  expect(refused.status).toBe(400)
  const again = await refused.text()
  expect(again).toContain('Please provide a valid email')
  expect(again).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
})

test('the consent page leads nobody anywhere but back to the shop', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const page = await leave(browser)
  const wrong = {
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
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const address = new URL(page)
      if (value) address.searchParams.set(name, value)
      else address.searchParams.delete(name)
      for (const response of [
        await browser.send(address.href),
        await browser.submit(address.href, adaThere),
      ]) {
        expect(response.status, `${name}=${value}`).toBe(400)
        expect(await response.text()).toContain('Please start again')
      }
    }
  }
})

test('whoever cancels comes back and is not signed in', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const address = await consent(browser, await leave(browser), { ...adaThere, choice: 'cancel' })
  expect(await comeBack(browser, address)).toBe('/login?via=google&from=%2Fblogs&error=access_denied')
  expect(await isSignedIn(browser)).toBe(false)
})

test('a state that is missing, forged, used before or another browser’s is refused', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const address = await consent(browser, await leave(browser))
  const forged = new URL(address)
  forged.searchParams.set('state', 'x'.repeat(32))
  const missing = new URL(address)
  missing.searchParams.delete('state')

  const other = browserAt(shop)
  expect(await comeBack(other, address)).toContain('error=state_mismatch')
  expect(await comeBack(browser, forged.href)).toBe('/login?error=state_mismatch')
  expect(await comeBack(browser, missing.href)).toBe('/login?error=state_not_found')
  expect([await isSignedIn(other), await isSignedIn(browser)]).toEqual([false, false])

  const cookies = new Map(browser.cookies)
  expect(await comeBack(browser, address)).toBe('/login?via=google')
  const replay = browserAt(shop)
  for (const [name, value] of cookies) replay.cookies.set(name, value)
  expect(await comeBack(replay, address)).toBe('/login?error=state_mismatch')
  expect([await isSignedIn(browser), await isSignedIn(replay)]).toEqual([true, false])
})

test('a code is good once, and only for whoever asked for it', async () => {
  const shop = await testShop()
  const [attacker, victim] = [browserAt(shop), browserAt(shop)]
  const own = await consent(attacker, await leave(attacker))
  const injected = new URL(await consent(victim, await leave(victim)))
  injected.searchParams.set('code', new URL(own).searchParams.get('code')!)
  expect(await comeBack(victim, injected.href)).toContain('error=invalid_code')
  expect(await isSignedIn(victim)).toBe(false)

  // The attempt has used it up, for its owner too.
  expect(await comeBack(attacker, own)).toContain('error=invalid_code')
})

test('a code is good only in its minute and for the address that it was given to', async () => {
  const { db } = await testShop()
  const { config, fetch } = testProvider({ db, origin: 'http://shop.test', provider: 'google' })
  const codeVerifier = 'v'.repeat(43)
  const redirectURI = 'http://shop.test/identity/callback/google'
  const question = new URLSearchParams({
    response_type: 'code',
    client_id: 'test-mode',
    redirect_uri: redirectURI,
    state: 'x',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const bringBack = async (redirectURI: string, age = 0) => {
    const page = `${config.authorizationUrl}?${question}`
    const body = new URLSearchParams(adaThere)
    const response = await fetch(new Request(page, { method: 'POST', body }))
    const code = new URL(response.headers.get('location')!).searchParams.get('code')!
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + age })
    onTestFinished(() => void vi.useRealTimers())
    return config.getToken!({ code, codeVerifier, redirectURI })
  }
  expect(await bringBack(redirectURI, 59_000)).toMatchObject({ raw: { email: ada.email } })
  await expect(bringBack(redirectURI, 60_001)).rejects.toThrow('not good here')
  await expect(bringBack('http://localhost:3000/identity/callback/google')).rejects.toThrow('not good here')
})

test('a code of one provider is none of the other', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const address = await consent(browser, await leave(browser, 'github'))
  expect(await comeBack(browser, address.replace('/callback/github', '/callback/google'))).toContain(
    'error=invalid_code',
  )
})

test('a code is good for one minute', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const address = await consent(browser, await leave(browser))
  const { verification } = identityTables
  const rows = await shop.db.select().from(verification)
  const code = rows.find(({ identifier }) => identifier.startsWith('test-mode:'))!
  expect(code.expiresAt.getTime() - code.createdAt.getTime()).toBe(60_000)
  expect(JSON.stringify(rows)).not.toContain(new URL(address).searchParams.get('code'))
  await shop.db
    .update(verification)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(eq(verification.id, code.id))
  expect(await comeBack(browser, address)).toContain('error=invalid_code')
})

test('an address with a password is not taken over by a login elsewhere, and the other way round', async () => {
  const shop = await testShop()
  await browserAt(shop).register()
  const browser = browserAt(shop)
  expect(await signInAt(browser, 'google')).toBe('/login?via=google&from=%2Fblogs&error=account_not_linked')
  expect(await isSignedIn(browser)).toBe(false)

  const bob = { ...adaThere, email: 'bob@example.com' }
  await signInAt(browserAt(shop), 'google', bob)
  expect(await signInAt(browserAt(shop), 'github', bob)).toContain('error=account_not_linked')
  const taken = await browserAt(shop).post('/sign-up/email', { ...ada, email: 'BOB@example.com' })
  expect([taken.status, (await taken.json()).message]).toEqual([
    422,
    expect.stringContaining('already exists'),
  ])
})

test('an address that the provider has not confirmed is refused, and stays free for its owner', async () => {
  const shop = await testShop()
  const { confirmed: _, ...unconfirmed } = adaThere
  const browser = browserAt(shop)
  expect(await signInAt(browser, 'github', unconfirmed)).toContain('error=email_not_verified')
  expect(await isSignedIn(browser)).toBe(false)
  expect(await shop.db.$count(identityTables.user)).toBe(0)
  await browserAt(shop).register()
})

test('a name that the shop would not show keeps nobody out', async () => {
  const shop = await testShop()
  const names = { 'ada@example.com': '', 'bob@example.com': 'x'.repeat(81) }
  for (const [email, name] of Object.entries(names)) {
    const browser = browserAt(shop)
    await signInAt(browser, 'google', { ...adaThere, email, name })
    expect(decodeJwt(await browser.idToken())).toMatchObject({ name: email.split('@')[0] })
  }
})

/** What GitHub would answer, which cannot be asked here. */
function playGitHub(profile: object, emails: object[]) {
  const answers: Record<string, object> = {
    'https://github.com/login/oauth/access_token': { access_token: 'gho_x', token_type: 'bearer' },
    'https://api.github.com/user': profile,
    'https://api.github.com/user/emails': emails,
  }
  vi.stubGlobal('fetch', async (address: string | URL) => Response.json(answers[String(address)]))
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('GitHub itself says who somebody is, and whether their address is confirmed', async () => {
  const shop = await testShop({ github: { clientId: 'github-id', clientSecret: 'github-secret' } })
  const profile = { id: 7, login: 'ada', name: null, email: null, avatar_url: 'http://tracker.example/x.png' }
  const visit = async (verified: boolean) => {
    playGitHub(profile, [{ email: 'ada@example.com', primary: true, verified }])
    const browser = browserAt(shop)
    const state = new URL(await leave(browser, 'github')).searchParams.get('state')
    const leads = await comeBack(browser, `/identity/callback/github?code=x&state=${state}`)
    return { browser, leads }
  }
  expect((await visit(false)).leads).toContain('error=email_not_verified')
  const { browser, leads } = await visit(true)
  expect(leads).toBe('/login?via=google')
  expect(decodeJwt(await browser.idToken())).toMatchObject({ email: ada.email, name: 'ada', picture: null })
  expect(await shop.db.select().from(identityTables.account)).toMatchObject([{ accessToken: null }])
})

test('whoever came from elsewhere may choose a password, too', async () => {
  const shop = await testShop()
  await signInAt(browserAt(shop), 'google')
  const browser = browserAt(shop)
  expect((await browser.signIn('secret-2')).status).toBe(401)
  await browser.post('/request-password-reset', { email: ada.email })
  await browser.post('/reset-password', { token: await resetCode(shop), newPassword: 'secret-2' })
  expect((await browser.signIn('secret-2')).status).toBe(200)
  expect(await signInAt(browserAt(shop), 'google')).toBe('/login?via=google')
})

test('a login elsewhere leads back to a page of the shop only', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  const elsewhere = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
  ]
  for (const field of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
    for (const address of elsewhere) {
      const refused = await browser.post('/sign-in/social', { provider: 'google', ...back, [field]: address })
      expect(refused.status, `${field} ${address}`).toBe(403)
    }
  }
})

test('with credentials people are led to Google and GitHub themselves', async () => {
  const google = { clientId: 'google-id', clientSecret: 'google-secret' }
  const github = { clientId: 'github-id', clientSecret: 'github-secret' }
  const shop = await testShop({ google, github })
  const browser = browserAt(shop)
  const pages = {
    google: 'https://accounts.google.com/o/oauth2/v2/auth',
    github: 'https://github.com/login/oauth/authorize',
  }
  for (const provider of ['google', 'github'] as const) {
    const { origin, pathname, searchParams } = new URL(await leave(browser, provider))
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
  expect((await browser.post('/sign-in/social', { provider: 'google', idToken })).status).toBe(404)
})

test('without credentials there is no such login outside the demo', async () => {
  const shop = await testShop({ testMode: false })
  for (const provider of ['google', 'github', 'facebook']) {
    const refused = await browserAt(shop).post('/sign-in/social', { provider })
    expect(refused.status, provider).toBe(404)
    expect((await browserAt(shop).get(`/test-mode/${provider}`)).status).toBe(404)
  }
})
