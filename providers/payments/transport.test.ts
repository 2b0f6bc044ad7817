import { expect, test } from 'vitest'
import { bankRefunds, paymentIntents } from '#db/embedded.ts'
import { testOrder } from '#test/bank.ts'
import { payByCard, testShop } from '#test/shop.ts'
import { embeddedPayments } from './embedded.ts'

type Send = (request: Request) => Promise<Response>

const serverError = () => Response.json({ error: { type: 'api_error', message: 'broken' } }, { status: 500 })
const noResponse = () => new Promise<Response>(() => {})
const connectionReset = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' }))

const faults: Record<string, (send: Send) => Send> = {
  'server error': () => async () => serverError(),
  'server error after the effect': (send) => (request) => send(request).then(serverError),
  'no response': () => noResponse,
  'no response after the effect': (send) => (request) => send(request).then(noResponse),
  'connection reset': () => connectionReset,
  'connection reset after the effect': (send) => (request) => send(request).then(connectionReset),
}

/** `payments` uses the faulty transport, `shop.payments` a working one to the same bank. */
async function shopWithFault(fault: (send: Send) => Send) {
  const shop = await testShop()
  const payments = embeddedPayments(shop.db, {
    secret: 'bank',
    transport: fault,
    sdk: { timeout: 2_000, maxNetworkRetries: 0 },
  })
  return { shop, payments }
}

for (const [fault, inject] of Object.entries(faults)) {
  test(`${fault}: a retried open with the same key returns one payment`, async () => {
    const { shop, payments } = await shopWithFault(inject)
    const failed = payments.open(testOrder, 'key')
    await expect(failed).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 5,
      message: 'The payment provider isn’t responding. You weren’t charged. Try again.',
    })
    const opened = await shop.payments.open(testOrder, 'key')
    expect(opened).toMatchObject({ amountCents: 124000, status: 'open' })
    const ids = (await shop.db.select().from(paymentIntents)).map(({ id }) => id)
    expect(ids).toContain(opened.id)
    // After the provider's own errors another payment is opened, and the first is never handed out.
    expect(ids).toHaveLength(fault === 'server error after the effect' ? 2 : 1)
  })

  test(`${fault}: a retried refund with the same key refunds once`, async () => {
    // Only POST fails: looking up existing refunds works.
    const { shop, payments } = await shopWithFault((send) => {
      const sendWithFault = inject(send)
      return (request) => (request.method === 'POST' ? sendWithFault(request) : send(request))
    })
    const { id, clientSecret } = await shop.payments.open(testOrder, 'key')
    await payByCard(shop, clientSecret)
    const failed = payments.refund(id, { amountCents: 4000, key: 'refund', failures: 0 })
    await expect(failed).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The payment provider isn’t responding. The refund’s status will update when it does.',
    })
    const refund = await shop.payments.refund(id, { amountCents: 4000, key: 'refund', failures: 0 })
    expect(refund).toMatchObject({ amountCents: 4000, status: 'accepted', key: 'refund' })
    expect((await shop.db.select().from(bankRefunds)).map((row) => row.id)).toEqual([refund.id])
  })

  test(`${fault}: find and cancel throw unavailable`, async () => {
    const { shop, payments } = await shopWithFault(inject)
    const { id } = await shop.payments.open(testOrder, 'key')
    const unavailable = {
      code: 'unavailable',
      message: 'The payment provider isn’t responding. Try again.',
    }
    await expect(payments.find(id)).rejects.toMatchObject(unavailable)
    await expect(payments.cancel(id)).rejects.toMatchObject(unavailable)
    expect(await shop.payments.cancel(id)).toMatchObject({ status: 'cancelled' })
  })
}

test('the SDK retries by itself and creates one payment', async () => {
  const { db } = await testShop()
  const keys: (string | null)[] = []
  const payments = embeddedPayments(db, {
    secret: 'bank',
    transport: (send) => async (request) => {
      keys.push(request.headers.get('idempotency-key'))
      const response = await send(request)
      return keys.length === 1 ? serverError() : response
    },
  })
  const { id } = await payments.open(testOrder, 'key')
  expect(keys.slice(0, 2)).toEqual(['key', 'key'])
  expect((await db.select().from(paymentIntents)).map((row) => row.id)).toEqual([id])
})
