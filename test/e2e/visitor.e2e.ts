import { demoCustomer, expect, signIn, test } from './shop.ts'

test('the menu shows Login to visitors and Dashboard to signed-in users', async ({ page }) => {
  await page.goto('/')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveCount(0)
  await menu.getByRole('link', { name: 'Login' }).click()
  await signIn(page, demoCustomer)
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Log Out' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Login' })).toHaveCount(0)
})

test('an unknown URL returns 404 with a picture and a link home', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('img', { name: /404/ })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
})

test('Purchase redirects to the login page and back to the part', async ({ page }) => {
  await page.goto('/parts?q=Plumb')
  await page.getByRole('link', { name: 'Purchase' }).click()
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL(/\/part\/[^/]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumb 27.2 mm Two-Bolt Seatpost')
})

test('the dashboard redirects to the login page and back', async ({ page }) => {
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
})

// app/auth/guards.test.ts covers more URLs.
for (const from of ['https://evil.example', '/\\evil.example']) {
  test(`a login with the return URL ${JSON.stringify(from)} leads home`, async ({ page }) => {
    await page.goto(`/login?${new URLSearchParams({ from })}`)
    await signIn(page, demoCustomer)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
  })
}

test('a login with an unencoded external return URL leads home', async ({ page }) => {
  await page.goto('/login?from=//evil.example')
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
})

test('input typed before hydration is kept, and the button is disabled until then', async ({ page }) => {
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
