import { expect, test } from 'vitest'
import { bankRequests, paymentIntents } from '#db/embedded.ts'
import { billing, payByCard, type TestShop, testShop } from '#test/shop.ts'

const order = { _id: 'order-1', price: 1240, email: 'ada@example.com' }

function post(
  shop: TestShop,
  path: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const address = `http://shop.test/payments/v1/payment_intents${path}`
  return shop.payments.fetch(
    new Request(address, { method: 'POST', headers, body: new URLSearchParams(form) }),
  )
}

test('a payment is opened over the order’s dollars and found again', async () => {
  const { payments } = await testShop()
  const opened = await payments.open(order, 'key')
  expect(opened).toMatchObject({ orderId: 'order-1', amount: 1240, status: 'open' })
  expect(await payments.find(opened.id)).toEqual(opened)
  expect(await payments.find('pi_unknown')).toBe(null)
})

test('the same key opens the same payment, 20 times at once', async () => {
  const { payments } = await testShop()
  const opened = await Promise.all(Array.from({ length: 20 }, () => payments.open(order, 'key')))
  expect(new Set(opened.map((payment) => payment.id)).size).toBe(1)
  expect((await payments.open(order, 'another')).id).not.toBe(opened[0]!.id)
})

test('the same key for another order is an error, never another payment', async () => {
  const shop = await testShop()
  await shop.payments.open(order, 'key')
  const other = shop.payments.open({ ...order, price: 1 }, 'key')
  await expect(other).rejects.toMatchObject({ code: 'unavailable' })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('a payment ends once: paid or cancelled', async () => {
  const shop = await testShop()
  const paid = await shop.payments.open(order, 'one')
  await payByCard(shop, paid.clientSecret)
  expect(await shop.payments.cancel(paid.id)).toMatchObject({ status: 'paid' })

  const cancelled = await shop.payments.open(order, 'two')
  expect(await shop.payments.cancel(cancelled.id)).toMatchObject({ status: 'cancelled' })
  expect(await shop.payments.cancel(cancelled.id)).toMatchObject({ status: 'cancelled' })
  expect((await payByCard(shop, cancelled.clientSecret)).status).toBe(400)
})

test('the bank keeps whom a card was charged for, and of the card only brand and last four digits', async () => {
  const shop = await testShop()
  const { id, clientSecret } = await shop.payments.open(order, 'key')
  await payByCard(shop, clientSecret)
  const [kept] = await shop.db.select().from(paymentIntents)
  expect(kept).toMatchObject({ id, billingDetails: billing, card: { brand: 'visa', last4: '4242' } })
  expect(JSON.stringify(kept)).not.toContain('424242')
})

test('each test card does what it is published to do', async () => {
  const outcomes = {
    '4000000000000002': 'Your card was declined.',
    '4000000000009995': 'Your card has insufficient funds.',
    '4000000000000069': 'Your card has expired.',
    '4000000000000127': "Your card's security code is incorrect.",
    '4000000000000119': 'An error occurred while processing your card. Try again in a little bit.',
  }
  const shop = await testShop()
  const { clientSecret } = await shop.payments.open(order, 'key')
  for (const [number, message] of Object.entries(outcomes)) {
    const { status, answer } = await payByCard(shop, clientSecret, number)
    expect([status, answer.error.type, answer.error.message]).toEqual([402, 'card_error', message])
  }
  expect((await payByCard(shop, clientSecret, '4242 4242 4242 4242')).status).toBe(200)
})

test('any other number is refused, and no digit of it is kept', async () => {
  const shop = await testShop()
  const { clientSecret } = await shop.payments.open(order, 'key')
  const { status, answer } = await payByCard(shop, clientSecret, '4111111111111111')
  expect([status, answer.error.code]).toEqual([402, 'incorrect_number'])
  const kept = JSON.stringify([
    await shop.db.select().from(paymentIntents),
    await shop.db.select().from(bankRequests),
    answer,
  ])
  expect(kept).not.toContain('4111')
})

test('of a card that paid, brand and last four digits are kept', async () => {
  const shop = await testShop()
  const { clientSecret } = await shop.payments.open(order, 'key')
  await payByCard(shop, clientSecret)
  const rows = await shop.db.select().from(paymentIntents)
  expect(rows[0]?.card).toEqual({ brand: 'visa', last4: '4242' })
  expect(JSON.stringify(rows)).not.toContain('42424242')
})

test('a card with a wrong expiry or CVC is refused in words', async () => {
  const shop = await testShop()
  const { id, clientSecret } = await shop.payments.open(order, 'key')
  const good = { number: '4242424242424242', exp_month: '12', exp_year: '30', cvc: '123' }
  const wrong = [
    { exp_month: '13' },
    { exp_month: '' },
    { exp_year: '20' },
    { exp_year: '' },
    { cvc: '12' },
    { cvc: 'abc' },
  ]
  for (const change of wrong) {
    const card = Object.entries({ ...good, ...change }).map(([k, v]) => [
      `payment_method_data[card][${k}]`,
      v,
    ])
    const response = await post(shop, `/${id}/confirm`, {
      client_secret: clientSecret,
      ...Object.fromEntries(card),
    })
    expect(response.status, JSON.stringify(change)).toBe(402)
    expect((await response.json()).error.message).toContain('is invalid')
  }
})

test('from outside, the bank answers only whoever holds a payment’s own secret', async () => {
  const shop = await testShop()
  const { id } = await shop.payments.open(order, 'key')
  expect((await post(shop, '', { amount: '5000', currency: 'usd' })).status).toBe(401)
  expect((await post(shop, `/${id}/cancel`)).status).toBe(401)
  expect((await post(shop, `/${id}/cancel`, {}, { authorization: 'Bearer sk_test_guess' })).status).toBe(401)
  expect((await post(shop, `/${id}/confirm`, { client_secret: 'guess' })).status).toBe(404)
  const read = await shop.payments.fetch(new Request(`http://shop.test/payments/v1/payment_intents/${id}`))
  expect(read.status).toBe(404)
})
