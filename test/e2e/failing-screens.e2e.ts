import type { Page, Route } from '@playwright/test'
import { signedIn } from '#test/process.ts'
import {
  type Account,
  accessToken,
  breakApi,
  demoAdmin,
  expect,
  originOf,
  registerByApi,
  respondWith,
  signIn,
  signInByApi,
  test,
} from './shop.ts'

const part = 'Trestle Platform Pedals, Pair'
const unreachable = 'The shop cannot be reached. Please check your connection and try again.'

/** What the API may do to every call, and what each screen then says. */
const troubles = [
  { answer: respondWith(500, 'Something went wrong.'), says: 'Something went wrong.' },
  { answer: respondWith(403, 'Only admins may do this.'), says: 'Only admins may do this.' },
  { answer: (route: Route) => route.abort('connectionrefused'), says: unreachable },
  {
    answer: (route: Route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' }),
    says: 'The shop has changed meanwhile. Please load this page again.',
  },
]

interface Screen {
  path: string
  /** The heading that shows that it has arrived. */
  heading: string | RegExp
}

/** Somebody who is signed in, with an unpaid order, and the screens that are theirs. */
async function customer(page: Page): Promise<{ account: Account; screens: Screen[] }> {
  const account = await registerByApi(page, 'Nele Vogt')
  const client = await signedIn(await originOf(page), account)
  const { rows } = await client.listParts({ body: { q: part } })
  const [{ _id: partId, name, minQuantity: quantity }] = rows as [(typeof rows)[0]]
  const delivery = { address: '4 Canal Street', phoneNumber: '5550100' }
  const { _id: id } = await client.placeOrder({ body: { ...delivery, partId, quantity } })
  return {
    account,
    screens: [
      { path: '/dashboard', heading: 'My Orders' },
      { path: '/dashboard/myOrders', heading: 'My Orders' },
      { path: `/dashboard/orders/${id}`, heading: name },
      { path: `/dashboard/payment/${id}`, heading: 'Hello, Nele Vogt' },
      { path: '/dashboard/addReview', heading: /Add A Review/ },
      { path: '/dashboard/myProfile', heading: 'My Profile' },
      { path: `/part/${partId}`, heading: name },
    ],
  }
}

async function admin(page: Page): Promise<{ account: Account; screens: Screen[] }> {
  await signInByApi(page, demoAdmin)
  const client = await signedIn(await originOf(page), demoAdmin)
  const { rows } = await client.listParts({ body: { q: part } })
  return {
    account: demoAdmin,
    screens: [
      { path: '/dashboard', heading: 'Make Admin' },
      { path: '/dashboard/addProduct', heading: 'Add a New Product' },
      { path: '/dashboard/manageProducts', heading: 'Manages Products' },
      { path: `/dashboard/manageProducts/${rows[0]!._id}`, heading: part },
      { path: '/dashboard/manageAllOrders', heading: 'Manages All Orders' },
      { path: '/dashboard/messages', heading: 'Messages' },
      { path: '/dashboard/myOrders', heading: 'My Orders' },
      { path: '/dashboard/myProfile', heading: 'My Profile' },
    ],
  }
}

const roles = { 'a customer': customer, 'an admin': admin }
const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const failure = (page: Page) => page.getByRole('main').getByRole('alert')

for (const [role, arrive] of Object.entries(roles)) {
  test(`while the API has not answered, each screen of ${role} waits; when it fails in whatever way, it says so and recovers`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/\/api\//)
    const { screens } = await arrive(page)
    for (const { path, heading } of screens) {
      // Whoever is refused their own orders is signed out: the next test but one.
      const ways = troubles.filter(({ says }) => !(path.endsWith('/myOrders') && says.startsWith('Only')))
      for (const [i, { answer, says }] of ways.entries()) {
        const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
        const mend = await breakApi(page, async (route) => {
          await gate
          await answer(route)
        })
        await (i === 0 ? page.goto(path) : page.getByRole('button', { name: 'Try again' }).click())
        if (i === 0) await expect(page.getByText('Loading'), path).toBeVisible()
        letGo()
        await expect(failure(page), path).toContainText(says)
        await expect(page.getByText('Loading'), path).toHaveCount(0)
        await mend()
      }
      expect(await accessToken(page), path).not.toBeNull()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(title(page), path).toHaveText(heading)
    }
  })

  test(`when the API refuses every token, each screen of ${role} leads to the login page and back`, async ({
    page,
    expectTrouble,
  }) => {
    // Some screens end the session at the identity provider, too.
    expectTrouble(/\/(api|identity)\//)
    const { account, screens } = await arrive(page)
    const token = (await accessToken(page))!
    const mend = await breakApi(page, respondWith(401, 'Please sign in.'))
    await page.goto('/robots.txt')
    for (const { path } of screens) {
      await page.evaluate((token) => localStorage.setItem('accessToken', token), token)
      await page.goto(path)
      await expect(title(page), path).toHaveText('Login to Winged Wheels')
      expect(await accessToken(page), path).toBeNull()
      expect(new URL(page.url()).searchParams.get('from')).toBe(path)
    }
    await mend()
    await signIn(page, account)
    const { path, heading } = screens.at(-1)!
    await expect(title(page)).toHaveText(heading)
    expect(new URL(page.url()).pathname).toBe(path)
  })

  test(`when the API refuses their own orders to ${role}, they are signed out and led back`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/\/api\//)
    const { account } = await arrive(page)
    const mend = await breakApi(page, respondWith(403, 'That belongs to somebody else.'))
    await page.goto('/dashboard/myOrders')
    await expect(title(page)).toHaveText('Login to Winged Wheels')
    expect(await accessToken(page)).toBeNull()
    await mend()
    await signIn(page, account)
    await expect(title(page)).toHaveText('My Orders')
  })

  test(`when the API never answers, a screen of ${role} gives up after half a minute and says so`, async ({
    page,
    context,
  }) => {
    const { screens } = await arrive(page)
    await context.clock.install()
    await context.route(/\/api\//, () => {})
    // All screens ask through the same client.
    const { path, heading } = screens[0]!
    const tab = await context.newPage()
    const asked = tab.waitForRequest(/\/api\//)
    await tab.goto(path)
    await asked
    await expect(tab.getByText('Loading'), path).toBeVisible()
    await tab.clock.fastForward(31_000)
    await expect(failure(tab), path).toContainText('The shop takes too long to answer. Please try again.')
    await expect(tab.getByText('Loading'), path).toHaveCount(0)
    await context.unrouteAll()
    await tab.getByRole('button', { name: 'Try again' }).click()
    await expect(title(tab), path).toHaveText(heading)
  })
}
