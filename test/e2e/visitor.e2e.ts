import { demoCustomer, expect, navigate, signIn, test } from './shop.ts'

test('Login in the menu, Purchase and the dashboard lead to the login page and back, and the menu shows who is signed in', async ({
  page,
}) => {
  await page.goto('/')
  const menu = page.getByRole('navigation', { name: 'Main' })
  const login = page.getByRole('heading', { name: 'Login to Winged Wheels' })
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveCount(0)
  await menu.getByRole('link', { name: 'Login' }).click()
  await signIn(page, demoCustomer)
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Log Out' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Login' })).toHaveCount(0)
  const html = async () => (await page.request.get('/')).text()
  expect(await html(), 'the menu before any script runs').toContain('Log Out')

  await menu.getByRole('button', { name: 'Log Out' }).click()
  await expect(menu.getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await html()).not.toContain('Log Out')
  await navigate(page, '/parts?q=Plumb')
  await page.getByRole('link', { name: 'Purchase' }).click()
  await expect(login).toBeVisible()
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL(/\/part\/[^/]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumb 27.2 mm Two-Bolt Seatpost')

  await menu.getByRole('button', { name: 'Log Out' }).click()
  await expect(menu.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/dashboard/myOrders')
  await expect(login).toBeVisible()
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
})

test('an unknown URL returns 404 with a picture, an unknown part 404 with a message, both with a link home', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404/)
  for (const [path, content] of [
    ['/no/such/page', page.getByRole('img', { name: /404/ })],
    ['/parts/no-such-part', page.getByText(/may no longer sell it/)],
  ] as const) {
    const response = await page.goto(path)
    expect(response?.status(), path).toBe(404)
    await expect(content).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
  }
})

test('control characters in an address show the page, and HEAD is answered like GET', async ({ page }) => {
  for (const query of ['q=%00', 'q=a%00b%01%7F', 'brand=%00', 'sort=%00&page=%00'])
    for (const path of ['/parts', '/parts.data', '/reviews'])
      expect((await page.request.get(`${path}?${query}`)).status(), `${path}?${query}`).toBe(200)
  expect((await page.request.get('/parts/%00')).status()).toBe(404)
  expect((await page.request.get('/api/part?q=%00')).status()).toBe(400)
  const paths = ['/', '/parts', '/api/part', '/api/openapi.json', '/api/docs', '/healthz', '/robots.txt']
  for (const path of [...paths, '/identity/get-session'])
    expect((await page.request.head(path)).status(), path).toBe(200)
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
