import { expect, test } from 'vitest'
import { bankRefunds, paymentIntents } from '#db/embedded.ts'
import { payByCard, testShop } from '#test/shop.ts'
import { embeddedPayments } from './embedded.ts'

type Send = (request: Request) => Promise<Response>

const order = { _id: 'order-1', price: 1240, email: 'ada@example.com' }

const broken = () => Response.json({ error: { type: 'api_error', message: 'broken' } }, { status: 500 })
const silence = () => new Promise<Response>(() => {})
const cut = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' }))

/** Each way in which an answer gets lost. */
const faults: Record<string, (send: Send) => Send> = {
  'the provider fails': () => async () => broken(),
  'the provider fails after it did it': (send) => (request) => send(request).then(broken),
  'the answer never comes': () => silence,
  'the answer to what was done never comes': (send) => (request) => send(request).then(silence),
  'the connection is cut': () => cut,
  'the connection is cut after it was done': (send) => (request) => send(request).then(cut),
}

/** A shop whose wire to the bank breaks, with an SDK that soon loses patience; `shop` has a whole one to the same bank. */
async function brokenBy(fault: (send: Send) => Send) {
  const shop = await testShop()
  const payments = embeddedPayments(shop.db, {
    secret: 'bank',
    wire: fault,
    sdk: { timeout: 2_000, maxNetworkRetries: 0 },
  })
  return { shop, payments }
}

for (const [fault, breaks] of Object.entries(faults)) {
  test(`${fault}: the same key opens the same payment, never two`, async () => {
    const { shop, payments } = await brokenBy(breaks)
    const lost = payments.open(order, 'key')
    await expect(lost).rejects.toMatchObject({
      ...{ code: 'unavailable', retryAfter: 5 },
      message: 'The card provider does not answer. Nothing was charged; please try again.',
    })
    const opened = await shop.payments.open(order, 'key')
    expect(opened).toMatchObject({ amount: 1240, status: 'open' })
    expect((await shop.db.select().from(paymentIntents)).map(({ id }) => id)).toEqual([opened.id])
  })

  test(`${fault}: the same key gives back once, never twice`, async () => {
    // Only asking for the refund itself: looking for one is answered.
    const { shop, payments } = await brokenBy((send) => {
      const broken = breaks(send)
      return (request) => (request.method === 'POST' ? broken(request) : send(request))
    })
    const { id, clientSecret } = await shop.payments.open(order, 'key')
    await payByCard(shop, clientSecret)
    const lost = payments.refund(id, { amount: 40, key: 'refund' })
    await expect(lost).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'The card provider does not answer. Whether the money was given back shows as soon as it does.',
    })
    const refund = await shop.payments.refund(id, { amount: 40, key: 'refund' })
    expect(refund).toMatchObject({ amount: 40, status: 'done', key: 'refund' })
    expect((await shop.db.select().from(bankRefunds)).map((row) => row.id)).toEqual([refund.id])
  })

  test(`${fault}: how a payment stands is not known, and never guessed`, async () => {
    const { shop, payments } = await brokenBy(breaks)
    const { id } = await shop.payments.open(order, 'key')
    const unknown = { code: 'unavailable', message: 'The card provider does not answer. Please try again.' }
    await expect(payments.find(id)).rejects.toMatchObject(unknown)
    await expect(payments.cancel(id)).rejects.toMatchObject(unknown)
    expect(await shop.payments.cancel(id)).toMatchObject({ status: 'cancelled' })
  })
}

test('the SDK asks again by itself, and one payment is opened', async () => {
  const { db } = await testShop()
  const keys: (string | null)[] = []
  const payments = embeddedPayments(db, {
    secret: 'bank',
    wire: (send) => async (request) => {
      keys.push(request.headers.get('idempotency-key'))
      const answer = await send(request)
      return keys.length === 1 ? broken() : answer
    },
  })
  const { id } = await payments.open(order, 'key')
  expect(keys.slice(0, 2)).toEqual(['key', 'key'])
  expect((await db.select().from(paymentIntents)).map((row) => row.id)).toEqual([id])
})
