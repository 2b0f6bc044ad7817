import type { Page, Route } from '@playwright/test'
import { createSignedInClient } from '#test/process.ts'
import {
  type Account,
  accessToken,
  breakApi,
  demoAdmin,
  expect,
  navigate,
  originOf,
  registerByApi,
  respondWith,
  signIn,
  signInByApi,
  test,
  visit,
} from './shop.ts'

const part = 'Trestle Platform Pedals, Pair'
const unreachable = 'We can’t reach the shop. Check your connection and try again.'

const apiFailures = [
  { respond: respondWith(500, 'Something went wrong.'), message: 'This is a problem on our side.' },
  { respond: (route: Route) => route.abort('connectionrefused'), message: unreachable },
  {
    respond: (route: Route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' }),
    message: 'This page is out of date. Reload it and try again.',
  },
]
const refusal = { respond: respondWith(403, 'Only admins may do this.'), message: 'Only admins may do this.' }

interface Screen {
  path: string
  heading: string | RegExp
}

/** Signs in a customer with an unpaid order. */
async function signInCustomer(page: Page): Promise<{ account: Account; screens: Screen[] }> {
  const account = await registerByApi(page, 'Nele Vogt')
  const client = await createSignedInClient(await originOf(page), account)
  const { rows } = await client.listParts({ body: { q: part } })
  const [{ _id: partId, name, minQuantity: quantity }] = rows as [(typeof rows)[0]]
  const delivery = { address: '4 Canal Street', phoneNumber: '5550100' }
  const { _id: id, number } = await client.placePurchase({ body: { ...delivery, partId, quantity } })
  return {
    account,
    screens: [
      { path: '/dashboard', heading: 'My Orders' },
      { path: '/dashboard/myOrders', heading: 'My Orders' },
      { path: `/dashboard/orders/${id}`, heading: `Order #${number}` },
      { path: `/dashboard/payment/${id}`, heading: 'Hello, Nele Vogt' },
      { path: '/dashboard/addReview', heading: /Add A Review/ },
      { path: '/dashboard/myProfile', heading: 'My Profile' },
      { path: `/part/${partId}`, heading: name },
    ],
  }
}

async function signInAdmin(page: Page): Promise<{ account: Account; screens: Screen[] }> {
  await signInByApi(page, demoAdmin)
  const client = await createSignedInClient(await originOf(page), demoAdmin)
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
      { path: '/dashboard/reviews', heading: 'Reviews' },
      { path: '/dashboard/overview', heading: 'Overview' },
      { path: '/dashboard/myOrders', heading: 'My Orders' },
      { path: '/dashboard/myProfile', heading: 'My Profile' },
    ],
  }
}

const roles = { 'a customer': signInCustomer, 'an admin': signInAdmin }
const pageTitle = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const errorAlert = (page: Page) => page.getByRole('main').getByRole('alert')

for (const [role, signInRole] of Object.entries(roles)) {
  test(`each screen of ${role} shows a loading state, then the API error or a timeout, and recovers on Try again`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/\/api\//)
    const { screens } = await signInRole(page)
    for (const [number, { path, heading }] of screens.entries()) {
      // A 403 on My Orders signs the user out; a later test covers that.
      const canBeRefused = !path.endsWith('/myOrders')
      const failures = number === 0 ? apiFailures : [apiFailures[number % apiFailures.length]!]
      const cases = canBeRefused ? [...failures, refusal] : failures
      for (const [i, { respond, message }] of cases.entries()) {
        const { promise: gate, resolve: release } = Promise.withResolvers<void>()
        const restoreApi = await breakApi(page, async (route) => {
          await gate
          await respond(route)
        })
        await (i === 0 ? page.goto(path) : page.getByRole('button', { name: 'Try again' }).click())
        if (i === 0) await expect(page.getByText('Loading'), path).toBeVisible()
        release()
        await expect(errorAlert(page), path).toContainText(message)
        await expect(page.getByText('Loading'), path).toHaveCount(0)
        await restoreApi()
      }
      expect(await accessToken(page), path).not.toBeNull()
      const tryAgain = page.getByRole('button', { name: 'Try again' })
      const wasRefused = cases.at(-1) === refusal
      if (wasRefused) await expect(tryAgain, path).toHaveCount(0)
      await (wasRefused ? navigate(page, path) : tryAgain.click())
      await expect(pageTitle(page), path).toHaveText(heading)
    }

    // One screen is enough: all screens use the same API client.
    const { path, heading } = screens[0]!
    await page.clock.install()
    const restoreApi = await breakApi(page, () => {})
    const request = page.waitForRequest(/\/api\//)
    await page.goto(path)
    await request
    await expect(page.getByText('Loading'), path).toBeVisible()
    await page.clock.fastForward(31_000)
    await expect(errorAlert(page), path).toContainText('The shop isn’t responding. Try again.')
    await expect(page.getByText('Loading'), path).toHaveCount(0)
    await restoreApi()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(pageTitle(page), path).toHaveText(heading)
  })

  test(`each screen of ${role} redirects to login on 401, their own orders also on 403, and returns after sign-in`, async ({
    page,
    allowConsoleErrors,
  }) => {
    // Some screens also sign out at the identity provider.
    allowConsoleErrors(/\/(api|identity)\//)
    const { account, screens } = await signInRole(page)
    const forbidOrders = await breakApi(page, respondWith(403, 'You don’t have access to this.'))
    await page.goto('/dashboard/myOrders')
    await expect(pageTitle(page)).toHaveText('Login to Winged Wheels')
    expect(await accessToken(page)).toBeNull()
    await forbidOrders()
    await signIn(page, account)
    await expect(pageTitle(page)).toHaveText('My Orders')

    await visit(page, '/blogs')
    const token = (await accessToken(page))!
    const restoreApi = await breakApi(page, respondWith(401, 'Please sign in.'))
    for (const { path } of screens) {
      await page.evaluate((token) => localStorage.setItem('accessToken', token), token)
      await navigate(page, path)
      await expect(page).toHaveURL(`/login?${new URLSearchParams({ from: path })}`)
      await expect(pageTitle(page), path).toHaveText('Login to Winged Wheels')
      expect(await accessToken(page), path).toBeNull()
    }
    await restoreApi()
    await signIn(page, account)
    const { path, heading } = screens.at(-1)!
    await expect(pageTitle(page)).toHaveText(heading)
    expect(new URL(page.url()).pathname).toBe(path)
  })
}
