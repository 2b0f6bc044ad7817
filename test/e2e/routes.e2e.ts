import type { Page } from '@playwright/test'
import { brand } from '#app/brand.ts'
import { signedIn } from '#test/process.ts'
import {
  type Account,
  accessToken,
  demoAdmin,
  demoCustomer,
  expect,
  originOf,
  registerByApi,
  signIn,
  signInByApi,
  test,
} from './shop.ts'

const partName = 'Trestle Platform Pedals, Pair'

interface Screen {
  path: string
  heading: string | RegExp
  /** What else has to be read there. */
  words: string[]
}

/** How the shop can be reached. */
const contact = [brand.contact.address, brand.contact.phone, brand.contact.email]

const publicScreens: Screen[] = [
  {
    path: '/',
    heading: 'Winged Wheels Manufacturer',
    words: ['Featured products', '5000+', 'What Our Beloved Client Says', ...contact],
  },
  {
    path: '/home',
    heading: 'Winged Wheels Manufacturer',
    words: ['Featured products', '490k+', 'What Our Beloved Client Says', ...contact],
  },
  {
    path: '/parts',
    heading: 'Bicycle Parts',
    words: ['Min. Quantity', 'Available Quantity', 'Price per unit', 'Purchase'],
  },
  { path: '/blogs', heading: 'Recent Blogs', words: ['React', 'unit test'] },
  { path: '/portfolio', heading: brand.developer.name, words: ['Projects', brand.developer.email] },
  { path: '/terms', heading: 'Terms of sale', words: [] },
  { path: '/privacy', heading: 'Privacy', words: [] },
  { path: '/returns', heading: 'Returns', words: [] },
  { path: '/outbox', heading: 'Outbox', words: ['nothing is really sent'] },
  { path: '/reset-password?token=x', heading: 'New password', words: ['Set Password'] },
]

/** What a customer with an unpaid order sees, and where. */
function customerScreens({ orderId, partId }: Scene): Screen[] {
  const orders = ['Name', 'Product', 'Quantity', 'Price($)', 'Payment', 'Cancel Purchase', partName, 'Pay']
  return [
    { path: '/dashboard', heading: 'My Orders', words: orders },
    { path: '/dashboard/myOrders', heading: 'My Orders', words: orders },
    { path: '/dashboard/addReview', heading: 'Add A Review', words: ['Address', 'Review', 'Ratings'] },
    {
      path: '/dashboard/myProfile',
      heading: 'My Profile',
      words: ['Education', 'Address', 'PhoneNumber', 'LinkedIn', '@example.com'],
    },
    {
      path: `/dashboard/payment/${orderId}`,
      heading: 'Hello, Nele Vogt',
      words: [partName, 'Quantity', 'Amount', '$'],
    },
    { path: `/dashboard/orders/${orderId}`, heading: partName, words: ['Nele Vogt', 'Quantity', 'Amount'] },
    {
      path: `/part/${partId}`,
      heading: partName,
      words: ['Purchase Form', 'Min. Quantity', 'Available Quantity', 'Price per unit'],
    },
  ]
}

/** The screens behind the admins' guard. The dashboard's own address shows something else to everybody else. */
function guardedScreens({ partId }: Scene): Screen[] {
  return [
    {
      path: '/dashboard/addProduct',
      heading: 'Add a New Product',
      words: ['Product Name', 'Short Description', 'Price (in $)'],
    },
    {
      path: '/dashboard/manageProducts',
      heading: 'Manages Products',
      words: ['Name', 'Img', 'Minimum Quantity', 'Available Quantity', 'Price(PerUnit)', 'Delete'],
    },
    { path: `/dashboard/manageProducts/${partId}`, heading: /\w/, words: ['Product Name', 'Save'] },
    {
      path: '/dashboard/manageAllOrders',
      heading: 'Manages All Orders',
      words: ['Name', 'Product', 'Quantity', 'Price', 'Status', 'Action', 'Nele Vogt'],
    },
    { path: '/dashboard/messages', heading: 'Messages', words: [] },
  ]
}

function adminScreens(scene: Scene): Screen[] {
  return [
    { path: '/dashboard', heading: 'Make Admin', words: ['No', 'User', 'Roll', 'Action'] },
    { path: '/dashboard?role=admin', heading: 'Make Admin', words: [demoAdmin.email, 'Already Admin'] },
    ...guardedScreens(scene),
    { path: '/dashboard/myOrders', heading: 'My Orders', words: [] },
    { path: '/dashboard/myProfile', heading: 'My Profile', words: [demoAdmin.name, demoAdmin.email] },
    { path: `/part/${scene.partId}`, heading: partName, words: ['Purchase Form'] },
    // Whoever runs the shop may look at what is to be paid, and not pay it.
    {
      path: `/dashboard/payment/${scene.orderId}`,
      heading: 'Order of Nele Vogt',
      words: [partName, 'Only whoever placed this order can pay it.'],
    },
  ]
}

/** A customer who ordered something and has not paid it yet. */
interface Scene {
  customer: Account
  orderId: string
  partId: string
}

/** Registers the customer in this page, and places their order. */
async function setScene(page: Page): Promise<Scene> {
  const customer = await registerByApi(page, 'Nele Vogt')
  const client = await signedIn(await originOf(page), customer)
  const { rows } = await client.listParts({ body: { q: partName } })
  const { _id: partId, minQuantity: quantity } = rows[0]!
  const delivery = { address: '4 Canal Street', phoneNumber: '5550100' }
  const { _id: orderId } = await client.placeOrder({ body: { ...delivery, partId, quantity } })
  return { customer, orderId, partId }
}

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })

async function expectScreen(page: Page, { path, heading, words }: Screen) {
  await expect(title(page), path).toHaveText(heading)
  for (const word of words) await expect(page.getByRole('main'), path).toContainText(word)
}

async function expectLogin(page: Page) {
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await expect(menu(page).getByRole('button', { name: 'Log Out' })).toHaveCount(0)
  expect(await accessToken(page)).toBeNull()
}

/** Each role: how they arrive, and what their menus say. */
const roles = {
  'a visitor': {
    arrive: async () => {},
    main: ['Home', 'Parts', 'Blogs', 'Portfolio'],
    enters: true,
    side: [],
  },
  'a customer': {
    arrive: (page: Page) => signInByApi(page, demoCustomer),
    main: ['Home', 'Parts', 'Dashboard', 'Blogs', 'Portfolio'],
    enters: false,
    side: [
      ['My Orders', '/dashboard', 'My Orders'],
      ['Add A Review', '/dashboard/addReview', 'Add A Review'],
      ['My Profile', '/dashboard/myProfile', 'My Profile'],
    ],
  },
  'an admin': {
    arrive: (page: Page) => signInByApi(page, demoAdmin),
    main: ['Home', 'Parts', 'Dashboard', 'Blogs', 'Portfolio'],
    enters: false,
    side: [
      ['Make Admin', '/dashboard', 'Make Admin'],
      ['Add A Product', '/dashboard/addProduct', 'Add a New Product'],
      ['Manages Products', '/dashboard/manageProducts', 'Manages Products'],
      ['Manages All Orders', '/dashboard/manageAllOrders', 'Manages All Orders'],
      ['Messages', '/dashboard/messages', 'Messages'],
      ['My Orders', '/dashboard/myOrders', 'My Orders'],
      ['My Profile', '/dashboard/myProfile', 'My Profile'],
    ],
  },
} as const

for (const [who, { arrive, main, enters, side }] of Object.entries(roles)) {
  test(`the public pages are open to ${who}, under the menu that is theirs`, async ({ page }) => {
    await arrive(page)
    for (const screen of publicScreens) {
      await page.goto(screen.path)
      await expectScreen(page, screen)
      await expect(menu(page).getByRole('listitem'), screen.path).toHaveText([...main])
      await expect(menu(page).getByRole('link', { name: 'Login' })).toHaveCount(enters ? 1 : 0)
      await expect(menu(page).getByRole('button', { name: 'Log Out' })).toHaveCount(enters ? 0 : 1)
    }
  })

  test(`an unknown address shows ${who} the 404 picture`, async ({ page, expectTrouble }) => {
    expectTrouble(/status of 404/)
    await arrive(page)
    for (const path of ['/nothing', '/home/nothing', '/dashboard/nothing', '/parts/nothing']) {
      const response = await page.goto(path)
      expect(response?.status(), path).toBe(404)
      await expect(page.getByRole('img', { name: /404/ }), path).toBeVisible()
      await expect(menu(page).getByRole('listitem'), path).toHaveText([...main])
    }
  })

  if (side.length === 0) continue
  test(`the dashboard of ${who} has a menu, each link of which leads to its screen`, async ({ page }) => {
    await arrive(page)
    await page.goto('/dashboard')
    await expect(sideMenu(page).getByRole('link')).toHaveText(side.map(([label]) => label))
    for (const [label, path, heading] of side) {
      const link = sideMenu(page).getByRole('link', { name: label, exact: true })
      await link.click()
      await expect(title(page)).toHaveText(heading)
      await expect(page).toHaveURL(path)
      await expect(link).toHaveAttribute('aria-current', 'page')
    }
  })

  test(`${who} who opens the login page or registration is led home`, async ({ page }) => {
    await arrive(page)
    for (const path of ['/login', '/registration']) {
      await page.goto(path)
      await expect(title(page), path).toHaveText('Winged Wheels Manufacturer')
      await expect(page).toHaveURL('/')
    }
  })
}

test('a visitor is led to the login page from whatever is not public, and from there back', async ({
  page,
  anotherBrowser,
}) => {
  test.slow()
  const scene = await setScene(await anotherBrowser())
  const screens = [...customerScreens(scene), ...guardedScreens(scene)]
  for (const { path } of screens) {
    await page.goto(path)
    await expectLogin(page)
    expect(new URL(page.url()).searchParams.get('from'), 'what is remembered').toBe(path)
  }
  const [orders, ...others] = customerScreens(scene)
  const payment = others.find(({ path }) => path.includes('/payment/'))!
  for (const screen of [orders!, payment]) {
    await page.goto(screen.path)
    await signIn(page, scene.customer)
    await expect(page).toHaveURL(screen.path)
    await expectScreen(page, screen)
    await menu(page).getByRole('button', { name: 'Log Out' }).click()
    await expect(menu(page).getByRole('link', { name: 'Login' })).toBeVisible()
  }
})

test('a login without a page to lead back to leads home, from the login page and from registration', async ({
  page,
}) => {
  await page.goto('/registration')
  await expect(title(page)).toHaveText('Register at Winged Wheels')
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(title(page)).toHaveText('Register at Winged Wheels')
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await expect(title(page)).toHaveText('Login to Winged Wheels')
  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
  await expect(title(page)).toHaveText('Winged Wheels Manufacturer')
})

test('a customer sees what is theirs at each address behind the login', async ({ page }) => {
  test.slow()
  const scene = await setScene(page)
  for (const screen of customerScreens(scene)) {
    await page.goto(screen.path)
    await expectScreen(page, screen)
    await expect(page).toHaveURL(screen.path)
  }
})

test('a customer who opens a screen of the admins is signed out and led to the login page', async ({
  page,
}) => {
  test.slow()
  const scene = await setScene(page)
  for (const { path } of guardedScreens(scene)) {
    await page.goto(path)
    await expectLogin(page)
    expect(new URL(page.url()).pathname, path).toBe('/login')
    // Not only here: the identity provider has let them go, too.
    await page.goto('/dashboard')
    await expectLogin(page)
    await signIn(page, scene.customer)
    await expect(title(page)).toHaveText('My Orders')
  }
})

test('an admin sees what is theirs at each address behind the login', async ({ page, anotherBrowser }) => {
  test.slow()
  const scene = await setScene(await anotherBrowser())
  await signInByApi(page, demoAdmin)
  for (const screen of adminScreens(scene)) {
    await page.goto(screen.path)
    await expectScreen(page, screen)
    await expect(page).toHaveURL(screen.path)
  }
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)

  await page.goto('/dashboard/addReview')
  await expect(title(page)).toHaveText('Make Admin')
  await expect(page).toHaveURL('/dashboard')
})

test('the back button leads to the page before one that was opened and led elsewhere', async ({ page }) => {
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

test('the brand stands in the header, the login heading and the footer, which leads to pages of the shop', async ({
  page,
}) => {
  for (const path of ['/login', '/blogs']) {
    await page.goto(path)
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
