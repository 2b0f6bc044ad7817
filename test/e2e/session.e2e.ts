import type { Page } from '@playwright/test'
import { holdCalls } from './orders.ts'
import {
  accessToken,
  demoCustomer,
  expect,
  fillRegistration,
  navigate,
  newAccount,
  openMyOrders,
  registerByApi,
  retryingClosed,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'

test('the menu works immediately after signing in, and Log Out leads home despite a slow identity provider, signs out a second tab, and Back shows no private page', async ({
  page,
  context,
}) => {
  await page.goto('/login')
  await signIn(page, demoCustomer)
  await menu(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(title(page)).toHaveText('My Orders')
  const second = await context.newPage()
  await openMyOrders(second)

  await sideMenu(page).getByRole('link', { name: 'My Profile' }).click()
  await expect(title(page)).toHaveText('My Profile')
  const seen = await recordHeadings(page)
  const held = await holdCalls(page, 'POST', '**/identity/sign-out')
  await menu(page).getByRole('button', { name: 'Log Out' }).click()
  await expect(title(page)).toHaveText('Winged Wheels Manufacturer')
  await expect(menu(page).getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect.poll(() => held.made).toBe(1)
  const response = page.waitForResponse('**/identity/sign-out')
  held.letGo()
  await response
  expect(await accessToken(page)).toBeNull()
  await expect.poll(() => seen).toContain('Winged Wheels Manufacturer')
  expect(seen, 'what was seen on the way').not.toContain('Login to Winged Wheels')
  await expect(title(second)).toHaveText('Login to Winged Wheels')
  await expect(second.getByRole('button', { name: 'Log Out' })).toHaveCount(0)

  seen.length = 0
  await page.goBack()
  await expect(page).toHaveURL(({ pathname }) => !pathname.startsWith('/dashboard'))
  await menu(page).getByRole('link', { name: 'Blogs' }).click()
  await expect(title(page)).toHaveText('Recent Blogs')
  await expect.poll(() => seen).toContain('Recent Blogs')
  for (const heading of ['My Profile', 'My Orders']) expect(seen).not.toContain(heading)
  await navigate(page, '/dashboard')
  await expect(title(page)).toHaveText('Login to Winged Wheels')
})

test('a message that a visitor was writing goes along when they sign in, leaves the page with their session, and comes back with it', async ({
  page,
  context,
}) => {
  await visit(page, '/')
  const message = page.getByLabel('Your Message')
  await message.fill('Do you ship to islands?')
  await navigate(page, '/registration')
  await fillRegistration(page, newAccount('Ida Renn'))
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  await expect(message).toHaveValue('Do you ship to islands?')
  const second = await context.newPage()
  await second.goto('/robots.txt')
  const token = await accessToken(second)
  await second.evaluate(() => localStorage.removeItem('accessToken'))
  await expect(message).toHaveValue('')
  await second.evaluate((token) => localStorage.setItem('accessToken', token!), token)
  await expect(message).toHaveValue('Do you ship to islands?')
  await expect(page.getByLabel('Your Name')).toHaveValue('Ida Renn')
})

const invalidTokens = [
  ['is not a JWT', 'broken'],
  ['has no claims', `${base64({ alg: 'none' })}.${base64({})}.`],
  ['is forged', `${base64({ alg: 'HS256' })}.${base64({ email: demoCustomer.email, name: 'Demo' })}.c2ln`],
] as const

test('an access token that is not a JWT, has no claims or is forged redirects to the login page, and Log Out during a token renewal keeps the user signed out', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 40[14]/)
  await page.goto('/robots.txt')
  for (const [problem, token] of invalidTokens) {
    await page.evaluate((token) => localStorage.setItem('accessToken', token), token)
    await page.goto('/dashboard')
    await expect(title(page), problem).toHaveText('Login to Winged Wheels')
    await expect(page.getByText('Loading'), problem).toHaveCount(0)
    expect(await accessToken(page), problem).toBeNull()
  }

  await registerByApi(page, 'Ida Renn')
  await page.evaluate(() => localStorage.setItem('accessToken', `${localStorage.getItem('accessToken')}x`))
  let [issued, delivered] = [0, 0]
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/user/*', async (route) => {
    const response = await route.fetch(retryingClosed)
    issued += 1
    await gate
    await route.fulfill({ response })
    delivered += 1
  })
  await page.goto('/dashboard')
  await expect.poll(() => issued).toBe(1)
  const signedOut = page.waitForResponse('**/identity/sign-out')
  await menu(page).getByRole('button', { name: 'Log Out' }).click()
  await signedOut
  await expect.poll(() => page.evaluate(() => localStorage.getItem('leaving'))).toBeNull()
  // The API would refuse the old token, but the menu must not show a session even briefly.
  const stored = await recordTokens(page)
  release()
  await expect.poll(() => delivered).toBe(1)
  await menu(page).getByRole('link', { name: 'Blogs' }).click()
  await expect(title(page)).toHaveText('Recent Blogs')
  expect(stored).toEqual([])
  expect(await accessToken(page)).toBeNull()
})

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })

/** Records every heading shown from now on, however briefly. */
async function recordHeadings(page: Page) {
  const seen: string[] = []
  await page.exposeFunction('recordHeading', (heading: string) => {
    if (seen.at(-1) !== heading) seen.push(heading)
  })
  const observe = () => {
    const { recordHeading } = window as unknown as { recordHeading: (heading: string) => void }
    const check = () => {
      const heading = document.querySelector('main h1')?.textContent
      if (heading) recordHeading(heading)
    }
    new MutationObserver(check).observe(document, { subtree: true, childList: true, characterData: true })
  }
  await page.addInitScript(observe)
  await page.evaluate(observe)
  return seen
}

/** Records every access token stored from now on, however briefly. */
async function recordTokens(page: Page) {
  const stored: string[] = []
  await page.exposeFunction('recordToken', (token: string) => stored.push(token))
  await page.evaluate(() => {
    const { recordToken } = window as unknown as { recordToken: (token: string) => void }
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (key === 'accessToken') recordToken(value)
      setItem.call(this, key, value)
    }
  })
  return stored
}

function base64(claims: object) {
  return Buffer.from(JSON.stringify(claims)).toString('base64url')
}
