import type { Page } from '@playwright/test'
import type { Appearance } from '@stripe/stripe-js'
import type { Purchase } from '#shop/orders/purchase.ts'
import { type RunningShop, runShop } from '#test/process.ts'
import { placeOrders } from './orders.ts'
import { demoEnvOnPostgres } from './running.ts'
import { expect, expectRedBelow, registerByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const script = 'https://js.stripe.com/**'
const secret = 'pi_1_secret_1'

let shop: RunningShop

test.beforeAll(async () => {
  shop = await runShop({
    ...(await demoEnvOnPostgres()),
    STRIPE_SECRET_KEY: 'sk_test_wheels',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_wheels',
    STRIPE_WEBHOOK_SECRET: 'whsec_wheels',
  })
  expect(shop.output()).toContain('is running at')
})

test.afterAll(async () => {
  shop.child.kill()
  await shop.exited
})

test('with Stripe keys the content security policy is exactly this', async () => {
  const { headers } = await fetch(`${shop.origin}/dashboard`)
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

test('the Payment Element follows the theme and takes the card, and Stripe receives the billing details', async ({
  anotherBrowser,
}) => {
  const page = await anotherBrowser({ baseURL: shop.origin, colorScheme: 'light' })
  const order = await openOrder(page)
  await mockStripe(page)
  await mockPaid(page, order)
  await page.goto(`/dashboard/payment/${order._id}`)
  const button = page.getByRole('button', { name: 'Pay $300' })
  await expect(page.getByText('only Stripe’s test cards work')).toBeVisible()
  await expect(page.getByText('Test cards', { exact: true })).toHaveCount(0)
  await expectAppearance(page, { theme: 'stripe', text: 'rgb(20, 24, 29)' })
  await page.getByRole('button', { name: 'Switch between light and dark mode' }).click()
  await expectAppearance(page, { theme: 'night', text: 'rgb(233, 237, 240)' })
  await page.evaluate(() =>
    document.documentElement.style.setProperty('--color-base-content', 'oklch(62.8% 0.25768 29.234)'),
  )
  await page.getByRole('button', { name: 'Switch between light and dark mode' }).click()
  await expectAppearance(page, { theme: 'stripe', text: 'rgb(255, 0, 0)' })

  await button.click()
  await expect(page.getByText('Your card number is incomplete.')).toBeVisible()
  expect(await calls(page)).toMatchObject({ confirmed: [] })

  await page.getByLabel('Card number').fill('4')
  await button.click()
  await expectRedBelow(page.getByText('Your card was declined.'), button)
  await button.click()
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  const attempt = {
    redirect: 'if_required',
    confirmParams: {
      return_url: `${shop.origin}/dashboard/payment/${order._id}`,
      payment_method_data: { billing_details: { name: order.name, email: order.email } },
    },
  }
  expect(await calls(page)).toMatchObject({
    key: 'pk_test_wheels',
    clientSecret: secret,
    element: { fields: { billingDetails: { name: 'never', email: 'never' } } },
    confirmed: [attempt, attempt],
  })
})

test('an exception in the Stripe script shows an error, and the payment can be retried', async ({
  anotherBrowser,
}) => {
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await mockStripe(page)
  await page.goto(`/dashboard/payment/${order._id}`)
  await page.getByLabel('Card number').fill('4')
  await page.evaluate(() => Object.assign(window, { throwing: true }))
  const button = page.getByRole('button', { name: 'Pay $300' })
  await button.click()
  await expectRedBelow(page.getByText('The payment didn’t go through, and you weren’t charged.'), button)
  await button.click()
  await expectRedBelow(page.getByText('Your card was declined.'), button)
})

test('a customer who returns from the page of a bank sees why the payment failed, or that it is paid', async ({
  anotherBrowser,
}) => {
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await mockStripe(page)
  await mockPaid(page, order)
  const path = `/dashboard/payment/${order._id}`
  const query = `?payment_intent=pi_1&payment_intent_client_secret=${secret}&redirect_status=`
  const last_payment_error = { message: 'We are unable to authenticate your payment method.' }
  await returnFromBank(page, { status: 'requires_payment_method', last_payment_error })
  await page.goto(`${path}${query}failed`)
  const button = page.getByRole('button', { name: 'Pay $300' })
  await expectRedBelow(page.getByText('We are unable to authenticate your payment method.'), button)
  await expect(page).toHaveURL(path)

  await returnFromBank(page, { status: 'succeeded' })
  await page.goto(`${path}${query}succeeded`)
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await expect(page).toHaveURL(path)
  expect(await calls(page)).toMatchObject({ confirmed: [] })
})

test('a Stripe script or Payment Element that fails to load shows an error and can be retried', async ({
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_/)
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await mockStripe(page)
  await page.route(script, (route) => route.abort())
  await page.addInitScript(() => Object.assign(window, { loadErrors: 1 }))
  await page.goto(`/dashboard/payment/${order._id}`)
  const error = page.getByText('We couldn’t load the card form.')
  await expect(error).toBeVisible()
  await page.unroute(script)
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stripe }))
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect(page.getByText('Test mode.')).toHaveCount(0)
  await expect(error).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeEnabled()
  await expect(page.getByLabel('Card number')).toBeVisible()
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

async function mockPaid(page: Page, order: Purchase) {
  await page.route('**/api/purchase/*', (route) => {
    const paidOrder = { ...order, paid: true, transactionId: 'pi_1', paidAt: order.createdAt }
    return route.request().method() === 'PATCH' ? route.fulfill({ json: paidOrder }) : route.continue()
  })
}

async function returnFromBank(page: Page, retrieved: object) {
  await page.addInitScript((retrieved) => Object.assign(window, { retrieved }), retrieved)
}

function calls(page: Page) {
  return page.evaluate(() => (window as unknown as { calls: { appearance: Appearance } }).calls)
}

async function expectAppearance(page: Page, { theme, text }: { theme: string; text: string }) {
  const appearance = async () => (await calls(page))?.appearance
  await expect.poll(appearance).toMatchObject({ theme, variables: { colorText: text } })
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

/**
 * Mock of Stripe.js: declines the first card, and records what it is given in `window.calls`. `window.throwing` makes the next
 * confirmation and status check throw, `window.loadErrors` counts the elements that fail, `window.retrieved` is the payment.
 */
const stripe = `
  window.Stripe = (key) => {
    const calls = { key, confirmed: [] }
    window.calls = calls
    function createPayment(element) {
      calls.element = element
      const on = {}
      const label = document.createElement('label')
      const input = document.createElement('input')
      const error = document.createElement('p')
      label.append('Card number', input)
      return {
        mount(parent) {
          parent.append(label, error)
          if (window.loadErrors-- > 0) setTimeout(() => on.loaderror({ error: { type: 'api_connection_error' } }))
        },
        destroy: () => label.remove(),
        update() {},
        on: (event, listener) => { on[event] = listener },
        off() {},
        submit() {
          if (input.value) return {}
          error.textContent = 'Your card number is incomplete.'
          return { error: { type: 'validation_error', message: error.textContent } }
        },
      }
    }
    return {
      elements({ clientSecret, appearance }) {
        let payment
        Object.assign(calls, { clientSecret, appearance })
        return {
          create: (type, options) => (payment = type === 'payment' && createPayment(options)),
          getElement: () => payment,
          update: (options) => Object.assign(calls, options),
          submit: async () => payment.submit(),
        }
      },
      createToken() {},
      createPaymentMethod() {},
      confirmCardPayment() {},
      async confirmPayment({ elements, ...options }) {
        if (window.throwing) throw new Error('IntegrationError')
        calls.confirmed.push(options)
        const error = { type: 'card_error', message: 'Your card was declined.' }
        error.payment_intent = { status: 'requires_payment_method' }
        return calls.confirmed.length === 1 ? { error } : { paymentIntent: { id: 'pi_1', status: 'succeeded' } }
      },
      async retrievePaymentIntent() {
        if (window.throwing) {
          window.throwing = false
          throw new Error('IntegrationError')
        }
        return { paymentIntent: window.retrieved ?? { status: 'requires_payment_method' } }
      },
    }
  }
  window.Stripe.version = 'endive'
`
