import type { Page } from '@playwright/test'
import { brand } from '#app/brand.ts'
import { createSignedInClient, openSession } from '#test/process.ts'
import {
  type Account,
  accessToken,
  demoAdmin,
  demoCustomer,
  expect,
  navigate,
  newAccount,
  originOf,
  signIn,
  signInByApi,
  test,
  visit,
} from './shop.ts'

const partName = 'Trestle Platform Pedals, Pair'

interface Screen {
  path: string
  heading: string | RegExp
  texts: string[]
}

const contact = [brand.contact.address, brand.contact.phone, brand.contact.email]

const publicScreens: Screen[] = [
  {
    path: '/',
    heading: 'Winged Wheels Manufacturer',
    texts: ['Featured products', '5000+', 'What Our Beloved Client Says', ...contact],
  },
  {
    path: '/home',
    heading: 'Winged Wheels Manufacturer',
    texts: ['Featured products', '490k+', 'What Our Beloved Client Says', ...contact],
  },
  {
    path: '/parts',
    heading: 'Bicycle Parts',
    texts: ['Min. Quantity', 'Available Quantity', 'Price per unit', 'Purchase'],
  },
  { path: '/reviews', heading: 'Reviews', texts: ['Review:', 'Address:'] },
  { path: '/blogs', heading: 'Recent Blogs', texts: ['React', 'unit test'] },
  { path: '/portfolio', heading: brand.developer.name, texts: ['Projects', brand.developer.email] },
  { path: '/terms', heading: 'Terms of sale', texts: [] },
  { path: '/privacy', heading: 'Privacy', texts: [] },
  { path: '/returns', heading: 'Returns', texts: [] },
  { path: '/outbox', heading: 'Outbox', texts: ['This demo doesn’t send email.'] },
  { path: '/reset-password?token=x', heading: 'Set a new password', texts: ['This link has expired'] },
  { path: '/confirm-email?token=x', heading: 'Confirm your email address', texts: [] },
]

function customerScreens({ orderId, partId }: UnpaidOrder): Screen[] {
  const orders = ['Name', 'Product', 'Quantity', 'Price($)', 'Payment', 'Cancel Purchase', partName, 'Pay']
  return [
    { path: '/dashboard', heading: 'My Orders', texts: orders },
    { path: '/dashboard/myOrders', heading: 'My Orders', texts: orders },
    { path: '/dashboard/addReview', heading: 'Add A Review', texts: ['Address', 'Review', 'Ratings'] },
    {
      path: '/dashboard/myProfile',
      heading: 'My Profile',
      texts: ['Education', 'Address', 'PhoneNumber', 'LinkedIn', '@example.com'],
    },
    {
      path: `/dashboard/payment/${orderId}`,
      heading: 'Hello, Nele Vogt',
      texts: [partName, 'Quantity', 'Amount', '$'],
    },
    {
      path: `/dashboard/orders/${orderId}`,
      heading: /^Order #\d+$/,
      texts: [partName, 'Nele Vogt', 'Order total'],
    },
    {
      path: `/part/${partId}`,
      heading: partName,
      texts: ['Purchase Form', 'Min. Quantity', 'Available Quantity', 'Price per unit'],
    },
  ]
}

/** Admin-only screens; /dashboard is not among them, since its content depends on the role. */
function guardedScreens({ partId }: UnpaidOrder): Screen[] {
  return [
    {
      path: '/dashboard/addProduct',
      heading: 'Add a New Product',
      texts: ['Product Name', 'Short Description', 'Price (in $)'],
    },
    {
      path: '/dashboard/manageProducts',
      heading: 'Manages Products',
      texts: ['Name', 'Img', 'Minimum Quantity', 'Available Quantity', 'Price(PerUnit)', 'Delete'],
    },
    { path: `/dashboard/manageProducts/${partId}`, heading: /\w/, texts: ['Product Name', 'Save'] },
    {
      path: '/dashboard/manageAllOrders',
      heading: 'Manages All Orders',
      texts: ['Name', 'Product', 'Quantity', 'Price', 'Status', 'Action', 'Nele Vogt'],
    },
    { path: `/dashboard/manageProducts/${partId}/specifications`, heading: /^Specifications of /, texts: [] },
    { path: '/dashboard/attributes', heading: 'Attributes', texts: ['New attribute'] },
    {
      path: '/dashboard/attributes/new',
      heading: 'New attribute',
      texts: ['Kind of values', 'Add attribute'],
    },
    { path: '/dashboard/importPartData', heading: 'Part data', texts: ['Export CSV', 'Check file'] },
    { path: '/dashboard/messages', heading: 'Messages', texts: [] },
    { path: '/dashboard/reviews', heading: 'Reviews', texts: ['Customer', 'Rating', 'Hide'] },
    { path: '/dashboard/overview', heading: 'Overview', texts: ['sold out', 'As of'] },
    { path: '/dashboard/auditLog', heading: 'Audit log', texts: [] },
    { path: '/dashboard/synonyms', heading: 'Synonyms', texts: ['disc brake', 'We search for'] },
    {
      path: '/dashboard/searches',
      heading: 'Searches without results',
      texts: ['We don’t store who searched'],
    },
    { path: '/dashboard/replacements', heading: 'Replacements', texts: ['Part to replace'] },
    { path: '/dashboard/changePrices', heading: 'Change prices', texts: ['Category', 'Preview'] },
    { path: '/dashboard/packingSlips', heading: 'Packing slips', texts: ['View orders to ship'] },
  ]
}

function adminScreens(order: UnpaidOrder): Screen[] {
  return [
    { path: '/dashboard', heading: 'Make Admin', texts: ['No', 'User', 'Roll', 'Action'] },
    { path: '/dashboard?role=admin', heading: 'Make Admin', texts: [demoAdmin.email, 'Already Admin'] },
    ...guardedScreens(order),
    { path: '/dashboard/myOrders', heading: 'My Orders', texts: [] },
    { path: '/dashboard/myProfile', heading: 'My Profile', texts: [demoAdmin.name, demoAdmin.email] },
    { path: `/part/${order.partId}`, heading: partName, texts: ['Purchase Form'] },
    {
      path: `/dashboard/payment/${order.orderId}`,
      heading: /^Order #\d+ for Nele Vogt$/,
      texts: [partName, 'Only the customer who placed this order can pay for it.'],
    },
  ]
}

interface UnpaidOrder {
  customer: Account
  orderId: string
  partId: string
}

async function createUnpaidOrder(origin: string): Promise<UnpaidOrder> {
  const customer = newAccount('Nele Vogt')
  await openSession(origin, 'sign-up', customer)
  const client = await createSignedInClient(origin, customer)
  const { rows } = await client.listParts({ body: { q: partName } })
  const { _id: partId, minQuantity: quantity } = rows[0]!
  const delivery = { address: '4 Canal Street', phoneNumber: '5550100' }
  const { _id: orderId } = await client.placePurchase({ body: { ...delivery, partId, quantity } })
  return { customer, orderId, partId }
}

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const mainNav = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const dashboardNav = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })

async function expectScreen(page: Page, { path, heading, texts }: Screen) {
  await expect(title(page), path).toHaveText(heading)
  for (const text of texts) await expect(page.getByRole('main'), path).toContainText(text)
}

async function expectLogin(page: Page) {
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await expect(mainNav(page).getByRole('button', { name: 'Log Out' })).toHaveCount(0)
  expect(await accessToken(page)).toBeNull()
}

const roles = {
  'a visitor': {
    signInAs: async () => {},
    mainMenu: ['Home', 'Parts', 'Blogs', 'Portfolio'],
    hasLogin: true,
    dashboardMenu: [],
  },
  'a customer': {
    signInAs: (page: Page) => signInByApi(page, demoCustomer),
    mainMenu: ['Home', 'Parts', 'Dashboard', 'Blogs', 'Portfolio'],
    hasLogin: false,
    dashboardMenu: [
      ['My Orders', '/dashboard', 'My Orders'],
      ['Builds', '/dashboard/builds', 'Builds'],
      ['Add A Review', '/dashboard/addReview', 'Add A Review'],
      ['My Profile', '/dashboard/myProfile', 'My Profile'],
    ],
  },
  'an admin': {
    signInAs: (page: Page) => signInByApi(page, demoAdmin),
    mainMenu: ['Home', 'Parts', 'Dashboard', 'Blogs', 'Portfolio'],
    hasLogin: false,
    dashboardMenu: [
      ['Overview', '/dashboard/overview', 'Overview'],
      ['Make Admin', '/dashboard', 'Make Admin'],
      ['Add A Product', '/dashboard/addProduct', 'Add a New Product'],
      ['Manages Products', '/dashboard/manageProducts', 'Manages Products'],
      ['Attributes', '/dashboard/attributes', 'Attributes'],
      ['Drawings', '/dashboard/drawings', 'Drawings'],
      ['Manages All Orders', '/dashboard/manageAllOrders', 'Manages All Orders'],
      ['Quotes', '/dashboard/quotes', 'Quotes'],
      ['Messages', '/dashboard/messages', 'Messages'],
      ['Reviews', '/dashboard/reviews', 'Reviews'],
      ['Searches', '/dashboard/searches', 'Searches without results'],
      ['Exports', '/dashboard/exports', 'Exports'],
      ['Audit log', '/dashboard/auditLog', 'Audit log'],
      ['Settings', '/dashboard/settings', 'Settings'],
      ['Delivery and tax', '/dashboard/deliveryAndTax', 'Delivery and tax'],
      ['My Orders', '/dashboard/myOrders', 'My Orders'],
      ['My Profile', '/dashboard/myProfile', 'My Profile'],
    ],
  },
} as const

for (const [who, { signInAs, mainMenu, hasLogin, dashboardMenu }] of Object.entries(roles)) {
  test(`${who} can open all public pages, sees the matching menu, and the 404 picture at an unknown URL`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/status of 404|status of 400 .*\/check-reset-link/)
    await signInAs(page)
    if (!hasLogin) await visit(page, '/blogs')
    // A visitor loads each page, a signed-in user follows links.
    const open = (path: string) => (hasLogin ? page.goto(path) : navigate(page, path))
    for (const screen of publicScreens) {
      await open(screen.path)
      await expect(page).toHaveURL(screen.path)
      await expectScreen(page, screen)
      await expect(mainNav(page).getByRole('listitem'), screen.path).toHaveText([...mainMenu])
      await expect(mainNav(page).getByRole('link', { name: 'Login' })).toHaveCount(hasLogin ? 1 : 0)
      await expect(mainNav(page).getByRole('button', { name: 'Log Out' })).toHaveCount(hasLogin ? 0 : 1)
    }
    for (const path of ['/nothing', '/home/nothing', '/dashboard/nothing', '/parts/nothing']) {
      expect((await page.request.get(path)).status(), path).toBe(404)
      await (path === '/nothing' ? open(path) : navigate(page, path))
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('img', { name: /404/ }), path).toBeVisible()
      await expect(mainNav(page).getByRole('listitem'), path).toHaveText([...mainMenu])
    }
  })

  if (dashboardMenu.length === 0) continue
  test(`${who} has a dashboard menu whose links open their screens, and is redirected home from login and registration`, async ({
    page,
  }) => {
    await signInAs(page)
    await page.goto('/dashboard')
    await expect(dashboardNav(page).getByRole('link')).toHaveText(dashboardMenu.map(([label]) => label))
    for (const [label, path, heading] of dashboardMenu) {
      const link = dashboardNav(page).getByRole('link', { name: label, exact: true })
      await link.click()
      await expect(title(page)).toHaveText(heading)
      await expect(page).toHaveURL(path)
      await expect(link).toHaveAttribute('aria-current', 'page')
    }

    for (const path of ['/login', '/registration']) {
      await page.goto(path)
      await expect(title(page), path).toHaveText('Winged Wheels Manufacturer')
      await expect(page).toHaveURL('/')
    }
  })
}

test('a visitor is redirected from private pages to the login page and back after signing in', async ({
  page,
}) => {
  const order = await createUnpaidOrder(await originOf(page))
  const screens = [...customerScreens(order), ...guardedScreens(order)]
  const [{ path: first }, ...others] = screens as [Screen, ...Screen[]]
  await page.goto(first)
  await expectLogin(page)
  expect(new URL(page.url()).searchParams.get('from'), 'what is remembered').toBe(first)
  for (const { path } of others) {
    await navigate(page, path)
    await expect(page, 'what is remembered').toHaveURL(`/login?${new URLSearchParams({ from: path })}`)
    await expectLogin(page)
  }
  for (const screen of screens.filter(({ path }) => path === first || path.includes('/payment/'))) {
    await page.goto(screen.path)
    await signIn(page, order.customer)
    await expect(page).toHaveURL(screen.path)
    await expectScreen(page, screen)
    await mainNav(page).getByRole('button', { name: 'Log Out' }).click()
    await expect(mainNav(page).getByRole('link', { name: 'Login' })).toBeVisible()
  }
})

test('signing in without a return URL leads home', async ({ page }) => {
  await page.goto('/registration')
  await expect(title(page)).toHaveText('Register with Winged Wheels')
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(title(page)).toHaveText('Register with Winged Wheels')
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
  await expect(title(page)).toHaveText('Winged Wheels Manufacturer')
})

test('a customer can open every customer screen, and opening an admin screen signs out and leads to the login page', async ({
  page,
}) => {
  const origin = await originOf(page)
  const order = await createUnpaidOrder(origin)
  await signInByApi(page, order.customer)
  await page.goto('/dashboard')
  for (const screen of customerScreens(order)) {
    await navigate(page, screen.path)
    await expect(page).toHaveURL(screen.path)
    await expectScreen(page, screen)
  }
  for (const [number, { path }] of guardedScreens(order).entries()) {
    const { cookies, token } = await openSession(origin, 'sign-in', order.customer)
    await page.context().addCookies(cookies)
    await page.evaluate((token) => localStorage.setItem('accessToken', token), token)
    await (number === 0 ? page.goto(path) : navigate(page, path))
    await expectLogin(page)
    expect(new URL(page.url()).pathname, path).toBe('/login')
    await expect(
      page.getByText(
        'We signed you out because only admins can open that page. To open it, sign in with an admin account.',
      ),
      path,
    ).toBeVisible()
  }
  // The identity provider's session has ended, too.
  await navigate(page, '/dashboard')
  await expect(page).toHaveURL('/login?from=%2Fdashboard')
  await expectLogin(page)
  await signIn(page, order.customer)
  await expect(title(page)).toHaveText('My Orders')
})

test('an admin can open every admin screen, and Add A Review leads to the dashboard', async ({ page }) => {
  const order = await createUnpaidOrder(await originOf(page))
  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard')
  for (const screen of adminScreens(order)) {
    await navigate(page, screen.path)
    await expect(page).toHaveURL(screen.path)
    await expectScreen(page, screen)
  }
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)

  await page.goto('/dashboard/addReview')
  await expect(title(page)).toHaveText('Make Admin')
  await expect(page).toHaveURL('/dashboard')
})

test('Back skips a URL that redirected', async ({ page }) => {
  await page.goto('/portfolio')
  await page.goto('/dashboard/myOrders')
  await expectLogin(page)
  await page.goBack()
  await expect(page).toHaveURL('/portfolio')
  await expect(title(page)).toHaveText(brand.developer.name)

  await signInByApi(page, demoAdmin)
  await page.goto('/blogs')
  await page.goto('/dashboard/manageProducts?page=99')
  await expect(title(page)).toHaveText('Manages Products')
  await expect(page).toHaveURL('/dashboard/manageProducts?page=2')
  await page.goBack()
  await expect(page).toHaveURL('/blogs')
  await expect(title(page)).toHaveText('Recent Blogs')
})

test('the brand is in the header and the footer, and the footer has links', async ({ page }) => {
  await page.goto('/login')
  for (const path of ['/login', '/blogs']) {
    await navigate(page, path)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Winged Wheels' })).toHaveAttribute(
      'href',
      '/',
    )
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByText('Winged Wheels', { exact: true })).toBeVisible()
    await expect(footer.getByText('Providing reliable tech since 1992', { exact: true })).toBeVisible()
    for (const column of ['Shop', 'Company', 'Help']) {
      const links = footer.getByRole('navigation', { name: column }).getByRole('link')
      expect(await links.count(), column).toBeGreaterThan(2)
    }
  }
})
