import { isNull } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect } from 'vitest'
import { completePending } from '#bank/pending.ts'
import { bankEvents, outbox } from '#db/embedded.ts'
import { embeddedPayments } from '#providers/payments/embedded.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { clientOf, createPart, createUser, purchase, readStock, type TestShop, testShop } from '#test/shop.ts'

type Transport = NonNullable<Parameters<typeof embeddedPayments>[1]['transport']>

/** A shop with a part (stock 50), Ada's order of 10 of it ($70), whose first item, of another part, was cancelled, and an admin. */
export async function shopWithOrder(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const [part, bell] = [await createPart(shop), await createPart(shop, { name: 'Bell', perUnitPrice: 3 })]
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const place = (quantity = 10) => client.placePurchase({ body: { ...purchase, partId: part._id, quantity } })
  const lines = [bell, part].map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const [cancelled, kept] = (await client.placeOrder({ body: { ...purchase, lines } })).lines
  await client.cancelPurchase({ params: { id: cancelled!._id } })
  const order = await client.readPurchase({ params: { id: kept!._id } })
  const expectConsistent = () => expectConsistentLedger(shop, [part._id, 50], [bell._id, 50])
  return {
    shop,
    part,
    bell,
    ada,
    boss,
    client,
    admin,
    place,
    order,
    expectConsistent,
    ...stepsOf(shop, client, order),
  }
}

function stepsOf(shop: TestShop, client: Awaited<ReturnType<typeof clientOf>>, order: Purchase) {
  const [params, body] = [{ id: order._id }, { price: order.price, purchase: order._id }]
  return {
    start: () => client.startPayment({ body }),
    finish: (transactionId: string) => client.payPurchase({ params, body: { transactionId } }),
    cancel: () => client.cancelPurchase({ params }),
    read: () => client.readPurchase({ params }),
    stock: async (part: { _id: string }) => readStock(shop, part),
  }
}

/** What a payment provider is told of an order. */
export const testOrder = {
  _id: 'order-1',
  number: 1,
  amountCents: 124_000,
  name: 'Ada',
  email: 'ada@example.com',
  contents: '2 × Saddle',
}

/** The official SDK with another base path. */
export function bankSdk(shop: TestShop, key = 'sk_test_bank') {
  const httpClient = Stripe.createFetchHttpClient(async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    url.pathname = `/payments${url.pathname}`
    return shop.payments.fetch(new Request(url, request))
  })
  return new Stripe(key, { httpClient, telemetry: false, maxNetworkRetries: 0 })
}

/** The charge of the last attempt to pay. */
export async function readLatestCharge(stripe: Stripe, paymentIntent: string) {
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(paymentIntent, {
    expand: ['latest_charge'],
  })
  if (typeof charge !== 'object' || !charge) throw new Error(`${paymentIntent} has no charge`)
  return charge
}

/** The error that the SDK threw. */
export async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (reason) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('the SDK did not refuse')
  return error
}

/** Creates a succeeded payment for an order that the shop did not create. */
export async function unknownPayment(
  shop: TestShop,
  order: Pick<Purchase, 'orderId' | 'charged'>,
  dollars = order.charged,
) {
  const stripe = bankSdk(shop)
  const params = { amount: Math.round(dollars * 100), currency: 'usd', metadata: { orderId: order.orderId } }
  const { id } = await stripe.paymentIntents.create(params)
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  return id
}

/** Takes all events that were not taken yet, oldest first: also those that the webhook is not for. */
export async function takeEvents(shop: TestShop) {
  await completePending(shop.db)
  await shop.db.update(bankEvents).set({ nextTryAt: new Date() }).where(isNull(bankEvents.deliveredAt))
  return takeWebhookEvents(shop)
}

/** Takes the pending webhook events from the bank's queue, oldest first. */
export async function takeWebhookEvents(shop: TestShop) {
  const events: { type: string; body: string; signature: string }[] = []
  await shop.payments.deliver(async (request) => {
    const event = { type: '', body: '', signature: request.headers.get('stripe-signature')! }
    events.push(event)
    event.body = await request.text()
    event.type = JSON.parse(event.body).type
    return new Response()
  })
  return events
}

/** The shop with `transport` as its network to the card provider, by default without retries. */
export function withNetwork(
  shop: TestShop,
  transport: Transport,
  sdk = { timeout: 2_000, maxNetworkRetries: 0 },
): TestShop {
  return { ...shop, payments: embeddedPayments(shop.db, { secret: 'bank', transport, sdk }) }
}

export const providerFaults: Record<string, (matches: (request: Request) => boolean) => Transport> = {
  'responds with 500': (matches) => (send) => async (request) =>
    matches(request)
      ? Response.json({ error: { type: 'api_error', message: 'no' } }, { status: 500 })
      : send(request),
  'never responds': (matches) => (send) => (request) =>
    matches(request) ? untilAborted(request) : send(request),
  'responds after the timeout': (matches) => (send) => async (request) => {
    const response = await send(request.clone())
    return matches(request) ? untilAborted(request) : response
  },
}

function untilAborted({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

export async function emailSubjects(shop: TestShop) {
  const emails = await shop.db.select().from(outbox).orderBy(outbox.number)
  const subjects = emails.map((email) => email.subject)
  // The owner's, one for each paid order.
  return subjects.filter((subject) => !/^Order #\d+ is paid/.test(subject))
}

export async function expectConsistentLedger(shop: TestShop, ...stocked: [id: string, quantity: number][]) {
  expect(await findLedgerErrors(shop.db, { stocked, settled: true })).toEqual([])
}
