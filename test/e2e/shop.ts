import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
  type Route,
} from '@playwright/test'
import { type Account, type BrowserSession, openSession, runShop } from '#test/process.ts'
import { demoOnServer } from './running.ts'

export { expect } from '@playwright/test'
export { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
export type { Account } from '#test/process.ts'

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  asking: '4000 0025 0000 3155',
}

/** The pages that everybody may find, beside those of the parts. */
export const listedPages = ['/', '/parts', '/blogs', '/portfolio', '/terms', '/privacy', '/returns']

interface Fixtures {
  watch: { over(context: BrowserContext): void; expecting(trouble: RegExp): void }
  /** Lets pass what the test brings about on purpose; any other error in a browser's console fails the test. */
  expectTrouble: (trouble: RegExp) => void
  /** A page in a browser of its own, as somebody else has it. */
  anotherBrowser: (options?: BrowserContextOptions) => Promise<Page>
}

interface WorkerFixtures {
  /** Settings of the shop that the tests of a worker share. */
  settings: Record<string, string>
  origin: string
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],
  origin: [
    async ({ settings }, use) => {
      const shop = await runShop({ ...(await demoOnServer()), ...settings })
      await use(shop.origin)
      shop.child.kill('SIGKILL')
      await shop.ended
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ origin }, use) => use(origin),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  watch: async ({}, use) => {
    const troubles: string[] = []
    // Within the second of a sign-out an ID token is refused, and the page asks for the next one.
    const expected = [/status of 401 .*\/api\/user\/[^/]+\/token/]
    await use({
      over(context) {
        // Chromium reports what the Content Security Policy refuses in the console, too.
        context.on('console', (message) => {
          if (message.type() !== 'error') return
          troubles.push(`${message.text()} (${message.location().url})`)
        })
        context.on('weberror', (thrown) => troubles.push(`Uncaught: ${thrown.error().stack}`))
      },
      expecting: (trouble) => expected.push(trouble),
    })
    const unexpected = troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
    expect(unexpected, 'what the browser complained about').toEqual([])
  },
  context: async ({ context, watch }, use) => {
    watch.over(context)
    await use(context)
  },
  expectTrouble: async ({ watch }, use) => use(watch.expecting),
  anotherBrowser: async ({ browser, watch }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      watch.over(context)
      return context.newPage()
    })
    await Promise.all(contexts.map((context) => context.close()))
  },
})

/** The switch: from now on the API does this to every call of this browser, until it is mended. */
export async function breakApi(page: Page, answer: (route: Route) => unknown) {
  const calls = /\/api\//
  await page.context().route(calls, answer)
  return () => page.context().unroute(calls, answer)
}

/** Answers a call in the shop's stead. */
export function respondWith(status: number, message: string) {
  return (route: Route) => route.fulfill({ status, json: { message } })
}

/** An address that nobody has registered yet. */
export function newAccount(name: string): Account {
  return { name, email: `${crypto.randomUUID()}@example.com`, password: 'wheels-1992' }
}

export async function fillRegistration(page: Page, { name, email, password }: Account, confirmed = password) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(confirmed)
}

/** Makes a new customer and signs them in, without a page. */
export async function registerByApi(page: Page, name: string): Promise<Account> {
  const account = newAccount(name)
  const origin = await blank(page)
  await keepSession(page, origin, await openSession(origin, 'sign-up', account))
  return account
}

/** Registers a new customer on the registration page, who is signed in afterwards and sees the home page. */
export async function registerByForm(page: Page, name: string): Promise<Account> {
  const account = newAccount(name)
  await page.goto('/registration')
  await fillRegistration(page, account)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  return account
}

const sessions = new Map<string, BrowserSession>()

/** Signs in without a page. The demo's accounts stay signed in for the tests that follow, until a test signs them out. */
export async function signInByApi(page: Page, account: Account) {
  const origin = await blank(page)
  const key = `${origin} ${account.email} ${account.password}`
  const kept = sessions.get(key)
  const session =
    kept && (await isOpen(origin, account, kept)) ? kept : await openSession(origin, 'sign-in', account)
  sessions.set(key, session)
  await keepSession(page, origin, session)
}

async function isOpen(origin: string, { email }: Account, { token, cookies }: BrowserSession) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answers = await Promise.all([
    fetch(`${origin}/api/admin/${email}`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${origin}/identity/get-session`, { headers: { cookie } }).then((answer) => answer.json()),
  ])
  return answers[0].ok && answers[1] !== null
}

/** The shop's origin, whether or not a page of it is open. */
export async function originOf(page: Page) {
  return new URL((await page.request.head('/robots.txt')).url()).origin
}

/** Opens a page on which nothing runs, where there is a page to leave or another tab that has to hear of it. */
async function blank(page: Page) {
  const isAlone = page.url() === 'about:blank' && page.context().pages().length === 1
  if (!isAlone) await page.goto('/robots.txt')
  return originOf(page)
}

/** Those of contexts of which no page was opened yet: the first one finds them. */
const unopened = new WeakMap<BrowserContext, string>()

async function keepSession(page: Page, origin: string, { cookies, token }: BrowserSession) {
  const context = page.context()
  await context.addCookies(cookies)
  if (page.url() !== 'about:blank') return page.evaluate(keepToken, token)
  unopened.set(context, token)
  const isFirst = `location.origin === '${origin}' && !localStorage.kept`
  await context.addInitScript(`if (${isFirst}) (${keepToken})(${JSON.stringify(token)})`)
}

function keepToken(token: string) {
  Object.assign(localStorage, { accessToken: token, kept: 'yes' })
}

export async function fillLogin(page: Page, { email, password }: Pick<Account, 'email' | 'password'>) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** Signs in on the login page that is open, or to which the page is just being led. */
export async function signIn(page: Page, account: Account) {
  await fillLogin(page, account)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(toast(page, 'Login Successfully!')).toBeVisible()
}

export async function accessToken(page: Page) {
  if (page.url() === 'about:blank') return unopened.get(page.context())!
  return page.evaluate(() => localStorage.getItem('accessToken'))
}

/** Opens a page and waits until the browser has taken it over: before that it is as without JavaScript. */
export async function visit(page: Page, address: string) {
  await page.goto(address)
  await waitForHydration(page)
}

export async function waitForHydration(page: Page) {
  // What React has taken over carries its marks; from the first one on it answers every event.
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__reactProps')))
}

/** A part by its name: its card, its row in the list, or what its own page says about it. */
export function partNamed(page: Page, name: string) {
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })
}

/** Finds a part in the catalogue and opens its own page. */
export async function openPart(page: Page, name: string) {
  await page.goto(`/parts?${new URLSearchParams({ q: name })}`)
  await partNamed(page, name).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await waitForHydration(page)
}

/** Finds a part in the catalogue and opens its purchase page. */
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

/** Places an order, from the catalogue to the toast. */
export async function placeOrder(page: Page, part: string, quantity: number) {
  await openPurchase(page, part)
  await fillPurchase(page, quantity)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
}

export async function openMyOrders(page: Page) {
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
}

/** The rows of a table, without its head, that hold these words in one cell. */
export function rowsOf(page: Page, words: string) {
  return page.getByRole('row').filter({ has: page.getByRole('cell', { name: words, exact: true }) })
}

export async function fillCard(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
}

/** Fills the card form and sends it; what the bank says to it is left to the test. */
export async function payWith(page: Page, cardNumber: string) {
  await fillCard(page, cardNumber)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

export function toast(page: Page, words: string) {
  return page.getByRole('alert').filter({ hasText: words })
}

/** What a list of terms says about one of them. */
export async function fact(scope: Locator, term: string): Promise<Locator> {
  await expect(scope.getByRole('term').filter({ hasText: term })).toBeVisible()
  const terms = await scope.getByRole('term').allTextContents()
  return scope.getByRole('definition').nth(terms.indexOf(term))
}

/** The Available Quantity of the part on a purchase page. */
export function stock(page: Page) {
  return fact(page.getByRole('article'), 'Available Quantity')
}

/** A field's message: it stands under the field and is read out with it. */
export async function expectMessage(page: Page, label: string, message: string) {
  const field = page.getByLabel(label, { exact: true })
  await expect(field).toHaveAccessibleDescription(message)
  await expectBelow(page.getByText(message, { exact: true }), field)
}

/** Words in red that stand above a form's button. */
export async function expectRedAbove(words: Locator, button: Locator) {
  await expectRed(words)
  await expectBelow(button, words)
}

/** Words in red that stand under a form. */
export async function expectRedBelow(words: Locator, button: Locator) {
  await expectRed(words)
  await expectBelow(words, button)
}

async function expectRed(words: Locator) {
  await expect(words).toBeVisible()
  const [red, green, blue] = await words.evaluate((element) => {
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
