import type { Page } from '@playwright/test'
import { demoAdmin as admin } from '#db/seed/accounts.ts'
import { signedIn } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { callsOf, cancelOrders, openNewPayment, payElsewhere, placePaidOrder } from './orders.ts'
import {
  accessToken,
  cards,
  expect,
  expectRedBelow,
  fact,
  fillCard,
  payWith,
  registerByApi,
  respondWith,
  test,
} from './shop.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const bank = '**/payments/v1/payment_intents/*'
const confirm = '**/payments/v1/payment_intents/*/confirm'
const lost = /net::ERR_/
const completed = (page: Page) => page.getByText('Congratulations! Your Payment is completed.')
const question = (page: Page) => page.getByRole('dialog', { name: 'Is it you who pays $300?' })
const refused = (page: Page) => page.getByRole('main').getByRole('alert')
const button = (page: Page) => page.getByRole('button', { name: 'Pay $300' })

test('a card with 3-D Secure pays once its owner agrees', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await expect(question(page)).toContainText('Test mode')
  await question(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()
  await expect(question(page)).toBeHidden()
})

test('a card whose owner does not agree is refused in words, and another one pays', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await question(page).getByRole('button', { name: 'Fail' }).click()
  await expectRedBelow(page.getByText(/unable to authenticate/), button(page))
  await expect(page.getByLabel('Card number')).toHaveValue(cards.asking)
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('the question of 3-D Secure holds the keyboard, can be closed, and is asked again', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await fillCard(page, cards.asking)
  await button(page).press('Enter')
  const dialog = question(page)
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Fail' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Your bank still waits for your answer')).toBeVisible()
  await expect(button(page)).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText('Your bank still waits for your answer')).toBeVisible()
  await button(page).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(completed(page)).toBeVisible()
})

test('a reload while 3-D Secure asks loses nothing', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await expect(question(page)).toBeVisible()
  await page.reload()
  await expect(button(page)).toBeEnabled()
  await payWith(page, cards.asking)
  await question(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()
})

test('an answer of 3-D Secure that got lost is found out', async ({ page, expectTrouble }) => {
  expectTrouble(lost)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await payWith(page, cards.asking)
  await page.route('**/authenticate', (route) => route.abort(), { times: 1 })
  await question(page).getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Your bank still waits for your answer')).toBeVisible()
  await button(page).click()
  await page.route('**/authenticate', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await question(page).getByRole('button', { name: 'Complete' }).click()
  await expect(completed(page)).toBeVisible()
})

test('while nobody knows whether the bank took a payment, no second one is made', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(lost)
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  const confirmed = countOf(page, 'confirm')
  await page.route(confirm, (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await page.route(`${bank}?*`, (route) => route.abort())
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: order }))
  await payWith(page, cards.good)
  await expect(page.getByText('Finding out what became of your payment')).toBeVisible()
  await expect(button(page)).toHaveAttribute('aria-disabled', 'true')
  await button(page).click({ force: true })
  await page.getByLabel('CVC').press('Enter')
  const asked = page.waitForRequest(`${bank}?*`)
  await backOnline(page)
  await asked
  await expect(page.getByText('Finding out what became of your payment')).toBeVisible()

  await page.unroute('**/api/purchase/*')
  await page.unroute(`${bank}?*`)
  await backOnline(page)
  await expect(completed(page)).toBeVisible()
  expect(confirmed()).toBe(1)
})

test('a payment that never reached the bank can be made again', async ({ page, expectTrouble }) => {
  expectTrouble(lost)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route(confirm, (route) => route.abort(), { times: 1 })
  await payWith(page, cards.good)
  const words = page.getByText('The bank did not take your payment, and nothing was charged.')
  await expectRedBelow(words, button(page))
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await button(page).click()
  await expect(completed(page)).toBeVisible()
})

test('a bank in trouble is asked what became of the payment', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 500/)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route(confirm, (route) => route.fetch().then(() => route.fulfill({ status: 500 })), { times: 1 })
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
})

test('a browser that is closed after the payment finds it completed when it comes back', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(lost)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await openNewPayment(page)
  const taken = Promise.withResolvers<void>()
  await page.route(confirm, (route) => route.fetch().then(() => taken.resolve()), { times: 1 })
  await payWith(page, cards.good)
  await taken.promise
  await page.close()

  const later = await context.newPage()
  await later.goto(`/dashboard/payment/${_id}`)
  await expect(completed(later)).toBeVisible()
})

test('a page that shows the card form sees that another one has paid', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(/status of 400 .*\/confirm/)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await openNewPayment(page)
  const [seen, pays] = [await context.newPage(), await context.newPage()]
  for (const other of [seen, pays]) {
    await other.goto(`/dashboard/payment/${_id}`)
    await fillCard(other, cards.good)
  }
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
  const transaction = (await page.getByText(/^pi_/).textContent())!

  await seen.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(seen.getByText(transaction)).toBeVisible()
  await button(pays).click()
  await expect(pays.getByText(transaction)).toBeVisible()
})

test('two pages that pay at the same moment pay once', async ({ page, context, expectTrouble }) => {
  expectTrouble(/status of 400 .*\/confirm/)
  await registerByApi(page, 'Ida Renn')
  const { _id } = await openNewPayment(page)
  const other = await context.newPage()
  await other.goto(`/dashboard/payment/${_id}`)
  await Promise.all([fillCard(page, cards.good), fillCard(other, cards.good)])
  await Promise.all([button(page).click(), button(other).click()])
  await expect(completed(page)).toBeVisible()
  await expect(completed(other)).toBeVisible()
  const transaction = await page.getByText(/^pi_/).textContent()
  await expect(other.getByText(/^pi_/)).toHaveText(transaction!)
})

test('a payment that the bank processes is waited for, through a reload, until it is made', async ({
  page,
}) => {
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  await processing(page)
  await page.reload()
  const waits = page.getByRole('status').filter({ hasText: 'Your payment is being processed.' })
  await expect(waits).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await page.reload()
  await expect(waits).toBeVisible()
  await expectAccessible(page, 'a payment that is processed')

  await payBehind(page, order)
  await expect(completed(page)).toBeVisible()
})

test('a payment that the bank processes and then declines may be tried again', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await processing(page)
  await page.route(confirm, (route) => route.fulfill({ json: { status: 'processing' } }), { times: 1 })
  const opens = countOf(page, 'create-payment-intent')
  await payWith(page, cards.good)
  await expect(page.getByText('Your payment is being processed.')).toBeVisible()
  const asked = page.waitForResponse(`${bank}?*`)
  await backOnline(page)
  await asked
  await expect(page.getByText('Your payment is being processed.')).toBeVisible()

  await page.unroute(`${bank}?*`)
  await backOnline(page)
  await expect(page.getByText('The bank did not take your payment, and nothing was charged.')).toBeVisible()
  await payWith(page, cards.good)
  await expect(completed(page)).toBeVisible()
  expect(opens()).toBe(0)
})

test('a shop that cannot be told of a payment is told again by itself', async ({ page, expectTrouble }) => {
  expectTrouble(/net::ERR_FAILED .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.route('**/api/purchase/*', (route) => route.abort())
  const confirmed = countOf(page, 'confirm')
  await payWith(page, cards.good)
  await expect(page.getByText('You will not be charged again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Tell the shop again' })).toBeVisible()
  await expectAccessible(page, 'a payment of which the shop could not be told')
  await page.unroute('**/api/purchase/*')
  await backOnline(page)
  await expect(completed(page)).toBeVisible()
  expect(confirmed()).toBe(1)
})

test('a shop that asked the bank too early shows that the order is paid after all', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 402 .*\/api\/purchase\//)
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

test('what becomes of a payment that the shop did not take is said without a promise', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 402 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  await page.route('**/api/purchase/*', (route) =>
    route.request().method() === 'PATCH'
      ? respondWith(402, 'The payment was not completed.')(route)
      : route.fulfill({ json: order }),
  )
  await payWith(page, cards.good)
  await expect(refused(page)).toHaveText(
    /^The payment was not completed\. If your card was charged, it pays your order after all or the money goes back to you/,
  )
  await expect(refused(page), 'where the keyboard goes on').toBeFocused()
  await page.unroute('**/api/purchase/*')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(completed(page)).toBeVisible()
})

test('whoever is signed in as somebody else by now hears nothing of the order', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await fillCard(page, cards.good)
  const other = await anotherBrowser()
  await registerByApi(other, 'Otto Stranger')
  const token = await accessToken(other)
  await page.evaluate((token) => localStorage.setItem('accessToken', token!), token)
  await button(page).click()
  await expect(refused(page)).toHaveText(
    /^There is no such order\. If your card was charged, we write to whoever placed the order/,
  )
})

test('an order that was cancelled meanwhile takes no money', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 40[049] /)
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  await fillCard(page, cards.good)
  await cancelOrders(page, [order])
  await button(page).click()
  await expect(refused(page)).toContainText('This payment can no longer be made, and nothing was charged.')
  await expect(refused(page), 'where the keyboard goes on').toBeFocused()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('There is no such order.')).toBeVisible()
})

test('an order that expires while its payment page is open says so', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  const held = await fact(page.getByRole('main'), 'Held for')
  await expect(held).toHaveText(/^2 days 23 hours$|^3 days$/)
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: { ...order, expired: true } }))
  await backOnline(page)
  await expect(page.getByText('This order has expired.')).toBeVisible()
  await expect(button(page)).toHaveCount(0)
  await cancelOrders(page, [order])
})

test('an order whose time is over, and that has not expired yet, is held no longer', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const order = await openNewPayment(page)
  const late = { ...order, heldUntil: new Date(Date.now() - 60_000).toISOString() }
  await page.route('**/api/purchase/*', (route) => route.fulfill({ json: late }))
  await page.route('**/api/myPurchase?*', async (route) => {
    await route.fulfill({ response: await route.fetch(), json: [late] })
  })
  for (const address of [
    `/dashboard/payment/${order._id}`,
    `/dashboard/orders/${order._id}`,
    '/dashboard/myOrders',
  ]) {
    await page.goto(address)
    await expect(page.getByText('Its time to pay is over.'), address).toBeVisible()
    await expect(page.getByText('Held for'), address).toHaveCount(0)
  }
  await page.unrouteAll()
  await cancelOrders(page, [order])
})

test('a payment that was given back says how much', async ({ page, baseURL }) => {
  await registerByApi(page, 'Ida Renn')
  const { _id: id } = await placePaidOrder(page, tube, 100)
  const { refundOrder } = await signedIn(baseURL!, admin)
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

test('the card form, its mistakes, its test cards and its question are no barrier', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openNewPayment(page)
  await page.getByText('Test cards', { exact: true }).click()
  await expectAccessible(page, 'the test cards')
  await page.getByText('Test cards', { exact: true }).click()
  await button(page).click()
  await expect(page.getByText('CVC is required')).toBeVisible()
  await expectAccessible(page, 'the card form with mistakes')
  await payWith(page, cards.asking)
  await expect(question(page)).toBeVisible()
  await expectAccessible(page, 'the question of 3-D Secure')
})

/** How often an address that ends so was asked for since. */
function countOf(page: Page, end: string) {
  let count = 0
  page.on('request', (request) => {
    if (request.url().endsWith(end)) count++
  })
  return () => count
}

/** What a browser says when it has a connection again: then the page looks at once. */
function backOnline(page: Page) {
  return page.evaluate(() => dispatchEvent(new Event('online')))
}

/** Some banks take days over a payment; this one never does, so its answers are changed on the way. */
async function processing(page: Page) {
  await page.route('**/api/create-payment-intent', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), processing: true } })
  })
  await page.route(`${bank}?*`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), status: 'processing' } })
  })
}

/** Pays an order whose payment page is open without that page. */
async function payBehind(page: Page, { _id, price }: { _id: string; price: number }) {
  const { startPayment } = await callsOf(page)
  const { clientSecret } = await startPayment({ body: { price, purchase: _id } })
  await payElsewhere(page, clientSecret)
}
