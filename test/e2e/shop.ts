import {
  type APIRequestContext,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
  type Route,
} from '@playwright/test'
import { type Account, type BrowserSession, demoFolder, openSession, runShop } from '#test/process.ts'
import { demoEnvOnPostgres } from './running.ts'
import { uniqueWord } from './words.ts'

export { expect } from '@playwright/test'
export { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
export type { Account } from '#test/process.ts'

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  asking: '4000 0025 0000 3155',
}

export const publicPages = [
  '/',
  '/parts',
  '/reviews',
  '/blogs',
  '/portfolio',
  '/terms',
  '/privacy',
  '/returns',
]

interface Fixtures {
  watch: { over(context: BrowserContext): Promise<void>; expecting(pattern: RegExp): void }
  /** Allows console errors that match; any other one fails the test. */
  allowConsoleErrors: (pattern: RegExp) => void
  /** Opens a page in its own browser context. */
  anotherBrowser: (options?: BrowserContextOptions) => Promise<Page>
}

interface WorkerFixtures {
  /** Environment variables of the worker's shop. */
  settings: Record<string, string>
  engine: 'postgres' | 'embedded'
  origin: string
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],
  engine: ['postgres', { option: true, scope: 'worker' }],
  origin: [
    async ({ settings, engine }, use) => {
      const demo = engine === 'postgres' ? await demoEnvOnPostgres() : { DATA_DIR: demoFolder() }
      const shop = await runShop({ ...demo, ...settings })
      await use(shop.origin)
      shop.child.kill('SIGKILL')
      await shop.exited
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ origin }, use) => use(origin),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  watch: async ({}, use) => {
    const errors: string[] = []
    // A token issued in the second of a sign-out is refused, and the page fetches another one.
    // A payment's webhook may pay its order before a page asks for the payment again.
    const expected = [
      /status of 401 .*\/api\/user\/[^/]+\/token/,
      /status of 409 .*\/api\/create-payment-intent/,
    ]
    await use({
      async over(context) {
        // Not reported in the console when the script catches the error.
        await context.addInitScript(() =>
          document.addEventListener('securitypolicyviolation', ({ blockedURI, sourceFile }) => {
            if (blockedURI === 'eval') console.error(`eval in ${sourceFile}`)
          }),
        )
        // Chromium also reports violations of the Content Security Policy here.
        context.on('console', (message) => {
          if (message.type() !== 'error') return
          errors.push(`${message.text()} (${message.location().url})`)
        })
        context.on('weberror', (webError) => errors.push(`Uncaught: ${webError.error().stack}`))
      },
      expecting: (pattern) => expected.push(pattern),
    })
    const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)))
    expect(unexpected, 'what the browser complained about').toEqual([])
  },
  context: async ({ context, watch }, use) => {
    await watch.over(context)
    retryClosed(context.request)
    await use(context)
    await stopRouting(context)
  },
  request: ({ request }, use) => use(retryClosed(request)),
  allowConsoleErrors: async ({ watch }, use) => use(watch.expecting),
  anotherBrowser: async ({ browser, watch }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      await watch.over(context)
      retryClosed(context.request)
      return context.newPage()
    })
    for (const context of contexts) {
      await stopRouting(context)
      await context.close()
    }
  },
})

/** The shop may close an idle connection in the moment in which a busy machine uses it again. */
export const retryingClosed = { maxRetries: 5 }

function retryClosed(request: APIRequestContext) {
  const fetch = request.fetch.bind(request)
  request.fetch = (url, options) => fetch(url, { ...retryingClosed, ...options })
  return request
}

/** A handler that is still waiting for a response when its page closes would fail the test. */
async function stopRouting(context: BrowserContext) {
  for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Handles every API call of the page's context; the returned function restores the API. */
export async function breakApi(page: Page, handler: (route: Route) => unknown) {
  const calls = /\/api\//
  await page.context().route(calls, handler)
  return () => page.context().unroute(calls, handler)
}

export function respondWith(status: number, message: string) {
  return (route: Route) => route.fulfill({ status, json: { message } })
}

export function newAccount(name: string): Account {
  return { name, email: `${uniqueWord()}@example.com`, password: 'wheels-1992' }
}

export async function fillRegistration(
  page: Page,
  { name, email, password }: Account,
  confirmPassword = password,
) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(confirmPassword)
}

/** Registers and signs in a customer without opening a page. */
export async function registerByApi(page: Page, name: string): Promise<Account> {
  const account = newAccount(name)
  const origin = await openBlank(page)
  await restoreSession(page, origin, await openSession(origin, 'sign-up', account))
  return account
}

/** Registers a customer on the registration page, which signs in and leads home. */
export async function registerByForm(page: Page, name: string): Promise<Account> {
  const account = newAccount(name)
  await page.goto('/registration')
  await fillRegistration(page, account)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  return account
}

const sessions = new Map<string, BrowserSession>()

/** Signs in without opening a page, and reuses a session of the account that is still open. */
export async function signInByApi(page: Page, account: Account) {
  const origin = await openBlank(page)
  const key = `${origin} ${account.email} ${account.password}`
  const stored = sessions.get(key)
  const session =
    stored && (await isSessionOpen(origin, account, stored))
      ? stored
      : await openSession(origin, 'sign-in', account)
  sessions.set(key, session)
  await restoreSession(page, origin, session)
}

async function isSessionOpen(origin: string, { email }: Account, { token, cookies }: BrowserSession) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const [adminResponse, session] = await Promise.all([
    fetch(`${origin}/api/admin/${email}`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${origin}/identity/get-session`, { headers: { cookie } }).then((response) => response.json()),
  ])
  return adminResponse.ok && session !== null
}

export async function originOf(page: Page) {
  return new URL((await page.request.head('/robots.txt')).url()).origin
}

/** Leaves an open page, or lets other tabs get the storage event, on a page without scripts. */
async function openBlank(page: Page) {
  const isAlone = page.url() === 'about:blank' && page.context().pages().length === 1
  if (!isAlone) await page.goto('/robots.txt')
  return originOf(page)
}

/** Access tokens of contexts that have not opened a page yet. */
const pendingTokens = new WeakMap<BrowserContext, string>()

async function restoreSession(page: Page, origin: string, { cookies, token }: BrowserSession) {
  const context = page.context()
  await context.addCookies(cookies)
  if (page.url() !== 'about:blank') return page.evaluate(storeToken, token)
  pendingTokens.set(context, token)
  const isFirst = `location.origin === '${origin}' && !localStorage.kept`
  await context.addInitScript(`if (${isFirst}) (${storeToken})(${JSON.stringify(token)})`)
}

function storeToken(token: string) {
  Object.assign(localStorage, { accessToken: token, kept: 'yes' })
}

export async function fillLogin(page: Page, { email, password }: Pick<Account, 'email' | 'password'>) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

export async function signIn(page: Page, account: Account) {
  await fillLogin(page, account)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
}

export async function accessToken(page: Page) {
  if (page.url() === 'about:blank') return pendingTokens.get(page.context())!
  return page.evaluate(() => localStorage.getItem('accessToken'))
}

/** Opens a page and waits until it is hydrated. */
export async function visit(page: Page, url: string) {
  await page.goto(url)
  await waitForHydration(page)
}

/** Opens a path within the open page, as a link does: nothing is loaded again. */
export async function navigate(page: Page, path: string) {
  await waitForHydration(page)
  await page.evaluate(async (path) => {
    // The shop does not take the focus from a field.
    ;(document.activeElement as HTMLElement | null)?.blur()
    await Reflect.get(window, '__reactRouterDataRouter').navigate(path)
    // React may still have to render the new page. Chromium may call nobody while it draws nothing.
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }))
  }, path)
}

export async function waitForHydration(page: Page) {
  // `waitForFunction` would send Playwright's script to the document once more.
  await expect(async () => {
    // React sets this key when it hydrates, and handles every event from then on.
    const keys = await page.evaluate(() => Object.keys(document.body))
    expect(keys.some((key) => key.startsWith('__reactProps'))).toBe(true)
  }).toPass({ intervals: [20, 50, 100], timeout: 120_000 })
}

/** A part's card or list row, or the article of its own page. */
export function partNamed(page: Page, name: string) {
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
}

export async function openPart(page: Page, name: string) {
  await page.goto(`/parts?${new URLSearchParams({ q: name })}`)
  await partNamed(page, name).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await waitForHydration(page)
}

export async function openPurchase(page: Page, name: string) {
  await page.goto(`/parts?${new URLSearchParams({ q: name })}`)
  await partNamed(page, name).getByRole('link', { name: 'Purchase' }).click()
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
}

export async function fillPurchase(page: Page, quantity: number) {
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await page.getByLabel('Quantity', { exact: true }).fill(String(quantity))
}

/** Places an order through the purchase form. */
export async function placePurchase(page: Page, part: string, quantity: number) {
  await openPurchase(page, part)
  await fillPurchase(page, quantity)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
}

export async function openMyOrders(page: Page) {
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
}

/** The body rows in which a cell, or a line of it, has exactly this text. */
export function rowsOf(page: Page, text: string) {
  return page.getByRole('row').filter({ has: page.getByRole('cell').getByText(text, { exact: true }) })
}

export async function fillCard(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
}

/** Fills and submits the card form without waiting for the result. */
export async function payWith(page: Page, cardNumber: string) {
  await fillCard(page, cardNumber)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

export function toast(page: Page, text: string) {
  return page.getByRole('alert').filter({ hasText: text })
}

/** So that a later toast is not confused with an earlier one of the same words. */
export async function closeToasts(page: Page) {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('.Toastify__close-button')) button.click()
  })
  await expect(page.locator('.Toastify__toast')).toHaveCount(0)
}

/** The definition of a term in a description list. */
export async function definitionOf(scope: Locator, term: string): Promise<Locator> {
  await expect(scope.getByRole('term').getByText(term, { exact: true })).toBeVisible()
  const terms = await scope.getByRole('term').allTextContents()
  return scope.getByRole('definition').nth(terms.indexOf(term))
}

export function stock(page: Page) {
  return definitionOf(page.getByRole('article'), 'Available Quantity')
}

/** Without thousands separators. */
export async function readCount(count: Locator) {
  return Number((await count.textContent())!.replaceAll(',', ''))
}

/** Expects a message below a field and in its accessible description. */
export async function expectMessage(page: Page, label: string, message: string) {
  const field = page.getByLabel(label, { exact: true })
  await expect(field).toHaveAccessibleDescription(message)
  await expectBelow(page.getByText(message, { exact: true }), field)
}

export async function expectRedAbove(message: Locator, button: Locator) {
  await expectRed(message)
  await expectBelow(button, message)
}

export async function expectRedBelow(message: Locator, button: Locator) {
  await expectRed(message)
  await expectBelow(message, button)
}

async function expectRed(message: Locator) {
  await expect(message).toBeVisible()
  const [red, green, blue] = await message.evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d')!
    canvas.fillStyle = getComputedStyle(element).color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data] as [number, number, number]
  })
  expect(red, 'how red the words are').toBeGreaterThan(2 * Math.max(green, blue))
}

async function expectBelow(lower: Locator, upper: Locator) {
  const [below, above] = await Promise.all([lower.first().boundingBox(), upper.boundingBox()])
  expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height)
}
