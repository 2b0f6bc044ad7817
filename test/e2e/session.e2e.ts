import type { Page } from '@playwright/test'
import { holdCalls } from './orders.ts'
import { accessToken, demoCustomer, expect, openMyOrders, registerByApi, signIn, test } from './shop.ts'

test('the menu can be used at once after signing in', async ({ page }) => {
  await page.goto('/login')
  await signIn(page, demoCustomer)
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
})

test('Log Out removes the access token, and a second tab notices', async ({ page, context }) => {
  await registerByApi(page, 'Ida Renn')
  const second = await context.newPage()
  await openMyOrders(second)

  await openMyOrders(page)
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await accessToken(page)).toBeNull()
  await expect(second.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await expect(second.getByRole('button', { name: 'Log Out' })).toHaveCount(0)

  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
})

test('Log Out leads home past the login page, however slow the identity provider is, and Back shows nothing', async ({
  page,
}) => {
  await page.goto('/login')
  await signIn(page, demoCustomer)
  await menu(page).getByRole('link', { name: 'Dashboard' }).click()
  await sideMenu(page).getByRole('link', { name: 'My Profile' }).click()
  await expect(title(page)).toHaveText('My Profile')
  const seen = await headings(page)
  const held = await holdCalls(page, 'POST', '**/identity/sign-out')
  await menu(page).getByRole('button', { name: 'Log Out' }).click()
  await expect(title(page)).toHaveText('Winged Wheels Manufacturer')
  await expect(menu(page).getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect.poll(() => held.made).toBe(1)
  const answered = page.waitForResponse('**/identity/sign-out')
  held.letGo()
  await answered
  expect(await accessToken(page)).toBeNull()
  await expect.poll(() => seen).toContain('Winged Wheels Manufacturer')
  expect(seen, 'what was seen on the way').not.toContain('Login to Winged Wheels')

  seen.length = 0
  await page.goBack()
  await expect(page).toHaveURL(({ pathname }) => !pathname.startsWith('/dashboard'))
  await menu(page).getByRole('link', { name: 'Blogs' }).click()
  await expect(title(page)).toHaveText('Recent Blogs')
  await expect.poll(() => seen).toContain('Recent Blogs')
  for (const heading of ['My Profile', 'My Orders']) expect(seen).not.toContain(heading)
})

const forged = [
  ['is no token at all', 'broken'],
  ['says nothing', `${base64({ alg: 'none' })}.${base64({})}.`],
  ['is forged', `${base64({ alg: 'HS256' })}.${base64({ email: demoCustomer.email, name: 'Demo' })}.c2ln`],
] as const

for (const [what, token] of forged) {
  test(`an access token that ${what} leads to the login page`, async ({ page, expectTrouble }) => {
    expectTrouble(/status of 40[14]/)
    await page.goto('/')
    await page.evaluate((token) => localStorage.setItem('accessToken', token), token)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    expect(await accessToken(page)).toBeNull()
  })
}

test('an access token that has run out is renewed without asking', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 401 .*\/api\//)
  await registerByApi(page, 'Ida Renn')
  await page.goto('/robots.txt')
  const good = await accessToken(page)
  await page.evaluate((token) => localStorage.setItem('accessToken', token), `${good!.slice(0, -8)}AAAAAAAA`)
  await openMyOrders(page)
  await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()
  await expect.poll(() => accessToken(page)).not.toContain('AAAAAAAA')
})

test('whoever logs out while their access token is being renewed stays out', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/api\//)
  await registerByApi(page, 'Ida Renn')
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.setItem('accessToken', `${localStorage.getItem('accessToken')}x`))
  let [given, taken] = [0, 0]
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/user/*', async (route) => {
    const response = await route.fetch()
    given += 1
    await gate
    await route.fulfill({ response })
    taken += 1
  })
  await page.goto('/dashboard')
  await expect.poll(() => given).toBe(1)
  const signedOut = page.waitForResponse('**/identity/sign-out')
  await menu(page).getByRole('button', { name: 'Log Out' }).click()
  await signedOut
  await expect.poll(() => page.evaluate(() => localStorage.getItem('leaving'))).toBeNull()
  // The shop would take no token from before, but not even for a moment should the menu say otherwise.
  const kept = await noteTokens(page)
  letGo()
  await expect.poll(() => taken).toBe(1)
  await menu(page).getByRole('link', { name: 'Blogs' }).click()
  await expect(title(page)).toHaveText('Recent Blogs')
  expect(kept).toEqual([])
  expect(await accessToken(page)).toBeNull()
})

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })

/** Notes which headings are shown from now on, however shortly. */
async function headings(page: Page) {
  const seen: string[] = []
  await page.exposeFunction('saw', (heading: string) => {
    if (seen.at(-1) !== heading) seen.push(heading)
  })
  const begin = () => {
    const { saw } = window as unknown as { saw: (heading: string) => void }
    const look = () => {
      const heading = document.querySelector('main h1')?.textContent
      if (heading) saw(heading)
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  }
  await page.addInitScript(begin)
  await page.evaluate(begin)
  return seen
}

/** Notes which access tokens are kept from now on, however shortly. */
async function noteTokens(page: Page) {
  const kept: string[] = []
  await page.exposeFunction('keep', (token: string) => kept.push(token))
  await page.evaluate(() => {
    const { keep } = window as unknown as { keep: (token: string) => void }
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (key === 'accessToken') keep(value)
      setItem.call(this, key, value)
    }
  })
  return kept
}

function base64(claims: object) {
  return Buffer.from(JSON.stringify(claims)).toString('base64url')
}
