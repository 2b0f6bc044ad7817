import { eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import pLimit from 'p-limit'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { bankDisputes, bankEvents, bankRefunds, charges } from '#db/embedded.ts'
import { type Database, orderEvents, orderLines, orders, payments, refunds, users } from '#db/schema.ts'
import { embeddedPayments } from '#providers/payments/embedded.ts'
import { ShopError } from '#shop/errors.ts'
import { toCents, toDollars } from '#shop/money.ts'
import { changeDelivery } from '#shop/orders/change/delivery.server.ts'
import { cancelPurchase } from '#shop/orders/close/cancel.server.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { placeOrder, placePurchase } from '#shop/orders/place/place.server.ts'
import { readOrder } from '#shop/orders/read/orders.server.ts'
import { listShipments, removeShipment, shipOrder, shipPurchase } from '#shop/orders/ship/shipments.server.ts'
import { payPurchase, startPayment } from '#shop/payments/payments.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { refundOrder, refundPurchase } from '#shop/payments/refunds.server.ts'
import { handleWebhook } from '#shop/payments/webhook.server.ts'
import type { Payments } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { bankSdk, takeWebhookEvents, unknownPayment } from '#test/bank.ts'
import { euRates, usRates, withRates } from '#test/charges.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { createPart, createUser, payByCard, purchase, type TestShop, testShop } from '#test/shop.ts'
import { toOrder } from './order.ts'
import type { Purchase } from './purchase.ts'

const { SOAK_RUNS, SOAK_SEED, RANDOM_RUNS = '25' } = process.env
const numRuns = Number(SOAK_RUNS ?? (inject('postgresUrl') ? RANDOM_RUNS : 2))
const stock = 4
const hour = 60 * 60 * 1000
/** Within which the books must agree. A change is found within five minutes or a quarter of the time since the last one. */
const maxMinutes = 60

const cards = {
  succeeds: '4242424242424242',
  declined: '4000000000000002',
  'insufficient funds': '4000000000009995',
  '3-D Secure passed': '4000002500003155',
  '3-D Secure failed': '4000002500003155',
  '3-D Secure abandoned': '4000002500003155',
  '3-D Secure passed, then declined': '4000008400001629',
  processing: '4000000000006009',
  disputed: '4000000000000259',
  'refunds are pending': '4000000000007726',
  'refunds fail': '4000000000005126',
}
type Card = keyof typeof cards

// `which` counts orders, cards or webhook events from the newest, and orders to ship or refund from the oldest. `lost` drops the provider's response to one call of the
// step, before or after it took effect.
const which = fc.nat(2)
const card = fc.constantFrom(...(['succeeds', 'succeeds', 'succeeds', ...Object.keys(cards)] as Card[]))
const lost = fc.option(fc.record({ call: fc.nat(3), effect: fc.boolean() }), { freq: 4 })
const share = fc.integer({ min: 1, max: 3 })
const literal = fc.constant
const place = fc.record({
  do: literal('place'),
  who: fc.nat(2),
  part: fc.nat(1),
  quantity: fc.integer({ min: 1, max: 4 }),
  // Of the other part; 0 makes an order of one line.
  more: fc.constantFrom(0, 0, 1, 2),
  abroad: fc.boolean(),
  again: fc.boolean(),
})
const step = fc.oneof(
  { weight: 5, arbitrary: place },
  {
    weight: 8,
    arbitrary: fc.record({
      do: literal('pay'),
      which,
      card,
      confirms: fc.boolean(),
      stale: fc.nat(3),
      lost,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: literal('enter card'), which, card }) },
  { weight: 1, arbitrary: fc.record({ do: literal('confirm'), which, other: which, lost }) },
  { weight: 3, arbitrary: fc.record({ do: literal('unknown payment'), which, less: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ do: literal('cancel'), which, lost }) },
  { weight: 3, arbitrary: fc.record({ do: literal('expire'), which, lost }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: literal('refund'),
      which,
      share,
      returned: fc.nat(2),
      again: fc.boolean(),
      lost,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: literal('refund delivery'), which, share, lost }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: literal('deliver elsewhere'), which, abroad: fc.boolean(), lost }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: literal('manual refund'), which, cents: fc.integer({ min: 1, max: 1500 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: literal('dispute'), which, inquiry: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: literal('end dispute'), which, won: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: literal('refund fails'), which }) },
  { weight: 2, arbitrary: fc.record({ do: literal('ship'), which, shipping: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: literal('fulfil'),
      which,
      actions: fc.array(
        fc.record({
          kind: fc.constantFrom('ship', 'ship', 'return', 'remove', 'take back'),
          quantity: fc.integer({ min: 1, max: 3 }),
          again: fc.boolean(),
        }),
        { minLength: 2, maxLength: 5 },
      ),
      lost,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: literal('fetch webhooks') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: literal('deliver webhook'),
      which: fc.nat(20),
      fate: fc.constantFrom('acknowledged', 'redelivered', 'dropped'),
      lost,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: literal('reconcile'), lost }) },
  { weight: 1, arbitrary: fc.record({ do: literal('crash') }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Lost = { call: number; effect: boolean } | null

/** The steps of a group run concurrently, the groups one after the other. */
const group = fc.array(step, { minLength: 1, maxLength: 4 })
const scenarioSteps = fc.tuple(
  fc.tuple(place, place),
  fc.array(group, { minLength: 2, maxLength: 6, size: 'max' }),
)

beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterAll(() => {
  vi.restoreAllMocks()
})

let environment: Environment | null = null

test('ledger, orders and stock stay consistent under every interleaving of user, shop and bank actions', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom<Seller>('demo', 'EU', 'US'),
      scenarioSteps,
      async (scheduler, concurrent, webhooks, paidFirst, seller, [first, groups]) => {
        const scenario = await createScenario(environment ?? (await createEnvironment()), webhooks, seller)
        environment = null
        const turns = createTurns(scheduler, concurrent)
        let running = start(scenario, turns)
        for (const group of [first, ...groups]) {
          // Otherwise few orders are ever shipped and refunded.
          if (paidFirst && group === groups[0]) await payAll(scenario)
          const current = running
          totals.steps += group.length
          const done = Promise.all(group.map((one) => current.run(one)))
          await scheduler.waitFor(done, turns.release)
          await turns.idle()
          if (!current.isAlive()) running = start(scenario, turns)
          if (failures(await done).length > 0) throw failures(await done)[0]
        }
        await expectAgreement(scenario, false)
        await settleAll(scenario)
        await expireAll(scenario)
        await expectAcknowledgedPersisted(scenario)
        environment = scenario.environment
      },
    ),
    { numRuns, ...(SOAK_SEED && { seed: Number(SOAK_SEED) }) },
  )
  if (SOAK_RUNS)
    console.log(
      `${totals.steps} steps, ${totals.orders} orders; the books agreed after at most`,
      totals.minutes,
    )
})

/** `minutes` until the books agree, at most. */
const totals = { steps: 0, orders: 0, minutes: { 'with webhooks': 0, 'without webhooks': 0 } }

interface Environment {
  shop: TestShop
  customers: Member[]
  admin: Member
  runs: number
}

type Seller = 'demo' | 'EU' | 'US'

/** Delivery is free from $15 on, which orders have with and without a line. */
function sellAs(seller: Seller, shop: TestShop): TestShop {
  if (seller === 'demo') return shop
  const { zones, ...rates } = seller === 'EU' ? euRates : usRates
  const withThreshold = zones.map((zone) => ({ ...zone, freeFrom: 1_500 }))
  return withRates(shop, { ...rates, zones: withThreshold }, seller === 'EU' ? 'DE' : 'US')
}

/** `abroad`: under another tax. */
function deliverTo(seller: Seller, abroad: boolean) {
  if (seller === 'demo') return { ...purchase, address: abroad ? '2 Rim Road' : purchase.address }
  if (seller === 'EU')
    return { ...purchase, country: abroad ? 'AT' : 'DE', postcode: abroad ? '1010' : '28195' }
  return { ...purchase, country: 'US', region: abroad ? 'WA' : 'CA', postcode: abroad ? '98101' : '94016' }
}

/** The state that outlives a crash of the shop. */
interface Scenario {
  environment: Environment
  shop: TestShop
  parts: { _id: string }[]
  seller: Seller
  /** Of the order when it was placed: `total` of its goods, `charged` of all. */
  orders: { order: Purchase; owner: Member; total: number; charged: number }[]
  secrets: string[]
  /** Whether the shop gets any. */
  hasWebhooks: boolean
  webhooks: WebhookMessage[]
  acknowledged: Acknowledged[]
  minutes: number
}

type WebhookMessage = Awaited<ReturnType<typeof takeWebhookEvents>>[number]
interface Acknowledged {
  what: 'placed' | 'paid' | 'shipped' | 'cancelled' | 'refunded' | 'delivery refunded'
  id: string
  reason?: string
}

async function createEnvironment(): Promise<Environment> {
  const shop = await testShop()
  const customers = [
    await createUser(shop, 'Ada'),
    await createUser(shop, 'Bob'),
    await createUser(shop, 'Cleo'),
  ]
  // One buyer accounts for the tax.
  const vatId = {
    country: 'AT',
    number: 'ATU13585627',
    checked: { at: new Date().toISOString(), by: 'Admin' },
  }
  const taxStatus = { vatId, exemption: null }
  await shop.db.update(users).set({ taxStatus }).where(eq(users._id, customers[1]!._id))
  Object.assign(customers[1]!, { taxStatus, version: customers[1]!.version + 1 })
  return { shop, customers, admin: await createUser(shop, 'Admin', 'admin'), runs: 0 }
}

/** Recreates the database every 20 runs, because queries slow down as it grows. */
async function createScenario(
  previous: Environment,
  hasWebhooks: boolean,
  seller: Seller,
): Promise<Scenario> {
  const environment = previous.runs < 20 ? previous : await createEnvironment()
  environment.runs += 1
  const part = (n: number) =>
    createPart(environment.shop, {
      name: `Part ${n} ${crypto.randomUUID()}`,
      minQuantity: 1,
      availableQuantity: stock,
      perUnitPrice: 5 + n,
      taxClass: n === 0 ? 'standard' : 'reduced',
    })
  const parts = [await part(0), await part(1)]
  return {
    environment,
    seller,
    shop: sellAs(seller, environment.shop),
    parts,
    orders: [],
    secrets: [],
    hasWebhooks,
    webhooks: [],
    acknowledged: [],
    minutes: 1,
  }
}

type Turns = ReturnType<typeof createTurns>

/** Runs one task at a time, or, with `concurrent`, whatever the scheduler releases. */
function createTurns(scheduler: fc.Scheduler, concurrent: boolean) {
  let running = 0
  const idleListeners: (() => void)[] = []
  const stop = () => {
    running -= 1
    if (running === 0) for (const resolve of idleListeners.splice(0)) resolve()
  }
  const idle = () =>
    running === 0 ? Promise.resolve() : new Promise<void>((resolve) => idleListeners.push(resolve))
  return {
    stop,
    idle,
    wait: (what: string) => scheduler.schedule(Promise.resolve(), what),
    async release(task: () => Promise<void>) {
      running += 1
      await task()
      if (!concurrent) await idle()
    },
  }
}

/** One process of the shop. Tasks that are running when it crashes never continue. */
function start(scenario: Scenario, turns: Turns) {
  let alive = true
  const death = Promise.withResolvers<'crashed'>()
  const shop = { ...scenario.shop, payments: embeddedPayments(scenario.shop.db, { secret: 'bank' }) }

  async function turn(what: string) {
    turns.stop()
    await turns.wait(what)
    if (alive) return
    turns.stop()
    await new Promise(() => {})
  }

  async function run(one: Step): Promise<unknown> {
    const work = async () => {
      await turns.wait(one.do)
      if (!alive) return turns.stop()
      try {
        await perform(scenario, withTurns(shop, 'lost' in one ? one.lost : null, turn), one, turn)
      } catch (error) {
        if (!isExpected(error, one)) return error
      } finally {
        if (one.do === 'crash') {
          alive = false
          death.resolve('crashed')
        }
        turns.stop()
      }
    }
    return Promise.race([work(), death.promise])
  }
  return { run, isAlive: () => alive }
}

function failures(outcomes: unknown[]) {
  return outcomes.filter((outcome) => outcome !== undefined && outcome !== 'crashed')
}

function isExpected(error: unknown, one: Step) {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return one.do === 'manual refund' || one.do === 'end dispute'
  const isLost = 'lost' in one && one.lost !== null
  if (error instanceof ShopError) return error.code !== 'unavailable' || isLost
  return (
    isLost &&
    error instanceof Error &&
    /^(Failed requests to the payment provider|Orders that could not)/.test(error.message)
  )
}

type Turn = (what: string) => Promise<void>

/** Waits for a turn before and after each transaction and each call to the card provider. */
function withTurns(shop: TestShop, lost: Lost, turn: Turn): TestShop {
  let calls = 0
  // Serializes the concurrent calls of one step.
  const takeTurns = pLimit(1)
  const db = new Proxy(shop.db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return (...work: Parameters<Database['transaction']>) =>
        takeTurns(async () => {
          await turn('transaction')
          const result = await target.transaction(...work)
          await turn('committed')
          return result
        })
    },
  })
  const withTurn = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    return (...args: A) =>
      takeTurns(async () => {
        const isLost = lost?.call === calls++
        await turn(name)
        if (isLost && !lost.effect) throw new ShopError('unavailable', 'lost')
        const result = await call(...args)
        await turn(`${name} answered`)
        if (isLost) throw new ShopError('unavailable', 'lost')
        return result
      })
  }
  const { open, find, cancel, refund } = shop.payments satisfies Payments
  const payments = {
    open: withTurn('open', open),
    find: withTurn('find', find),
    cancel: withTurn('cancel', cancel),
    refund: withTurn('refund', refund),
  }
  return { ...shop, db, payments: { ...shop.payments, ...payments } }
}

async function perform(scenario: Scenario, shop: TestShop, one: Step, turn: Turn) {
  const { environment, acknowledged } = scenario
  const place = 'which' in one ? one.which % (scenario.orders.length || 1) : 0
  // The oldest are most often paid.
  const isAfterPayment = ['ship', 'fulfil', 'refund'].includes(one.do)
  const chosen = scenario.orders.at(isAfterPayment ? place : -1 - place)
  switch (one.do) {
    case 'place': {
      const owner = environment.customers[one.who]!
      const key = crypto.randomUUID()
      const order = await placeAny(shop, owner, scenario, one, key)
      for (const line of order.lines) acknowledged.push({ what: 'placed', id: line._id })
      totals.orders += 1
      const { price: total, charged } = order
      scenario.orders.push(...order.lines.map((line) => ({ order: line, owner, total, charged })))
      if (one.again) expect(await placeAny(shop, owner, scenario, one, key)).toEqual(order)
      return
    }
    case 'enter card': {
      const secret = scenario.secrets.at(-1 - (one.which % (scenario.secrets.length || 1)))
      if (secret) await enterCard(scenario, secret, one.card, turn)
      return
    }
    case 'fetch webhooks': {
      const events = await takeWebhookEvents(scenario.shop)
      if (scenario.hasWebhooks) scenario.webhooks.push(...events)
      return
    }
    case 'deliver webhook': {
      const event = scenario.webhooks.at(one.which % (scenario.webhooks.length || 1))
      if (!event) return
      if (one.fate !== 'dropped') await handleWebhook(shop, event.body, event.signature)
      if (one.fate === 'acknowledged' || (one.fate === 'dropped' && canBeDropped(scenario, event))) {
        scenario.webhooks = scenario.webhooks.filter((other) => other !== event)
      }
      return
    }
    case 'reconcile':
      scenario.minutes += 3
      return reconcile(shop, Date.now() + scenario.minutes * 60_000)
    case 'refund fails':
      return failRefund(scenario, one.which)
    case 'crash':
      return
  }
  if (!chosen) return
  const { order, owner, total, charged } = chosen
  switch (one.do) {
    case 'pay': {
      const isStale = one.stale === 0
      const price = isStale ? total : (await readOrder(scenario.shop, owner, order._id)).price
      const { clientSecret } = await startPayment(shop, owner, { price, purchase: order._id })
      scenario.secrets.push(clientSecret)
      await enterCard(scenario, clientSecret, one.card, turn)
      if (!one.confirms) return
      await payPurchase(shop, order._id, clientSecret.split('_secret_')[0]!)
      acknowledged.push({ what: 'paid', id: order._id })
      return
    }
    case 'confirm': {
      const secret = scenario.secrets.at(-1 - (one.other % (scenario.secrets.length || 1)))
      if (!secret) return
      await payPurchase(shop, order._id, secret.split('_secret_')[0]!)
      acknowledged.push({ what: 'paid', id: order._id })
      return
    }
    case 'unknown payment':
      // The shop learns of it by webhook only.
      if (!scenario.hasWebhooks) return
      await unknownPayment(scenario.shop, order, Math.max(1, charged - one.less))
      return
    case 'cancel':
      await cancelPurchase(shop, owner, order._id)
      acknowledged.push({ what: 'cancelled', id: order._id })
      return
    case 'expire':
      await backdate(scenario, [order.orderId])
      return expireOrders(shop)
    case 'refund': {
      const request = {
        amount: Math.ceil((order.charged * 100 * one.share) / 3) / 100,
        reason: crypto.randomUUID(),
        returned: one.returned,
      }
      const key = crypto.randomUUID()
      await refundPurchase(shop, environment.admin, order._id, request, key)
      acknowledged.push({ what: 'refunded', id: order._id, reason: request.reason })
      if (one.again) await refundPurchase(shop, environment.admin, order._id, request, key)
      return
    }
    case 'refund delivery': {
      const cents = Math.ceil((toCents(order.deliveryCharge.charged) * one.share) / 3)
      if (cents === 0) return
      const request = { lines: [], delivery: toDollars(cents), reason: crypto.randomUUID() }
      await refundOrder(shop, environment.admin, order.orderId, request, crypto.randomUUID())
      acknowledged.push({ what: 'delivery refunded', id: order._id, reason: request.reason })
      return
    }
    case 'deliver elsewhere':
      await changeDelivery(shop, owner, order.orderId, deliverTo(scenario.seller, one.abroad))
      return
    case 'manual refund': {
      const payment_intent = await transactionIdOf(scenario, order)
      if (!payment_intent) return
      await bankSdk(scenario.shop).refunds.create({ payment_intent, amount: one.cents })
      return
    }
    case 'dispute': {
      const id = await transactionIdOf(scenario, order)
      const isDisputed = eq(bankDisputes.paymentIntent, id ?? '')
      if (!id || (await scenario.shop.db.$count(bankDisputes, isDisputed)) > 0) return
      const { inquiry } = one
      await openDispute(scenario.shop.db, id, { inquiry }).catch(ignoreNothingToDispute)
      return
    }
    case 'end dispute': {
      const payment_intent = await transactionIdOf(scenario, order)
      if (!payment_intent) return
      const { disputes } = bankSdk(scenario.shop)
      const [dispute] = (await disputes.list({ payment_intent })).data
      const evidence = { uncategorized_text: one.won ? 'winning_evidence' : 'losing_evidence' }
      if (dispute) await disputes.update(dispute.id, { evidence })
      return
    }
    case 'ship': {
      const { modifiedCount } = await shipPurchase(shop, environment.admin, order._id, one.shipping)
      if (one.shipping && modifiedCount === 1) acknowledged.push({ what: 'shipped', id: order._id })
      return
    }
    case 'fulfil':
      for (const action of one.actions) await fulfil(scenario, shop, order, action).catch(ignoreRefusal)
  }
}

type Fulfilment = Extract<Step, { do: 'fulfil' }>['actions'][number]

async function fulfil(
  { environment: { admin }, acknowledged }: Scenario,
  shop: TestShop,
  { _id: id, orderId }: Purchase,
  { kind, quantity, again }: Fulfilment,
) {
  const key = crypto.randomUUID()
  if (kind === 'ship') {
    const request = { carrier: undefined, trackingNumber: undefined, lines: [{ lineId: id, quantity }] }
    const shipped = await shipOrder(shop, admin, orderId, request, key)
    acknowledged.push({ what: 'shipped', id })
    if (again) expect(await shipOrder(shop, admin, orderId, request, key)).toEqual(shipped)
  }
  if (kind === 'return') {
    const request = { amount: 1, reason: crypto.randomUUID(), returned: quantity }
    await refundPurchase(shop, admin, id, request, key)
    acknowledged.push({ what: 'refunded', id, reason: request.reason })
  }
  const last = kind === 'remove' ? (await listShipments(shop, admin, id)).at(-1) : undefined
  if (last) await removeShipment(shop, admin, last._id)
  if (kind === 'take back') await shipPurchase(shop, admin, id, false)
}

function ignoreRefusal(error: unknown) {
  if (!(error instanceof ShopError && error.code !== 'unavailable')) throw error
}

async function placeAny(
  shop: TestShop,
  owner: Member,
  { parts, seller }: Scenario,
  { part, quantity, more, abroad }: { part: number; quantity: number; more: number; abroad: boolean },
  key: string,
) {
  const partId = parts[part]!._id
  const line = { partId, quantity }
  const others = more > 0 ? [{ partId: parts[1 - part]!._id, quantity: more }] : []
  // An order of one line either way.
  if (others.length > 0 || quantity % 2)
    return placeOrder(shop, owner, { ...deliverTo(seller, abroad), lines: [line, ...others] }, { key })
  return toOrder([
    await placePurchase(shop, owner, { ...deliverTo(seller, abroad), ...line, parts: undefined }, { key }),
  ])
}

async function payAll({ shop, orders, acknowledged }: Scenario) {
  for (const { order, owner, total } of orders) {
    if (order._id !== order.orderId) continue
    const { clientSecret } = await startPayment(shop, owner, { price: total, purchase: order._id })
    const { id } = await payByCard(shop, clientSecret)
    await payPurchase(shop, order._id, id)
    acknowledged.push({ what: 'paid', id: order._id })
  }
}

async function transactionIdOf({ shop }: Scenario, { _id }: Purchase) {
  const [row] = await shop.db.select().from(orderLines).where(eq(orderLines._id, _id))
  return row?.transactionId ?? null
}

/** All of it is refunded, or another dispute was opened at the same time. */
function ignoreNothingToDispute(error: Error & { cause?: { constraint?: string } }) {
  if (!/disputes_amount_check|charged back already/.test(error.cause?.constraint ?? error.message))
    throw error
}

async function enterCard(scenario: Scenario, secret: string, card: Card, turn: Turn) {
  await turn('card')
  const { id } = await payByCard(scenario.shop, secret, cards[card])
  if (!/^3-D Secure (passed|failed)/.test(card)) return
  await turn('3-D Secure')
  const body = new URLSearchParams({
    client_secret: secret,
    outcome: card.startsWith('3-D Secure passed') ? 'complete' : 'fail',
  })
  const url = `http://shop.test/payments/v1/payment_intents/${id}/authenticate`
  await scenario.shop.payments.fetch(new Request(url, { method: 'POST', body }))
}

function paymentOf({ body }: WebhookMessage): string {
  const { object } = JSON.parse(body).data
  return object.object === 'payment_intent' ? object.id : object.payment_intent
}

/** Payments and refunds that the shop did not create are known from their events only. */
function canBeDropped({ secrets }: Scenario, event: WebhookMessage) {
  const isInternal = secrets.some((secret) => secret.startsWith(paymentOf(event)))
  return isInternal && !/refund/.test(event.type)
}

/** Simulates a refund rejected by the customer's bank. */
async function failRefund({ shop, parts }: Scenario, which: number) {
  await shop.db.transaction(async (tx) => {
    const paymentIds = tx
      .select({ _id: payments._id })
      .from(payments)
      .innerJoin(orderLines, eq(orderLines.orderId, payments.orderId))
      .where(
        inArray(
          orderLines.partId,
          parts.map((part) => part._id),
        ),
      )
    const [refund] = await tx
      .select()
      .from(bankRefunds)
      .where(sql`${bankRefunds.status} = 'succeeded' and ${inArray(bankRefunds.paymentIntent, paymentIds)}`)
      .orderBy(sql`${bankRefunds.number} desc`)
      .offset(which)
      .limit(1)
    if (!refund) return
    const { id, paymentIntent: payment_intent, amount } = refund
    await tx.update(bankRefunds).set({ status: 'failed' }).where(eq(bankRefunds.id, id))
    await tx
      .update(charges)
      .set({ amountRefunded: sql`${charges.amountRefunded} - ${amount}` })
      .where(eq(charges.id, refund.charge))
    await tx.insert(bankEvents).values({
      id: `evt_${crypto.randomUUID()}`,
      type: 'refund.failed',
      data: { object: { id, object: 'refund', payment_intent } },
      request: { id: 'req', idempotency_key: null },
      created: Math.floor(Date.now() / 1000),
      nextTryAt: new Date(),
    })
  })
}

async function backdate({ shop }: Scenario, ids: string[]) {
  await shop.db
    .update(orders)
    .set({ createdAt: new Date(Date.now() - 80 * hour).toISOString() })
    .where(inArray(orders._id, ids))
}

async function settleAll(scenario: Scenario) {
  const { shop } = scenario
  // Also completes what is pending at the bank.
  const events = [...(await takeWebhookEvents(shop)), ...(await takeWebhookEvents(shop))]
  if (scenario.hasWebhooks) {
    const newest = new Map(
      [...scenario.webhooks.splice(0), ...events].map((event) => [paymentOf(event), event]),
    )
    for (const { body, signature } of newest.values()) await handleWebhook(shop, body, signature)
  }
  const kind = scenario.hasWebhooks ? 'with webhooks' : 'without webhooks'
  for (let minutes = 1; ; minutes += 1) {
    scenario.minutes += 1
    await reconcile(shop, Date.now() + scenario.minutes * 60_000)
    // Refunds that have just been made may be pending, and fail.
    await takeWebhookEvents(shop)
    const errors = await findErrors(scenario, true)
    totals.minutes[kind] = Math.max(totals.minutes[kind], minutes)
    if (errors.length === 0) return
    if (minutes === maxMinutes) expect(errors).toEqual([])
  }
}

async function expireAll(scenario: Scenario) {
  const { shop, parts } = scenario
  const rows = await shop.db
    .select()
    .from(orderLines)
    .where(
      inArray(
        orderLines.partId,
        parts.map((part) => part._id),
      ),
    )
  await backdate(
    scenario,
    rows.map((line) => line.orderId),
  )
  await expireOrders(shop)
  await settleAll(scenario)
}

async function expectAgreement(scenario: Scenario, isSettled: boolean) {
  expect(await findErrors(scenario, isSettled)).toEqual([])
}

function findErrors({ shop, parts }: Scenario, isSettled: boolean) {
  const stocked = parts.map(({ _id }): [string, number] => [_id, stock])
  return findLedgerErrors(shop.db, { stocked, settled: isSettled })
}

async function expectAcknowledgedPersisted({ shop: { db }, acknowledged }: Scenario) {
  for (const { what, id, reason } of acknowledged) {
    const [order] = await db.select().from(orderLines).where(eq(orderLines._id, id))
    const checks = {
      placed: () => order,
      paid: () => order?.paidAt,
      cancelled: () => order?.cancelledAt,
      shipped: () => db.$count(orderEvents, sql`line_id = ${id} and kind = 'shipped'`),
      refunded: () => db.$count(refunds, sql`line_id = ${id} and reason = ${reason}`),
      'delivery refunded': () => db.$count(refunds, sql`delivery_cents > 0 and reason = ${reason}`),
    }
    expect(await checks[what](), `${what}: ${id}`).toBeTruthy()
  }
}
