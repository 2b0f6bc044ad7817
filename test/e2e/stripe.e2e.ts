import type { Page } from '@playwright/test'
import { demoFolder, type Running, runShop } from '#test/process.ts'
import { placeOrders } from './orders.ts'
import { expect, expectRedBelow, registerByApi, test } from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const script = 'https://js.stripe.com/**'
const secret = 'pi_1_secret_1'

let shop: Running

test.beforeAll(async () => {
  shop = await runShop({
    DATA_DIR: demoFolder(),
    DEMO: 'on',
    STRIPE_SECRET_KEY: 'sk_test_wheels',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_wheels',
    STRIPE_WEBHOOK_SECRET: 'whsec_wheels',
  })
  expect(shop.printed()).toContain('is open at')
})

test.afterAll(async () => {
  shop.child.kill()
  await shop.ended
})

test("with Stripe's keys the page asks for Stripe's script, and nothing of the test bank is there", async ({
  anotherBrowser,
  expectTrouble,
}) => {
  // Stripe itself cannot be reached from a test.
  expectTrouble(/status of 503 .*\/api\/create-payment-intent/)
  const page = await anotherBrowser({ baseURL: shop.origin })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const order = await openOrder(page)
  expect(asked.filter((url) => url.includes('stripe.com'))).toEqual([])

  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stripe }))
  const loading = page.waitForRequest(script)
  await page.goto(`/dashboard/payment/${order._id}`)
  await loading
  await expect(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible({
    timeout: 50_000,
  })
  for (const words of ['Test cards', 'only test cards are taken']) {
    await expect(page.getByText(words), words).toHaveCount(0)
  }
  expect(asked.filter((url) => /\/bank\/|\/payments\/v1/.test(url))).toEqual([])

  for (const address of ['/payments/v1/payment_intents', '/payments/v1/payment_intents/pi_1/confirm']) {
    const answer = await page.request.post(address, { form: { client_secret: secret } })
    expect(answer.status(), address).toBe(404)
  }
  for (const file of await bankFiles(page)) {
    expect((await page.request.get(file)).status(), file).toBe(404)
  }
})

test("Stripe's fields take the card, and Stripe hears whose it is", async ({ anotherBrowser }) => {
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await openedAtStripe(page)
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
  expect(await page.evaluate(() => (window as unknown as { heard: unknown }).heard)).toEqual({
    key: 'pk_test_wheels',
    secret,
    billing: { name: order.name, email: order.email },
  })
})

test("when Stripe's script throws, the page finds out what became of the payment, and tries again", async ({
  anotherBrowser,
}) => {
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await openedAtStripe(page)
  await page.goto(`/dashboard/payment/${order._id}`)
  for (const name of ['cardNumber', 'cardExpiry', 'cardCvc']) await page.getByTestId(name).fill('4')
  await page.evaluate(() => Object.assign(window, { throwing: true }))
  const button = page.getByRole('button', { name: 'Pay $300' })
  await button.click()
  await expectRedBelow(page.getByText('The bank did not take your payment, and nothing was charged.'), button)
  await button.click()
  await expectRedBelow(page.getByText('Your card was declined.'), button)
})

test("when Stripe's script cannot be loaded the page says so, and tries again", async ({
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_/)
  const page = await anotherBrowser({ baseURL: shop.origin })
  const order = await openOrder(page)
  await openedAtStripe(page)
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

/** A payment as Stripe would open it, and a script in place of Stripe's, which is not to be had without a network. */
async function openedAtStripe(page: Page) {
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body: stripe }))
  await page.route('**/api/create-payment-intent', (route) =>
    route.fulfill({ json: { clientSecret: secret, processing: false } }),
  )
}

/** The addresses of the test bank's chunks, as the pages' own scripts name them. */
async function bankFiles(page: Page): Promise<string[]> {
  const resources = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  const scripts = resources.filter((address) => address.startsWith(shop.origin) && address.endsWith('.js'))
  const texts = await Promise.all(scripts.map(async (address) => (await page.request.get(address)).text()))
  const files = new Set(texts.flatMap((text) => text.match(/bank\/[\w.-]+\.js/g) ?? []))
  expect(files.size).toBeGreaterThan(0)
  return [...files].map((file) => `/assets/${file}`)
}

/**
 * What the page uses of Stripe's script: its fields are plain ones, and the first card is declined. While it is `throwing`,
 * it throws once instead of asking Stripe, and once instead of looking.
 */
const stripe = `
  window.Stripe = (key) => {
    const made = {}
    let tries = 0
    function create(type) {
      const on = {}
      const input = document.createElement('input')
      input.dataset.testid = type
      input.setAttribute('aria-label', type)
      input.addEventListener('input', () => on.change?.({ elementType: type, complete: input.value !== '' }))
      made[type] = {
        mount: (place) => place.append(input),
        destroy: () => input.remove(),
        update() {},
        focus: () => input.focus(),
        on: (event, tell) => { on[event] = tell },
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
        if (++tries === 1) return { error }
        window.heard = { key, secret, billing: payment_method.billing_details }
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
