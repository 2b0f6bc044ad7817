import { sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { bankEvents, bankRefunds, bankRequests, charges, paymentIntents } from '#db/embedded.ts'
import { bankSdk, readLatestCharge, testOrder } from '#test/bank.ts'
import { cardBody } from '#test/card.ts'
import { billing, payByCard, type TestShop, testShop } from '#test/shop.ts'
import { embeddedPayments } from './embedded.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function post(
  shop: TestShop,
  path: string,
  form: Record<string, string> | URLSearchParams | string = {},
  headers: Record<string, string> = {},
) {
  const url = `http://shop.test/payments/v1/payment_intents${path}`
  return shop.payments.fetch(new Request(url, { method: 'POST', headers, body: new URLSearchParams(form) }))
}

async function openPayment() {
  const shop = await testShop()
  const { id, clientSecret } = await shop.payments.open(testOrder, 'key')
  return { shop, id, clientSecret }
}

const secretKey = { authorization: 'Bearer sk_test_bank' }

test('open creates a payment for the order’s price, and find returns it', async () => {
  const { payments } = await testShop()
  const opened = await payments.open(testOrder, 'key')
  expect(opened).toMatchObject({ orderId: 'order-1', amountCents: 124000, status: 'open' })
  expect(await payments.find(opened.id)).toEqual(opened)
  expect(await payments.find('pi_unknown')).toBe(null)
})

test('20 concurrent opens with one key create one payment', async () => {
  const { payments } = await testShop()
  const opened = await Promise.all(Array.from({ length: 20 }, () => payments.open(testOrder, 'key')))
  expect(new Set(opened.map((payment) => payment.id)).size).toBe(1)
  expect((await payments.open(testOrder, 'another')).id).not.toBe(opened[0]!.id)
})

test('open rejects a key that was used for another order', async () => {
  const shop = await testShop()
  await shop.payments.open(testOrder, 'key')
  const other = shop.payments.open({ ...testOrder, amountCents: 100 }, 'key')
  await expect(other).rejects.toMatchObject({ code: 'unavailable' })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('a repeated open returns the current status of a paid payment', async () => {
  const { shop, clientSecret } = await openPayment()
  await payByCard(shop, clientSecret)
  expect(await shop.payments.open(testOrder, 'key')).toMatchObject({ status: 'paid', clientSecret })
})

test('a payment in another currency has amount NaN', async () => {
  const { shop, id } = await openPayment()
  await shop.db.update(paymentIntents).set({ amount: 124_001 })
  expect(await shop.payments.find(id)).toMatchObject({ amountCents: 124_001, status: 'open' })
  await shop.db.update(paymentIntents).set({ currency: 'eur' })
  expect(await shop.payments.find(id)).toMatchObject({ amountCents: Number.NaN, status: 'open' })
})

test('a payment with pending 3-D Secure is open and can be cancelled', async () => {
  const { shop, id, clientSecret } = await openPayment()
  const { status, response } = await payByCard(shop, clientSecret, '4000002500003155')
  expect([status, response.status]).toEqual([200, 'requires_action'])
  expect(await shop.payments.find(id)).toMatchObject({ status: 'open' })
  expect(await shop.payments.cancel(id)).toMatchObject({ status: 'cancelled' })
  const late = await post(shop, `/${id}/authenticate`, { client_secret: clientSecret, outcome: 'complete' })
  expect(late.status).toBe(400)
  expect(await shop.payments.find(id)).toMatchObject({ status: 'cancelled' })
})

test('find and cancel return null for an unknown payment', async () => {
  const { payments } = await testShop()
  for (const id of ['pi_unknown', '../refunds']) {
    expect([await payments.find(id), await payments.cancel(id)]).toEqual([null, null])
  }
})

const refundA = { amountCents: 4000, key: 'a', failures: 0 }

async function paidPayment() {
  const { shop, id, clientSecret } = await openPayment()
  await payByCard(shop, clientSecret)
  return { ...shop, id }
}

test('a payment can be refunded in parts and lists every refund', async () => {
  const { payments, id } = await paidPayment()
  const first = await payments.refund(id, refundA)
  expect(first.id).toMatch(/^re_/)
  expect(first).toEqual({ id: first.id, amountCents: 4000, status: 'accepted', key: 'a' })
  const rest = await payments.refund(id, { amountCents: 120000, key: 'b', failures: 0 })
  expect(await payments.find(id)).toMatchObject({ status: 'paid', refunds: [rest, first] })
  expect(await payments.cancel(id)).toMatchObject({ status: 'paid', refunds: [rest, first] })
})

test('a repeated refund key refunds once, even after the idempotency key expired', async () => {
  const { db, payments, id } = await paidPayment()
  const first = await payments.refund(id, refundA)
  expect(await payments.refund(id, refundA)).toEqual(first)
  await db.update(bankRequests).set({ created: sql`created - 24 * 60 * 60 - 1` })
  await payments.purgeExpired()
  expect(await db.$count(bankRequests)).toBe(0)
  expect(await payments.refund(id, refundA)).toEqual(first)
  expect(await db.$count(bankRefunds)).toBe(1)
})

test('refund rejects an amount above the balance, an unpaid and an unknown payment', async () => {
  const { payments, id } = await paidPayment()
  const refundOf = (amount: number) =>
    payments.refund(id, { amountCents: amount * 100, key: `refused-${amount}`, failures: 0 })
  await expect(refundOf(1241)).rejects.toMatchObject({
    code: 'conflict',
    message:
      'The payment provider rejected the refund: Refund amount ($1241.00) is greater than charge amount ($1240.00)',
  })
  await payments.refund(id, { amountCents: 124000, key: 'all', failures: 0 })
  await expect(refundOf(1)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This payment was already refunded in full.',
  })
  const unpaid = await payments.open(testOrder, 'unpaid')
  const nothing = payments.refund(unpaid.id, { amountCents: 100, key: 'nothing', failures: 0 })
  await expect(nothing).rejects.toMatchObject({ code: 'conflict' })
  for (const unknown of ['pi_unknown', '../events']) {
    const refund = payments.refund(unknown, { amountCents: 100, key: 'unknown', failures: 0 })
    await expect(refund).rejects.toMatchObject({
      code: 'conflict',
      message: 'The payment provider doesn’t have this payment.',
    })
  }
})

test('find returns every refund, however many and whoever created them', async () => {
  const { db, payments, id } = await paidPayment()
  const [charge] = await db.select().from(charges)
  const rows = Array.from({ length: 120 }, (_, index) => ({
    id: `re_${index}`,
    charge: charge!.id,
    paymentIntent: id,
    amount: 100,
    currency: 'usd',
    status: 'succeeded' as const,
    metadata: {},
    created: 1,
  }))
  await db.insert(bankRefunds).values(rows)
  const { refunds } = (await payments.find(id))!
  expect(refunds).toHaveLength(120)
  expect(refunds[0]).toEqual({ id: 're_119', amountCents: 100, status: 'accepted', key: null })
})

test('a failed refund is reported as failed, and its key does not refund again', async () => {
  const { shop, id, clientSecret } = await openPayment()
  await payByCard(shop, clientSecret, '4000000000005126')
  const created = await shop.payments.refund(id, refundA)
  expect(created.status).toBe('accepted')
  await shop.payments.deliver(() => new Response())
  const failed = { ...created, status: 'failed' }
  expect(await shop.payments.find(id)).toMatchObject({ status: 'paid', refunds: [failed] })
  expect(await shop.payments.refund(id, refundA)).toEqual(failed)
  expect(await shop.payments.refund(id, { amountCents: 124000, key: 'b', failures: 0 })).toMatchObject({
    amountCents: 124000,
  })
})

test('the webhook gets the events that docs/payments.md names, and no others', async () => {
  const shop = await testShop()
  const { db, payments } = shop
  const { clientSecret } = await payments.open(testOrder, 'key')
  await payByCard(shop, clientSecret)
  const types: string[] = []
  await payments.deliver(async (request) => {
    types.push(((await request.json()) as Stripe.Event).type)
    return new Response()
  })
  expect(types).toEqual(['payment_intent.succeeded'])
  expect(await db.$count(bankEvents)).toBe(3)
})

test('purgeExpired deletes idempotency keys after a day and delivered events after 30 days', async () => {
  const { db, payments } = await testShop()
  const cancelNew = async (key: string) => payments.cancel((await payments.open(testOrder, key)).id)
  await cancelNew('key')
  await payments.deliver(() => new Response())
  await cancelNew('untold')
  await db.update(bankEvents).set({ created: sql`created - 29 * 24 * 60 * 60` })
  await db.update(bankRequests).set({ created: sql`created - 23 * 60 * 60` })
  await payments.purgeExpired()
  expect([await db.$count(bankRequests), await db.$count(bankEvents)]).toEqual([4, 4])
  await db.update(bankEvents).set({ created: sql`created - 2 * 24 * 60 * 60` })
  await db.update(bankRequests).set({ created: sql`created - 2 * 60 * 60` })
  await payments.purgeExpired()
  expect([await db.$count(bankRequests), await db.$count(bankEvents)]).toEqual([0, 1])
})

test('a paid payment cannot be cancelled, and a cancelled payment cannot be paid', async () => {
  const shop = await testShop()
  const paid = await shop.payments.open(testOrder, 'one')
  await payByCard(shop, paid.clientSecret)
  expect(await shop.payments.cancel(paid.id)).toMatchObject({ status: 'paid' })

  const cancelled = await shop.payments.open(testOrder, 'two')
  expect(await shop.payments.cancel(cancelled.id)).toMatchObject({ status: 'cancelled' })
  expect(await shop.payments.cancel(cancelled.id)).toMatchObject({ status: 'cancelled' })
  expect((await payByCard(shop, cancelled.clientSecret)).status).toBe(400)
})

test('a payment stores the billing details, and of the card only brand and last four digits', async () => {
  const { shop, id, clientSecret } = await openPayment()
  await payByCard(shop, clientSecret)
  const [stored] = await shop.db.select().from(paymentIntents)
  expect(stored).toMatchObject({ id, billingDetails: billing })
  expect(stored?.card).toEqual({ brand: 'visa', last4: '4242' })
  expect(withoutIds(stored)).not.toContain('424242')
})

test('each test card has its published outcome', async () => {
  const outcomes = {
    '4000000000000002': 'Your card was declined.',
    '4000000000009995': 'Your card has insufficient funds.',
    '4000000000000069': 'Your card has expired.',
    '4000000000000127': "Your card's security code is incorrect.",
    '4000000000000119': 'An error occurred while processing your card. Try again in a little bit.',
  }
  const { shop, clientSecret } = await openPayment()
  for (const [number, message] of Object.entries(outcomes)) {
    const { status, response } = await payByCard(shop, clientSecret, number)
    expect([status, response.error.type, response.error.message]).toEqual([402, 'card_error', message])
  }
  expect((await payByCard(shop, clientSecret, '4242 4242 4242 4242')).status).toBe(200)
})

test('an unknown card number is declined and not stored', async () => {
  const { shop, clientSecret } = await openPayment()
  const { status, response } = await payByCard(shop, clientSecret, '4111111111111111')
  expect([status, response.error.code]).toEqual([402, 'incorrect_number'])
  const stored = withoutIds([
    await shop.db.select().from(paymentIntents),
    await shop.db.select().from(bankRequests),
    response,
  ])
  expect(stored).not.toContain('4111111')
})

test('an invalid expiry or CVC is declined with a message', async () => {
  const { shop, id, clientSecret } = await openPayment()
  const invalid = ['exp_month=13', 'exp_month=', 'exp_year=20', 'exp_year=', 'cvc=12', 'cvc=abc']
  for (const change of invalid) {
    const [field, value] = change.split('=') as [string, string]
    const body = cardBody(clientSecret)
    body.set(`payment_method_data[card][${field}]`, value)
    const response = await post(shop, `/${id}/confirm`, body)
    expect(response.status, change).toBe(402)
    expect((await response.json()).error.message, change).toContain('is invalid')
  }
})

test('a request without the API key needs the payment’s own client secret', async () => {
  const { shop, id } = await openPayment()
  expect((await post(shop, '', { amount: '5000', currency: 'usd' })).status).toBe(401)
  expect((await post(shop, `/${id}/cancel`)).status).toBe(401)
  expect((await post(shop, `/${id}/cancel`, {}, { authorization: 'Bearer sk_test_guess' })).status).toBe(401)
  expect((await post(shop, `/${id}/confirm`, { client_secret: 'guess' })).status).toBe(404)
  const read = await shop.payments.fetch(new Request(`http://shop.test/payments/v1/payment_intents/${id}`))
  expect(read.status).toBe(404)
})

// Each is about as long as a request body may be.
const oversizedBodies = {
  'a list without end': 'a[]=&'.repeat(13_000),
  'parameters without end': 'a=1&'.repeat(16_000),
  'brackets without end': `a${'[b]'.repeat(21_000)}=1`,
}

test('an unauthenticated request is rejected before its body is parsed', async () => {
  const logged = vi.spyOn(console, 'error')
  const { shop, id, clientSecret } = await openPayment()
  const other = await shop.payments.open(testOrder, 'other')
  for (const [name, body] of Object.entries(oversizedBodies)) {
    const statuses = [
      (await post(shop, '', body)).status,
      (await post(shop, '', body, { authorization: 'Bearer sk_test_guess' })).status,
      (await post(shop, `/${id}/cancel`, body)).status,
      (await post(shop, `/${id}/confirm`, body)).status,
      (await post(shop, `/${id}/authenticate`, `client_secret=${other.clientSecret}&${body}`)).status,
    ]
    expect(statuses, name).toEqual([401, 401, 401, 404, 404])
  }
  const duplicated = await post(shop, `/${id}/confirm`, `client_secret=guess&client_secret=${clientSecret}`)
  expect(duplicated.status).toBe(404)
  expect(logged).not.toHaveBeenCalled()
})

test('a request with too many parameters or nesting levels is rejected', async () => {
  const logged = vi.spyOn(console, 'error')
  const { shop, id, clientSecret } = await openPayment()
  const tooMany = 'A request can have up to 600 parameters.'
  const tooDeep = 'Parameters can be nested up to 5 levels deep.'
  const messages = [tooMany, tooMany, tooDeep]
  for (const [index, body] of Object.values(oversizedBodies).entries()) {
    const responses = [
      await post(shop, `/${id}/confirm`, `client_secret=${clientSecret}&${body}`),
      await post(shop, '', body, secretKey),
    ]
    for (const response of responses) {
      expect(response.status).toBe(400)
      expect((await response.json()).error).toEqual({
        type: 'invalid_request_error',
        message: messages[index],
      })
    }
  }
  expect(logged).not.toHaveBeenCalled()
})

test('a parameter above its maximum length is rejected and not stored', async () => {
  const { shop, id, clientSecret } = await openPayment()
  const number = '4000000000000002'
  const valid = Object.fromEntries(cardBody(clientSecret, { number }))
  const details = 'payment_method_data[billing_details]'
  const invalid = {
    [`${details}[name]`]: 'x'.repeat(257),
    [`${details}[email]`]: `${'x'.repeat(501)}@example.com`,
    receipt_email: `${'x'.repeat(501)}@example.com`,
    return_url: 'x'.repeat(5001),
    'payment_method_data[card][number]': number.padEnd(51),
  }
  for (const [param, value] of Object.entries(invalid)) {
    const response = await post(shop, `/${id}/confirm`, { ...valid, [param]: value })
    const message = expect.stringMatching(/^Invalid string: must be at most \d+ characters$/)
    expect([response.status, (await response.json()).error]).toEqual([
      400,
      { type: 'invalid_request_error', message, param },
    ])
  }
  const version = { 'stripe-version': `2026-10-28.${'x'.repeat(51)}` }
  const response = await post(shop, `/${id}/confirm`, valid, version)
  expect([response.status, (await response.json()).error.message]).toEqual([
    400,
    `Invalid Stripe API version: ${version['stripe-version']}`,
  ])
  expect(await shop.db.$count(charges)).toBe(0)
  const longest = { [`${details}[name]`]: 'x'.repeat(256), [`${details}[email]`]: 'x'.repeat(512) }
  expect((await post(shop, `/${id}/confirm`, { ...valid, ...longest })).status).toBe(402)
  expect(await shop.db.$count(charges)).toBe(1)
})

test('after 30 failed attempts a payment rejects every card and stores nothing more', async () => {
  const { shop, id, clientSecret } = await openPayment()
  const challenge = () => payByCard(shop, clientSecret, '4000002500003155')
  for (let failure = 0; failure < 10; failure += 1) {
    expect((await payByCard(shop, clientSecret, '4000000000000002')).response.error.code).toBe(
      'card_declined',
    )
    // One abandoned and one failed challenge.
    expect([(await challenge()).status, (await challenge()).status]).toEqual([200, 200])
    const failed = await post(shop, `/${id}/authenticate`, { client_secret: clientSecret, outcome: 'fail' })
    expect(failed.status).toBe(200)
  }
  const stored = async () => [
    await shop.db.select().from(charges),
    await shop.db.select().from(bankEvents),
    await shop.db.select().from(paymentIntents),
  ]
  const before = await stored()
  for (const number of ['4000000000000002', '4000002500003155', '4242424242424242']) {
    const { status, response } = await payByCard(shop, clientSecret, number)
    expect(status).toBe(402)
    expect(response.error).toMatchObject({
      type: 'card_error',
      code: 'card_decline_rate_limit_exceeded',
      message:
        'Too many cards were declined for this payment. You weren’t charged. Cancel the order and place it again.',
    })
  }
  expect(await stored()).toEqual(before)
  const other = await shop.payments.open(testOrder, 'other')
  expect((await payByCard(shop, other.clientSecret)).status).toBe(200)
  expect(await shop.payments.cancel(id)).toMatchObject({ status: 'cancelled' })
})

test('idempotency records and events contain no card data beyond the last four digits', async () => {
  const { shop, id, clientSecret } = await openPayment()
  const form = cardBody(clientSecret, { number: '5555555555554444', cvc: '987' })
  form.set('payment_method_data[card][exp_year]', '39')
  const headers = { ...secretKey, 'idempotency-key': 'confirmation' }
  const confirmed = await post(shop, `/${id}/confirm`, form, headers)
  expect(confirmed.status).toBe(200)
  form.set('payment_method_data[card][cvc]', '986')
  const again = await post(shop, `/${id}/confirm`, form, headers)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const stored = withoutIds([
    await shop.db.select().from(bankRequests),
    await shop.db.select().from(bankEvents),
    await shop.db.select().from(charges),
  ])
  expect(stored).toContain('4444')
  for (const secret of ['55555555', '54444', '987"', '2039']) expect(stored).not.toContain(secret)
})

/** Random ids and Unix times can contain any digits. */
function withoutIds(rows: unknown) {
  return JSON.stringify(rows).replaceAll(/[0-9a-f]{24,}|\b1\d{9}\b/g, '')
}

test('the test cards report their brand and funding', async () => {
  const brands = {
    '4000056655665556': ['visa', 'debit'],
    '5555555555554444': ['mastercard', 'credit'],
    '5105105105105100': ['mastercard', 'prepaid'],
    '378282246310005': ['amex', 'credit'],
    '6011111111111117': ['discover', 'credit'],
    '3056930009020004': ['diners', 'credit'],
    '3566002020360505': ['jcb', 'credit'],
    '6200000000000005': ['unionpay', 'credit'],
  }
  const shop = await testShop()
  for (const [number, expected] of Object.entries(brands)) {
    const { id, clientSecret } = await shop.payments.open(testOrder, number)
    await payByCard(shop, clientSecret, number)
    const { payment_method_details: details } = await readLatestCharge(bankSdk(shop), id)
    expect([details?.card?.brand, details?.card?.funding]).toEqual(expected)
  }
})

/** Needs PostgreSQL: the embedded engine runs one statement at a time. */
if (inject('postgresUrl')) {
  const concurrently = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)))

  test('of a concurrent confirm and cancel, exactly one succeeds', async () => {
    const shop = await testShop()
    await concurrently(20, async (index) => {
      const { id, clientSecret } = await shop.payments.open(testOrder, `key-${index}`)
      const [, cancelled] = await Promise.all([payByCard(shop, clientSecret), shop.payments.cancel(id)])
      const { status } = (await shop.payments.find(id))!
      expect(['paid', 'cancelled']).toContain(status)
      expect(cancelled).toMatchObject({ status })
    })
    const paid = await shop.db.$count(paymentIntents, sql`status = 'succeeded'`)
    expect(await shop.db.$count(charges)).toBe(paid)
  })

  test('20 concurrent refunds never exceed the paid amount', async () => {
    const { db, payments, id } = await paidPayment()
    const refunds = await concurrently(20, (index) =>
      payments
        .refund(id, { amountCents: 20_000, key: `refund-${index}`, failures: 0 })
        .catch((error) => error.code),
    )
    expect(refunds.filter((refund) => refund === 'conflict')).toHaveLength(14)
    expect(await db.select().from(charges)).toMatchObject([{ amountRefunded: 120_000 }])
    expect(await db.$count(bankRefunds)).toBe(6)
  })

  test('20 concurrent refunds with one key refund once', async () => {
    const { db, payments, id } = await paidPayment()
    const refunds = await concurrently(20, () =>
      payments.refund(id, { amountCents: 4000, key: 'refund', failures: 0 }),
    )
    expect(new Set(refunds.map((refund) => refund.id)).size).toBe(1)
    expect(await db.$count(bankRefunds)).toBe(1)
  })

  test('concurrent deliveries send each event once', async () => {
    const { db, payments } = await testShop()
    await concurrently(20, async (index) =>
      payments.cancel((await payments.open(testOrder, `key-${index}`)).id),
    )
    const delivered: string[] = []
    const webhook = async (request: Request) => {
      delivered.push(((await request.json()) as Stripe.Event).id)
      return new Response()
    }
    const counts = await concurrently(4, () => embeddedPayments(db, { secret: 'bank' }).deliver(webhook))
    expect(counts.reduce((sum, count) => sum + count)).toBe(20)
    expect(new Set(delivered).size).toBe(20)
    expect(delivered).toHaveLength(20)
  })
}
