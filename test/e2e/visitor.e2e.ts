import { demoCustomer, expect, fact, signIn, test } from './shop.ts'

const soldOut = 'Causeway 440 Flared Drop Bar'

test('home shows the manufacturer and three featured parts', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
  await expect(page.getByRole('heading', { name: 'Featured products' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Purchase' })).toHaveCount(3)
  await expect(page.getByText('Providing reliable tech since 1992')).toBeVisible()
})

test('home shows the figures of the manufacturer', async ({ page }) => {
  await page.goto('/home')
  const main = page.getByRole('main')
  await expect(await fact(main, 'Customers')).toHaveText('5000+')
  await expect(await fact(main, 'Reviews')).toHaveText('490k+')
  await expect(await fact(main, 'Annual revenue')).toHaveText('100M+')
  await expect(await fact(main, 'Parts')).toHaveText('28')
})

test('home shows what customers say, with their stars and address', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'What Our Beloved Client Says' })).toBeVisible()
  const review = page.getByRole('article').filter({ hasText: 'Priya Chandrasena' })
  await expect(review.getByText(/^Review: Ordered 48 stems/)).toBeVisible()
  await expect(review.getByRole('img', { name: '4 of 5 stars' })).toBeVisible()
  await expect(review.getByText('Address: Leeward Riders Club, Wellington, New Zealand')).toBeVisible()
})

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

test('the catalogue shows each part with its quantities and price', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await expect(page.getByRole('heading', { name: 'Bicycle Parts' })).toBeVisible()
  const card = page.getByRole('article').filter({ hasText: 'Talon 42T Narrow-Wide Chainring' })
  await expect(card.getByText('Four-bolt single ring in 7075 alloy')).toBeVisible()
  await expect(await fact(card, 'Min. Quantity')).toHaveText('48')
  await expect(await fact(card, 'Available Quantity')).toHaveText(/^\d+$/)
  await expect(await fact(card, 'Price per unit')).toHaveText('$32')
  await expect(card.getByRole('link', { name: 'Purchase' })).toBeVisible()
})

test('a search leaves the parts of that name', async ({ page }) => {
  await page.goto('/parts')
  await page.getByRole('searchbox', { name: 'Search parts' }).fill('rotor')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/parts?q=rotor')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Cinder 180 mm Floating Rotor' })).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('rotor')
})

test('a search that finds nothing says so and leads back to all parts', async ({ page }) => {
  await page.goto('/parts')
  await page.getByRole('searchbox', { name: 'Search parts' }).fill('100% penny-farthing')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByText('Nothing is named like “100% penny-farthing”.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.getByRole('link', { name: 'See all parts' }).click()
  await expect(page).toHaveURL('/parts')
  await expect(page.getByRole('article')).toHaveCount(24)
})

test('the second page of the catalogue shows other parts and leads back', async ({ page }) => {
  await page.goto('/parts')
  const names = page.getByRole('heading', { level: 3 })
  await expect(names).toHaveCount(24)
  const first = await names.allTextContents()

  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  const second = await names.allTextContents()
  expect(second.length).toBeGreaterThan(0)
  expect(second.filter((name) => first.includes(name))).toEqual([])
  await expect(page.getByRole('link', { name: 'Next' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(names).toHaveText(first)
})

test('a part has a page of its own that leads to its purchase', async ({ page }) => {
  await page.goto('/parts')
  await page.getByRole('link', { name: 'Anvil Four-Piston Caliper' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anvil Four-Piston Caliper')
  await expect(page).toHaveTitle(/^Anvil Four-Piston Caliper/)
  const part = page.getByRole('article')
  await expect(part.getByRole('img', { name: 'Anvil Four-Piston Caliper' })).toBeVisible()
  await expect(await fact(part, 'Min. Quantity')).toHaveText('16')
  await expect(await fact(part, 'Price per unit')).toHaveText('$74')
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', /^\/part\//)
})

test('a sold-out part says so and cannot be purchased', async ({ page }) => {
  await page.goto(`/parts?${new URLSearchParams({ q: soldOut })}`)
  const part = page.getByRole('article')
  await expect(part.getByText('Sold out')).toBeVisible()
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveCount(0)

  await part.getByRole('link', { name: soldOut }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(soldOut)
  await expect(part.getByText('Sold out')).toBeVisible()
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveCount(0)
  await expect(part.getByRole('button', { name: 'Purchase' })).toBeDisabled()

  await page.goto(page.url().replace('/parts/', '/part/'))
  await signIn(page, demoCustomer)
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByText('Sold out')).toBeVisible()
  await expect(page.getByLabel('Quantity', { exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
})

test('an unknown address answers 404 with a picture and the way home', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('img', { name: /404/ })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
})

test('an unknown part says so', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 404/)
  const response = await page.goto('/parts/no-such-part')
  expect(response?.status()).toBe(404)
  await expect(page.getByText(/no such part|no longer sold/i)).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL('/')
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

for (const from of [
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
]) {
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

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false })

  test('home can be read', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
    await expect(page.getByRole('link', { name: 'Purchase' })).toHaveCount(3)
    await expect(page.getByText(/^Review: /).first()).toBeVisible()
  })

  test('the parts can be read, searched and leafed through', async ({ page }) => {
    await page.goto('/parts')
    await expect(page.getByRole('article')).toHaveCount(24)
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText('Page 2 of 2')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search parts' }).fill('saddle')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Heath Trail Saddle, 145 mm' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Heath Trail Saddle, 145 mm')
    await expect(await fact(page.getByRole('article'), 'Price per unit')).toHaveText('$35')
  })
})
