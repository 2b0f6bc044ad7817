import { demoCustomer, expect, signIn, test } from './shop.ts'

test('the menu offers Login, and the Dashboard only to somebody who is signed in', async ({ page }) => {
  await page.goto('/')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveCount(0)
  await menu.getByRole('link', { name: 'Login' }).click()
  await signIn(page, demoCustomer)
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Log Out' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Login' })).toHaveCount(0)
})

test('an unknown address answers 404 with a picture and the way home', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('img', { name: /404/ })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
})

test('purchasing leads to the login page and from there back to the part', async ({ page }) => {
  await page.goto('/parts?q=Plumb')
  await page.getByRole('link', { name: 'Purchase' }).click()
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL(/\/part\/[^/]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumb 27.2 mm Two-Bolt Seatpost')
})

test('the dashboard leads to the login page and from there back', async ({ page }) => {
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
})

// app/auth/guards.test.ts has the others.
for (const from of ['https://evil.example', '/\\evil.example']) {
  test(`a login that should lead to ${JSON.stringify(from)} stays at home`, async ({ page }) => {
    await page.goto(`/login?${new URLSearchParams({ from })}`)
    await signIn(page, demoCustomer)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
  })
}

test('a login whose way back stands in the address as it is stays at home, too', async ({ page }) => {
  await page.goto('/login?from=//evil.example')
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
})

test('what is typed before the page has woken up is kept, and its button waits', async ({ page }) => {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  const { email, password } = demoCustomer
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled()

  scripts.resolve()
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Login Successfully!' })).toBeVisible()
})
