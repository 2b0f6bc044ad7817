import type { Page } from '@playwright/test'
import { demoAdmin as admin } from '#db/seed/accounts.ts'
import { createSignedInClient } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { apiClientOf, cancelOrders, openNewPayment, payByApi, placePaidOrder } from './orders.ts'
import {
  accessToken,
  cards,
  definitionOf,
  expect,
  expectRedBelow,
  fillCard,
  payWith,
  registerByApi,
  respondWith,
  test,
} from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const bank = '**/payments/v1/payment_intents/*'
const confirm = '**/payments/v1/payment_intents/*/confirm'
const networkError = /net::ERR_/
const completed = (page: Page) => page.getByText('Congratulations! Your Payment is completed.')
const authDialog = (page: Page) => page.getByRole('dialog', { name: 'Is it you who pays $300?' })
const errorAlert = (page: Page) => page.getByRole('main').getByRole('alert')
const payButton = (page: Page) => page.getByRole('button', { name: 'Pay $300' })

test('a card with 3-D Secure pays after authentication succeeds', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await expect(authDialog(page)).toContainText('Test mode')
  await authDialog(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()
  await expect(authDialog(page)).toBeHidden()
})

test('a card that fails 3-D Secure shows an error, and another card can pay', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await authDialog(page).getByRole('button', { name: 'Fail' }).click()
  await expectRedBelow(page.getByText(/unable to authenticate/), payButton(page))
  await expect(page.getByLabel('Card number')).toHaveValue(cards.asking)
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('the 3-D Secure dialog traps the focus, can be closed and opens again', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await fillCard(page, cards.asking)
  await payButton(page).press('Enter')
  const dialog = authDialog(page)
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Fail' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Your bank still waits for your answer')).toBeVisible()
  await expect(payButton(page)).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText('Your bank still waits for your answer')).toBeVisible()
  await payButton(page).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(completed(page)).toBeVisible()
})

test('a reload during 3-D Secure allows a new attempt', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await expect(authDialog(page)).toBeVisible()
  await page.reload()
  await expect(payButton(page)).toBeEnabled()
  await payWith(page, cards.asking)
  await authDialog(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()
})

test('a lost 3-D Secure response is recovered', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(networkError)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await page.route('**/authenticate', (route) => route.abort(), { times: 1 })
  await authDialog(page).getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Your bank still waits for your answer')).toBeVisible()
  await payButton(page).click()
  await page.route('**/authenticate', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await authDialog(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()
})

test('no second payment is made while the result of the first is unknown', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(networkError)
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  const confirmed = countRequests(page, 'confirm')
  await page.route(confirm, (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await page.route(`${bank}?*`, (route) => route.abort())
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: order }))
  await payWith(page, cards.good)
  await expect(page.getByText('Finding out what became of your payment')).toBeVisible()
  await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
  await payButton(page).click({ force: true })
  await page.getByLabel('CVC').press('Enter')
  const statusRequest = page.waitForRequest(`${bank}?*`)
  await dispatchOnline(page)
  await statusRequest
  await expect(page.getByText('Finding out what became of your payment')).toBeVisible()

  await page.unroute('**/api/purchase/*')
  await page.unroute(`${bank}?*`)
  await dispatchOnline(page)
  await expect(completed(page)).toBeVisible()
  expect(confirmed()).toBe(1)
})

test('a payment that never reached the bank can be retried', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(networkError)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route(confirm, (route) => route.abort(), { times: 1 })
  await payWith(page, cards.good)
  const message = page.getByText('The bank did not take your payment, and nothing was charged.')
  await expectRedBelow(message, payButton(page))
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await payButton(page).click()
  await expect(completed(page)).toBeVisible()
})

test('a payment that succeeded despite a 500 from the bank is shown as completed', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 500/)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route(confirm, (route) => route.fetch().then(() => route.fulfill({ status: 500 })), { times: 1 })
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('a payment completed after the browser was closed is shown as completed on return', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(networkError)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await openNewPayment(page)
  const confirmed = Promise.withResolvers<void>()
  await page.route(confirm, (route) => route.fetch().then(() => confirmed.resolve()), { times: 1 })
  await payWith(page, cards.good)
  await confirmed.promise
  await page.close()

  const later = await context.newPage()
  await later.goto(`/dashboard/payment/${_id}`)
  await expect(completed(later)).toBeVisible()
})

test('a payment page that is open shows a payment made in another tab', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 400 .*\/confirm/)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await openNewPayment(page)
  const [watching, paying] = [await context.newPage(), await context.newPage()]
  for (const other of [watching, paying]) {
    await other.goto(`/dashboard/payment/${_id}`)
    await fillCard(other, cards.good)
  }
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
  const transaction = (await page.getByText(/^pi_/).textContent())!

  await watching.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(watching.getByText(transaction)).toBeVisible()
  await payButton(paying).click()
  await expect(paying.getByText(transaction)).toBeVisible()
})

test('two tabs that pay at the same time pay once', async ({ page, context, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 400 .*\/confirm/)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await openNewPayment(page)
  const other = await context.newPage()
  await other.goto(`/dashboard/payment/${_id}`)
  await Promise.all([fillCard(page, cards.good), fillCard(other, cards.good)])
  await Promise.all([payButton(page).click(), payButton(other).click()])
  await expect(completed(page)).toBeVisible()
  await expect(completed(other)).toBeVisible()
  const transaction = await page.getByText(/^pi_/).textContent()
  await expect(other.getByText(/^pi_/)).toHaveText(transaction!)
})

test('a payment that is processing is shown as such, also after a reload, until it completes', async ({
  page,
}) => {
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  await mockProcessing(page)
  await page.reload()
  const pendingMessage = page.getByRole('status').filter({ hasText: 'Your payment is being processed.' })
  await expect(pendingMessage).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await page.reload()
  await expect(pendingMessage).toBeVisible()
  await expectAccessible(page, 'a payment that is processed')

  await payOutsidePage(page, order)
  await expect(completed(page)).toBeVisible()
})

test('a payment that is processing and then declined can be retried', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await mockProcessing(page)
  await page.route(confirm, (route) => route.fulfill({ json: { status: 'processing' } }), { times: 1 })
  const openings = countRequests(page, 'create-payment-intent')
  await payWith(page, cards.good)
  await expect(page.getByText('Your payment is being processed.')).toBeVisible()
  const statusRequest = page.waitForResponse(`${bank}?*`)
  await dispatchOnline(page)
  await statusRequest
  await expect(page.getByText('Your payment is being processed.')).toBeVisible()

  await page.unroute(`${bank}?*`)
  await dispatchOnline(page)
  await expect(page.getByText('The bank did not take your payment, and nothing was charged.')).toBeVisible()
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
  expect(openings()).toBe(0)
})

test('a failed request to mark the order as paid is retried automatically', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route('**/api/purchase/*', (route) => route.abort())
  const confirmed = countRequests(page, 'confirm')
  await payWith(page, cards.good)
  await expect(page.getByText('You will not be charged again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Tell the shop again' })).toBeVisible()
  await expectAccessible(page, 'a payment of which the shop could not be told')
  await page.unroute('**/api/purchase/*')
  await dispatchOnline(page)
  await expect(completed(page)).toBeVisible()
  expect(confirmed()).toBe(1)
})

test('an order is shown as paid although marking it as paid returned 402', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 402 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route('**/api/purchase/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await route.fetch()
    await respondWith(402, 'The payment was not completed.')(route)
  })
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('a payment that the shop rejects shows an error and can be retried', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 402 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  await page.route('**/api/purchase/*', (route) =>
    route.request().method() === 'PATCH'
      ? respondWith(402, 'The payment was not completed.')(route)
      : route.fulfill({ json: order }),
  )
  await payWith(page, cards.good)
  await expect(errorAlert(page)).toHaveText(
    /^The payment was not completed\. If your card was charged, it pays your order after all or the money goes back to you/,
  )
  await expect(errorAlert(page), 'where the keyboard goes on').toBeFocused()
  await page.unroute('**/api/purchase/*')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(completed(page)).toBeVisible()
})

test('a payment under another account shows that the order does not exist', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await fillCard(page, cards.good)
  const other = await anotherBrowser()
  await registerByApi(other, 'Otto Stranger')
  const token = await accessToken(other)
  await page.evaluate((token) => localStorage.setItem('accessToken', token!), token)
  await payButton(page).click()
  await expect(errorAlert(page)).toHaveText(
    /^There is no such order\. If your card was charged, we write to whoever placed the order/,
  )
})

test('a cancelled order cannot be paid', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 40[049] /)
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  await fillCard(page, cards.good)
  await cancelOrders(page, [order])
  await payButton(page).click()
  await expect(errorAlert(page)).toContainText('This payment can no longer be made, and nothing was charged.')
  await expect(errorAlert(page), 'where the keyboard goes on').toBeFocused()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('There is no such order.')).toBeVisible()
})

test('an order that expires while its payment page is open shows a message', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  const holdTime = await definitionOf(page.getByRole('main'), 'Held for')
  await expect(holdTime).toHaveText(/^2 days 23 hours$|^3 days$/)
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: { ...order, expired: true } }))
  await dispatchOnline(page)
  await expect(page.getByText('This order has expired.')).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
  await cancelOrders(page, [order])
})

test('an order past its hold time is shown as no longer held before it expires', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  const overdue = { ...order, heldUntil: new Date(Date.now() - 60_000).toISOString() }
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: overdue }))
  await page.route('**/api/myPurchase?*', async (route) => {
    await route.fulfill({ response: await route.fetch(), json: [overdue] })
  })
  for (const url of [
    `/dashboard/payment/${order._id}`,
    `/dashboard/orders/${order._id}`,
    '/dashboard/myOrders',
  ]) {
    await page.goto(url)
    await expect(page.getByText('Its time to pay is over.'), url).toBeVisible()
    await expect(page.getByText('Held for'), url).toHaveCount(0)
  }
  await page.unrouteAll()
  await cancelOrders(page, [order])
})

test('the payment page shows the refunded amount', async ({ page, baseURL }) => {
  await registerByApi(page, 'Ida Renn')
  const { _id: id } = await placePaidOrder(page, tube, 100)
  const { refundOrder } = await createSignedInClient(baseURL!, admin)
  await refundOrder({ params: { id }, body: { amount: 120, reason: 'Forty were flat', returned: 0 } })
  await page.goto(`/dashboard/payment/${id}`)
  await expect(completed(page)).toBeVisible()
  await expect(page.getByText('Refunded $120 of $300')).toBeVisible()

  await refundOrder({ params: { id }, body: { amount: 180, reason: 'The others, too', returned: 0 } })
  await page.reload()
  await expect(page.getByRole('status')).toHaveText(/^Refunded \$300/)
  await expect(page.getByText('This order was refunded.')).toBeVisible()
  await expect(completed(page)).toHaveCount(0)
})

test('the card form with errors, test cards and the 3-D Secure dialog passes axe', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.getByText('Test cards', { exact: true }).click()
  await expectAccessible(page, 'the test cards')
  await page.getByText('Test cards', { exact: true }).click()
  await payButton(page).click()
  await expect(page.getByText('CVC is required')).toBeVisible()
  await expectAccessible(page, 'the card form with mistakes')
  await payWith(page, cards.asking)
  await expect(authDialog(page)).toBeVisible()
  await expectAccessible(page, 'the question of 3-D Secure')
})

/** Counts the requests from now on whose URL ends with this. */
function countRequests(page: Page, suffix: string) {
  let count = 0
  page.on('request', (request) => {
    if (request.url().endsWith(suffix)) count++
  })
  return () => count
}

/** Triggers an immediate check of the payment, as a restored connection does. */
function dispatchOnline(page: Page) {
  return page.evaluate(() => dispatchEvent(new Event('online')))
}

/** Rewrites the responses, since the test bank has no payment that stays in processing. */
async function mockProcessing(page: Page) {
  await page.route('**/api/create-payment-intent', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), processing: true } })
  })
  await page.route(`${bank}?*`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), status: 'processing' } })
  })
}

async function payOutsidePage(page: Page, { _id, price }: { _id: string; price: number }) {
  const { startPayment } = await apiClientOf(page)
  const { clientSecret } = await startPayment({ body: { price, purchase: _id } })
  await payByApi(page, clientSecret)
}
