import type { Page } from '@playwright/test'
import { demoFolder, type RunningShop, runShop } from '#test/process.ts'
import { placeOrders } from './orders.ts'
import { expect, expectRedBelow, registerByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const script = 'https://js.stripe.com/**'
const secret = 'pi_1_secret_1'

let shop: RunningShop

test.beforeAll(async () => {
  shop = await runShop({
    DATA_DIR: demoFolder(),
    DEMO: 'on',
    STRIPE_SECRET_KEY: 'sk_test_wheels',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_wheels',
    STRIPE_WEBHOOK_SECRET: 'whsec_wheels',
  })
  expect(shop.output()).toContain('is open at')
})

test.afterAll(async () => {
  shop.child.kill()
  await shop.exited
})

test('with Stripe keys the content security policy is exactly this', async () => {
  const { headers } = await fetch(shop.origin)
  expect(headers.get('content-security-policy')!.replace(/'nonce-[\w+/=]{24}'/, "'NONCE'")).toBe(
    "default-src 'none'; script-src 'NONCE' 'strict-dynamic' https://js.stripe.com https://*.js.stripe.com; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' https://api.stripe.com; frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test('with Stripe keys the page loads the Stripe script and nothing of the test bank', async ({
  anotherBrowser,
  allowConsoleErrors,
}) => {
  // A test cannot reach Stripe's API.
  allowConsoleErrors(/status of 503 .*\/api\/create-payment-intent/)
  const page = await anotherBrowser({ baseURL: shop.origin })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const order = await openOrder(page)
  expect(requests.filter((url) => url.includes('stripe.com'))).toEqual([])

  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stripe }))
  const loading = page.waitForRequest(script)
  await page.goto(`/dashboard/payment/${order._id}`)
  await loading
  await expect(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible({
    timeout: 50_000,
  })
  for (const text of ['Test cards', 'only test cards are taken']) {
    await expect(page.getByText(text), text).toHaveCount(0)
  }
  expect(requests.filter((url) => /\/bank\/|\/payments\/v1/.test(url))).toEqual([])

  for (const url of ['/payments/v1/payment_intents', '/payments/v1/payment_intents/pi_1/confirm']) {
    const response = await page.request.post(url, { form: { client_secret: secret } })
    expect(response.status(), url).toBe(404)
  }
  for (const file of await bankFiles(page)) {
    expect((await page.request.get(file)).status(), file).toBe(404)
  }
})

test('the Stripe fields take the card, and Stripe receives the billing details', async ({
  anotherBrowser,
}) => {
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await mockStripe(page)
  await page.route('**/api/purchase/*', (route) => {
    const paidOrder = { ...order, paid: true, transactionId: 'pi_1', paidAt: order.createdAt }
    return route.request().method() === 'PATCH' ? route.fulfill({ json: paidOrder }) : route.continue()
  })
  await page.goto(`/dashboard/payment/${order._id}`)
  const button = page.getByRole('button', { name: 'Pay $300' })
  await expect(page.getByText('Test mode. No money moves')).toBeVisible()
  await expect(page.getByText('Test cards', { exact: true })).toHaveCount(0)
  await button.click()
  await expect(page.getByText('Card number is required')).toBeVisible()
  await expect(page.getByText('CVC is required')).toBeVisible()

  for (const name of ['cardNumber', 'cardExpiry', 'cardCvc']) await page.getByTestId(name).fill('4')
  await button.click()
  await expectRedBelow(page.getByText('Your card was declined.'), button)
  await button.click()
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { received: unknown }).received)).toEqual({
    key: 'pk_test_wheels',
    secret,
    billing: { name: order.name, email: order.email },
  })
})

test('an exception in the Stripe script shows an error, and the payment can be retried', async ({
  anotherBrowser,
}) => {
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await mockStripe(page)
  await page.goto(`/dashboard/payment/${order._id}`)
  for (const name of ['cardNumber', 'cardExpiry', 'cardCvc']) await page.getByTestId(name).fill('4')
  await page.evaluate(() => Object.assign(window, { throwing: true }))
  const button = page.getByRole('button', { name: 'Pay $300' })
  await button.click()
  await expectRedBelow(page.getByText('The bank did not take your payment, and nothing was charged.'), button)
  await button.click()
  await expectRedBelow(page.getByText('Your card was declined.'), button)
})

test('a Stripe script that fails to load shows an error and can be retried', async ({
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_/)
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await mockStripe(page)
  await page.route(script, (route) => route.abort())
  await page.goto(`/dashboard/payment/${order._id}`)
  await expect(page.getByText('The card form could not be loaded.')).toBeVisible()
  await page.unroute(script)
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stripe }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeEnabled()
  await expect(page.getByTestId('cardNumber')).toBeVisible()
})

async function openOrder(page: Page) {
  await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, tube, [100])
  return order!
}

/** Mocks Stripe's script and the opened payment, since tests have no network. */
async function mockStripe(page: Page) {
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stripe }))
  await page.route('**/api/create-payment-intent', (route) =>
    route.fulfill({ json: { clientSecret: secret, processing: false } }),
  )
}

/** The URLs of the test bank's chunks, found in the page's scripts. */
async function bankFiles(page: Page): Promise<string[]> {
  const resources = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  const scripts = resources.filter((url) => url.startsWith(shop.origin) && url.endsWith('.js'))
  const texts = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()))
  const files = new Set(texts.flatMap((text) => text.match(/bank\/[\w.-]+\.js/g) ?? []))
  expect(files.size).toBeGreaterThan(0)
  return [...files].map((file) => `/assets/${file}`)
}

/** Mock of Stripe.js: declines the first card; `window.throwing` makes the next confirmation and status check throw. */
const stripe = `
  window.Stripe = (key) => {
    const made = {}
    let attempts = 0
    function create(type) {
      const on = {}
      const input = document.createElement('input')
      input.dataset.testid = type
      input.setAttribute('aria-label', type)
      input.addEventListener('input', () => on.change?.({ elementType: type, complete: input.value !== '' }))
      made[type] = {
        mount: (parent) => parent.append(input),
        destroy: () => input.remove(),
        update() {},
        focus: () => input.focus(),
        on: (event, listener) => { on[event] = listener },
        off() {},
      }
      return made[type]
    }
    return {
      elements: () => ({ create, getElement: (field) => made[field.__elementType], update() {} }),
      createToken() {},
      createPaymentMethod() {},
      confirmCardPayment(secret, { payment_method }) {
        if (window.throwing) throw new Error('IntegrationError')
        return this.confirm(secret, payment_method)
      },
      async confirm(secret, payment_method) {
        const error = { type: 'card_error', message: 'Your card was declined.' }
        error.payment_intent = { status: 'requires_payment_method' }
        if (++attempts === 1) return { error }
        window.received = { key, secret, billing: payment_method.billing_details }
        return { paymentIntent: { id: 'pi_1', status: 'succeeded' } }
      },
      retrievePaymentIntent() {
        if (window.throwing) {
          window.throwing = false
          throw new Error('IntegrationError')
        }
        return Promise.resolve({ paymentIntent: { status: 'requires_payment_method' } })
      },
    }
  }
  window.Stripe.version = 'endive'
`
