import type { Locator, Page } from '@playwright/test'
import { demoAdmin as admin } from '#db/seed/accounts.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import { toOrder } from '#shop/orders/order.ts'
import { createSignedInClient } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import {
  apiClientOf,
  cancelOrders,
  openNewPayment,
  openNextPayment,
  payByApi,
  placeOrderOfSeveral,
  placeOrders,
  placePaidOrder,
  registerApiCustomer,
} from './orders.ts'
import {
  cards,
  definitionOf,
  expect,
  expectRedBelow,
  fillCard,
  navigate,
  payWith,
  registerByApi,
  respondWith,
  retryingClosed,
  test,
} from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const bank = '**/payments/v1/payment_intents/*'
const confirm = '**/payments/v1/payment_intents/*/confirm'
const networkError = /net::ERR_/
const completed = (page: Page) => page.getByText('Congratulations! Your Payment is completed.')
const authDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm your payment of $300' })
const errorAlert = (page: Page) => page.getByRole('main').getByRole('alert')
const payButton = (page: Page) => page.getByRole('button', { name: 'Pay $300' })

test.beforeEach(({ page }) => registerByApi(page, 'Ida Renn'))

test('the 3-D Secure dialog traps the focus, can be closed and opens again, also after a reload, and pays, and after a failed authentication another card pays', async ({
  page,
}) => {
  await openNewPayment(page)
  await fillCard(page, cards.asking)
  await payButton(page).press('Enter')
  const dialog = authDialog(page)
  await expect(dialog).toContainText('Test mode')
  await expectAccessible(page, 'the question of 3-D Secure')
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Fail' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Your bank needs you to confirm this payment.')).toBeVisible()
  await expect(payButton(page)).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText('Your bank needs you to confirm this payment.')).toBeVisible()
  await payButton(page).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.reload()
  await expect(payButton(page)).toBeEnabled()
  await fillCard(page, cards.asking)
  await payButton(page).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(completed(page)).toBeVisible()
  await expect(dialog).toBeHidden()

  await openNextPayment(page)
  await payWith(page, cards.asking)
  await dialog.getByRole('button', { name: 'Fail' }).click()
  await expectRedBelow(page.getByText(/unable to authenticate/), payButton(page))
  await expect(page.getByLabel('Card number')).toHaveValue(cards.asking)
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('a payment succeeds when a response of the bank is lost or an error, a request never reached it, or the shop rejects it, at once if it is paid nevertheless, else on a retry', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(networkError)
  allowConsoleErrors(/status of 500/)
  allowConsoleErrors(/status of 402 .*\/api\/purchase\//)
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await page.route('**/authenticate', (route) => route.abort(), { times: 1 })
  await authDialog(page).getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Your bank needs you to confirm this payment.')).toBeVisible()
  await payButton(page).click()
  await page.route('**/authenticate', (route) => route.fetch(retryingClosed).then(() => route.abort()), {
    times: 1,
  })
  await authDialog(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()

  await openNextPayment(page)
  await page.route(confirm, (route) => route.abort(), { times: 1 })
  await payWith(page, cards.good)
  const message = page.getByText('The payment didn’t go through, and you weren’t charged.')
  await expectRedBelow(message, payButton(page))
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await payButton(page).click()
  await expect(completed(page)).toBeVisible()

  await openNextPayment(page)
  await page.route(
    confirm,
    (route) => route.fetch(retryingClosed).then(() => route.fulfill({ status: 500 })),
    { times: 1 },
  )
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()

  const order = await openNextPayment(page)
  await page.route('**/api/purchase/*', (route) =>
    route.request().method() === 'PATCH'
      ? respondWith(402, 'We couldn’t confirm this payment.')(route)
      : route.fulfill({ json: order }),
  )
  await payWith(page, cards.good)
  await expect(errorAlert(page)).toHaveText(
    /^We couldn’t confirm this payment\. If your card was charged, we’ll complete your order or refund you, and email you either way\./,
  )
  await expect(errorAlert(page), 'where the keyboard goes on').toBeFocused()
  await page.unroute('**/api/purchase/*')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(completed(page)).toBeVisible()

  await openNextPayment(page)
  await page.route('**/api/purchase/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await route.fetch(retryingClosed)
    await respondWith(402, 'We couldn’t confirm this payment.')(route)
  })
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('no second payment is made while the result of the first is unknown, nor when its report to the shop failed, which is repeated automatically and by a button', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(networkError)
  const order = await openNewPayment(page)
  const confirmed = countRequests(page, 'confirm')
  await page.route(confirm, (route) => route.fetch(retryingClosed).then(() => route.abort()), { times: 1 })
  await page.route(`${bank}?*`, (route) => route.abort())
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: order }))
  await payWith(page, cards.good)
  await expect(page.getByText('Checking whether your payment went through…')).toBeVisible()
  await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
  await payButton(page).click({ force: true })
  await page.getByLabel('CVC').press('Enter')
  const statusRequest = page.waitForRequest(`${bank}?*`)
  await dispatchOnline(page)
  await statusRequest
  await expect(page.getByText('Checking whether your payment went through…')).toBeVisible()

  await page.unroute('**/api/purchase/*')
  await page.unroute(`${bank}?*`)
  await dispatchOnline(page)
  await expect(completed(page)).toBeVisible()
  expect(confirmed()).toBe(1)

  await openNextPayment(page)
  await page.route('**/api/purchase/*', (route) => route.abort())
  await payWith(page, cards.good)
  await expect(page.getByText('You won’t be charged again.')).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await expectAccessible(page, 'a payment of which the shop could not be told')
  const notification = page.waitForRequest('**/api/purchase/*')
  await page.getByRole('button', { name: 'Check again' }).click()
  await notification
  await page.unroute('**/api/purchase/*')
  await dispatchOnline(page)
  await expect(completed(page)).toBeVisible()
  expect(confirmed()).toBe(2)
})

test('two tabs that pay at the same time pay once, and an open payment page shows a payment made elsewhere', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 400 .*\/confirm/)
  allowConsoleErrors(networkError)
  const transaction = (tab: Page) => tab.getByText(/^pi_/)
  const first = await openNewPayment(page)
  const other = await context.newPage()
  await other.goto(`/dashboard/payment/${first._id}`)
  await Promise.all([fillCard(page, cards.good), fillCard(other, cards.good)])
  await Promise.all([payButton(page).click(), payButton(other).click()])
  await expect(completed(page)).toBeVisible()
  await expect(completed(other)).toBeVisible()
  await expect(transaction(other)).toHaveText((await transaction(page).textContent())!)

  for (const notice of [
    () => other.evaluate(() => dispatchEvent(new Event('focus'))),
    () => payButton(other).click(),
  ]) {
    const { _id } = await openNextPayment(page)
    await navigate(other, `/dashboard/payment/${_id}`)
    await fillCard(other, cards.good)
    await payWith(page, cards.good)
    await expect(completed(page)).toBeVisible()
    await notice()
    await expect(transaction(other)).toHaveText((await transaction(page).textContent())!)
  }

  const { _id } = await openNextPayment(page)
  const confirmed = Promise.withResolvers<void>()
  await page.route(confirm, (route) => route.fetch(retryingClosed).then(() => confirmed.resolve()), {
    times: 1,
  })
  await payWith(page, cards.good)
  await confirmed.promise
  await page.close()
  await navigate(other, `/dashboard/payment/${_id}`)
  await expect(completed(other), 'after the paying tab was closed').toBeVisible()
})

test('a payment that is processing is shown as such, also after a reload, until it completes or can be retried', async ({
  page,
}) => {
  const [order] = await placeOrders(page, tube, [100])
  await mockProcessing(page)
  await page.goto(`/dashboard/payment/${order!._id}`)
  const pendingMessage = page.getByRole('status').filter({ hasText: 'Your payment is being processed.' })
  await expect(pendingMessage).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await page.reload()
  await expect(pendingMessage).toBeVisible()
  await expectAccessible(page, 'a payment that is processed')
  await payOutsidePage(page, order!)
  await expect(completed(page)).toBeVisible()

  await page.unrouteAll()
  await openNextPayment(page)
  await mockProcessing(page)
  await page.route(confirm, (route) => route.fulfill({ json: { status: 'processing' } }), { times: 1 })
  const openings = countRequests(page, 'create-payment-intent')
  await payWith(page, cards.good)
  await expect(pendingMessage).toBeVisible()
  const statusRequest = page.waitForResponse(`${bank}?*`)
  await dispatchOnline(page)
  await statusRequest
  await expect(pendingMessage).toBeVisible()

  await page.unroute(`${bank}?*`)
  await dispatchOnline(page)
  await expect(page.getByText('The payment didn’t go through, and you weren’t charged.')).toBeVisible()
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
  expect(openings()).toBe(0)
})

test('an order past its hold time is shown as no longer held, as expired once it is, also on the open payment page, and cannot be paid once cancelled, nor under another account', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 40[049] /)
  const order = await openNewPayment(page)
  const holdTime = await definitionOf(page.getByRole('main'), 'Time left to pay')
  await expect(holdTime).toHaveText(/^2 days 23 hours$|^3 days$/)
  const readPurchase = '**/api/purchase/*'
  await page.route(readPurchase, (route) => route.fulfill({ json: { ...order, expired: true } }))
  await dispatchOnline(page)
  await expect(page.getByText('This order has expired.')).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
  await page.unroute(readPurchase)

  await page.route(readPurchase, (route) => route.fulfill({ json: { ...order, shortHold: true } }))
  for (const url of [`/dashboard/orders/${order._id}`, `/dashboard/payment/${order._id}`]) {
    await navigate(page, url)
    const note = page.getByRole('link', { name: 'Confirm your email address' })
    await expect(note, url).toHaveAttribute('href', '/dashboard/myProfile')
  }
  await page.unroute(readPurchase)

  const overdue = { ...order, heldUntil: new Date(Date.now() - 60_000).toISOString() }
  await page.route(readPurchase, (route) => route.fulfill({ json: overdue }))
  await page.route('**/api/myOrders?*', async (route) => {
    await route.fulfill({ response: await route.fetch(retryingClosed), json: [toOrder([overdue])] })
  })
  for (const url of [
    `/dashboard/orders/${order._id}`,
    `/dashboard/payment/${order._id}`,
    '/dashboard/myOrders',
  ]) {
    await navigate(page, url)
    await expect(page.getByText('The payment deadline has passed.'), url).toHaveCount(1)
    await expect(page.getByText(/Time left to pay|Pay within/), url).toHaveCount(0)
  }
  await page.unrouteAll()

  await navigate(page, `/dashboard/payment/${order._id}`)
  await fillCard(page, cards.good)
  await cancelOrders(page, [order])
  await payButton(page).click()
  const cancelled = page
    .getByRole('status')
    .filter({ hasText: 'This order was cancelled, so it can’t be paid.' })
  await expect(cancelled).toBeVisible()
  await expect(cancelled, 'where the keyboard goes on').toBeFocused()
  await cancelled.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()

  await openNextPayment(page)
  await fillCard(page, cards.good)
  const { token } = await registerApiCustomer(origin, 'Otto Stranger')
  await page.evaluate((token) => localStorage.setItem('accessToken', token), token)
  await payButton(page).click()
  await expect(errorAlert(page)).toHaveText(
    /^This order doesn’t exist or was cancelled\. If your card was charged, we’ll email the customer who placed this order/,
  )
})

test('the payment page and the credit note show the refunded amount', async ({ page, origin }) => {
  const { _id: id } = await placePaidOrder(page, tube, 100)
  const { refundPurchase } = await createSignedInClient(origin, admin)
  await refundPurchase({ params: { id }, body: { amount: 120, reason: 'Forty were flat', returned: 0 } })
  await page.goto(`/dashboard/payment/${id}`)
  await expect(completed(page)).toBeVisible()
  await expect(page.getByText('Refunded $120 of $300')).toBeVisible()

  await navigate(page, `/dashboard/orders/${id}`)
  await page.getByRole('link', { name: /^Credit note CN-\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Credit note')
  await expect(await definitionOf(page.getByRole('article'), 'Reason')).toHaveText('Forty were flat')
  await expect(await definitionOf(page.getByRole('article'), 'Total credited')).toHaveText('$120')

  await refundPurchase({ params: { id }, body: { amount: 180, reason: 'The others, too', returned: 0 } })
  await navigate(page, `/dashboard/payment/${id}`)
  await expect(page.getByRole('status')).toHaveText(/^Refunded \$300/)
  await expect(page.getByText('This order was refunded.')).toBeVisible()
  await expect(completed(page)).toHaveCount(0)
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
    const response = await route.fetch(retryingClosed)
    await route.fulfill({ response, json: { ...(await response.json()), processing: true } })
  })
  await page.route(`${bank}?*`, async (route) => {
    const response = await route.fetch(retryingClosed)
    await route.fulfill({ response, json: { ...(await response.json()), status: 'processing' } })
  })
}

async function payOutsidePage(page: Page, { _id, price }: { _id: string; price: number }) {
  const { startPayment } = await apiClientOf(page)
  const { clientSecret } = await startPayment({ body: { price, purchase: _id } })
  await payByApi(page, clientSecret)
}

test('a payment page left open says what has changed in its order, and takes the new total', async ({
  page,
}) => {
  const order = await placeOrderOfSeveral(page, 3)
  await page.goto(`/dashboard/payment/${order._id}`)
  await expect(page.getByRole('button', { name: `Pay ${formatDollars(order.price)}` })).toBeEnabled()

  const [removed] = order.lines
  const { cancelPurchase } = await apiClientOf(page)
  await cancelPurchase({ params: { id: removed!._id } })
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  const total = formatDollars(order.price - removed!.price)
  const item = `${formatCount(removed!.quantity)} × ${removed!.parts}`
  await expect(page.getByRole('status').filter({ hasText: 'This order has changed' })).toHaveText(
    `This order has changed: ${item} removed. The total is now ${total}, before it was ${formatDollars(order.price)}.`,
  )
  await expect(await definitionOf(page.getByRole('main'), 'Order total')).toHaveText(total)
  const pay = page.getByRole('button', { name: `Pay ${total}` })
  await expect(pay).toBeEnabled()
  await fillCard(page, cards.good)
  await pay.click()
  await expect(completed(page)).toBeVisible()
})

test('an order of several parts is one group in My Orders and is paid at once, and its payment page, order page and invoice list them on a phone', async ({
  page,
  origin,
}) => {
  const order = await placeOrderOfSeveral(page, 3)
  const total = formatDollars(order.price)

  await page.goto('/dashboard/myOrders')
  const group = page.getByRole('rowheader').filter({ hasText: `Order #${order.number}` })
  await expect(group).toContainText('3 items')
  await expect(group.getByRole('link', { name: `Pay ${total}` })).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  const card = page.getByRole('article', { name: `Order #${order.number}` })
  await card.getByRole('link', { name: `Pay ${total}` }).click()
  const pay = page.getByRole('button', { name: `Pay ${total}` })
  await expect(pay).toBeEnabled()
  for (const { price, quantity, parts } of order.lines) {
    const amount = await definitionOf(page.getByRole('main'), `${quantity} × ${parts}`)
    await expect(amount).toHaveText(formatDollars(price))
    expect(await countLines(amount)).toBe(1)
  }
  await fillCard(page, cards.good)
  await pay.click()
  await expect(completed(page)).toBeVisible()

  await page.getByRole('link', { name: 'View invoice' }).click()
  for (const { parts } of order.lines) await expect(page.getByRole('cell', { name: parts })).toBeVisible()
  await expect(await definitionOf(page.getByRole('article'), 'Total paid')).toHaveText(total)
  const [, refunded, last] = order.lines
  const { refundPurchase } = await createSignedInClient(origin, admin)
  const body = { amount: 5, reason: 'One was bent', returned: 0 }
  await refundPurchase({ params: { id: refunded!._id }, body })
  await page.goBack()
  await expect(page.getByText(`Refunded $5 of ${total}`)).toBeVisible()
  await page.getByRole('link', { name: 'View order' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${order.number}`)
  const article = page.getByRole('article')
  await expect(await definitionOf(article, 'Order total')).toHaveText(total)
  await expect(await definitionOf(article, 'Refunded')).toHaveText('$5')
  await expect(article.getByRole('list', { name: 'Timeline' })).toContainText(
    `Refunded $5 for ${refunded!.parts}`,
  )
  await expectAccessible(page, 'an order of several items')
  await page.getByRole('link', { name: last!.parts }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(last!.parts)
  await expect(article.getByRole('list', { name: 'Timeline' })).not.toContainText('Refunded')
  const others = page.getByRole('region', { name: `Also in order #${order.number}` }).getByRole('listitem')
  await expect(others).toHaveText([/Not shipped yet/, /Not shipped yet.*Refunded \$5 of/])
  await page.getByRole('link', { name: refunded!.parts }).click()
  await expect(await definitionOf(article, 'Refunded for this item')).toHaveText('$5')
  await navigate(page, '/dashboard/myOrders')
  await expect(card).toContainText(`Refunded $5 of ${total}`)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(group.getByRole('link', { name: `Papers of order #${order.number}` })).toBeVisible()
  await expect(group).toContainText(`Refunded $5 of ${total}`)
})

/** Lines of text. */
function countLines(element: Locator) {
  return element.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    return text.getClientRects().length
  })
}
