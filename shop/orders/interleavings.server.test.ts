import { eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import pLimit from 'p-limit'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { bankEvents, bankRefunds, charges } from '#db/embedded.ts'
import { type Database, orderEvents, orders, payments, refunds } from '#db/schema.ts'
import { embeddedPayments } from '#providers/payments/embedded.ts'
import { ShopError } from '#shop/errors.ts'
import { handleWebhook, payOrder, startPayment } from '#shop/payments/payments.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { refundOrder } from '#shop/payments/refunds.server.ts'
import type { Payments } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { bankSdk, strayPayment, takePost } from '#test/bank.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { createUser, payByCard, purchase, somePart, type TestShop, testShop } from '#test/shop.ts'
import { cancelOrder, expireOrders } from './expiry.server.ts'
import type { Order } from './order.ts'
import { placeOrder, shipOrder } from './orders.server.ts'

// `npm run soak` has more days of them.
const { SOAK_DAYS, SOAK_SEED } = process.env
const days = Number(SOAK_DAYS ?? (inject('postgresUrl') ? 100 : 5))
const stock = 4
const hour = 60 * 60 * 1000

const cards = {
  pays: '4242424242424242',
  'is declined': '4000000000000002',
  'lacks funds': '4000000000009995',
  'asks and is told': '4000002500003155',
  'asks and is refused': '4000002500003155',
  'asks in vain': '4000002500003155',
}
type Card = keyof typeof cards

// What may be done in a day. `which` counts orders, cards or letters from the newest; `lost` is the provider's answer to one
// call of the step, before or after it took effect.
const which = fc.nat(2)
const card = fc.constantFrom(...(['pays', 'pays', 'pays', ...Object.keys(cards)] as Card[]))
const lost = fc.option(fc.record({ call: fc.nat(3), effect: fc.boolean() }), { freq: 4 })
const share = fc.integer({ min: 1, max: 3 })
const its = fc.constant
const place = fc.record({
  do: its('place'),
  who: fc.nat(2),
  part: fc.nat(1),
  quantity: fc.integer({ min: 1, max: 4 }),
  again: fc.boolean(),
})
const step = fc.oneof(
  { weight: 5, arbitrary: place },
  { weight: 8, arbitrary: fc.record({ do: its('pay'), which, card, told: fc.boolean(), lost }) },
  { weight: 2, arbitrary: fc.record({ do: its('type a card'), which, card }) },
  { weight: 1, arbitrary: fc.record({ do: its('tell'), which, other: which, lost }) },
  { weight: 3, arbitrary: fc.record({ do: its('stray'), which, less: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ do: its('cancel'), which, lost }) },
  { weight: 3, arbitrary: fc.record({ do: its('expire'), which, lost }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: its('refund'), which, share, returned: fc.nat(2), again: fc.boolean(), lost }),
  },
  { weight: 1, arbitrary: fc.record({ do: its('refund by hand'), which, share }) },
  { weight: 1, arbitrary: fc.record({ do: its('refund fails'), which }) },
  { weight: 2, arbitrary: fc.record({ do: its('ship'), which, shipping: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: its('post') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: its('notice'),
      which: fc.nat(20),
      fate: fc.constantFrom('gone', 'kept', 'lost'),
      lost,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: its('reconcile'), lost }) },
  { weight: 1, arbitrary: fc.record({ do: its('crash') }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Lost = { call: number; effect: boolean } | null

/** Groups of steps: those of a group are done at the same time, one group after the other. */
const group = fc.array(step, { minLength: 1, maxLength: 4 })
const day = fc.tuple(fc.tuple(place, place), fc.array(group, { minLength: 2, maxLength: 6, size: 'max' }))

beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterAll(() => {
  vi.restoreAllMocks()
})

let town: Town | null = null

test('money, orders and stock agree after every interleaving of what people, shop and bank may do', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), day, async (scheduler, atOnce, [first, groups]) => {
      // What a failed day left behind is no part of the next.
      const world = await openTown(town ?? (await foundTown()))
      town = null
      const turns = takeTurns(scheduler, atOnce)
      let running = start(world, turns)
      for (const group of [first, ...groups]) {
        const now = running
        const done = Promise.all(group.map((one) => now.run(one)))
        await scheduler.waitFor(done, turns.release)
        await turns.quiet()
        if (!now.isAlive()) running = start(world, turns)
        if (failures(await done).length > 0) throw failures(await done)[0]
      }
      await expectAgreement(world, false)
      await rest(world)
      await expectAgreement(world, true)
      await everythingExpires(world)
      await expectAgreement(world, true)
      await expectPromisesKept(world)
      town = world.town
    }),
    { numRuns: days, ...(SOAK_SEED && { seed: Number(SOAK_SEED) }) },
  )
})

interface Town {
  shop: TestShop
  customers: Member[]
  admin: Member
  days: number
}

/** What outlives every process of the shop: people with their browsers, the bank and what is in the post. */
interface World {
  town: Town
  shop: TestShop
  parts: { _id: string }[]
  orders: { order: Order; owner: Member }[]
  secrets: string[]
  post: Letter[]
  promised: Promised[]
  /** Minutes that have gone by for `reconcile`. */
  minutes: number
}

type Letter = Awaited<ReturnType<typeof takePost>>[number]
interface Promised {
  what: 'placed' | 'paid' | 'shipped' | 'cancelled' | 'refunded'
  id: string
  /** Of a refund: no two have the same. */
  reason?: string
}

async function foundTown(): Promise<Town> {
  const shop = await testShop()
  const customers = [
    await createUser(shop, 'Ada'),
    await createUser(shop, 'Bob'),
    await createUser(shop, 'Cleo'),
  ]
  return { shop, customers, admin: await createUser(shop, 'Admin', 'admin'), days: 0 }
}

/** Another day, with new parts. After some days all is begun anew, or every question would take longer than the last. */
async function openTown(before: Town): Promise<World> {
  const town = before.days < 20 ? before : await foundTown()
  town.days += 1
  const part = (n: number) =>
    somePart(town.shop, {
      name: `Part ${n} ${crypto.randomUUID()}`,
      minQuantity: 1,
      availableQuantity: stock,
      perUnitPrice: 5 + n,
    })
  const parts = [await part(0), await part(1)]
  return {
    town,
    shop: town.shop,
    parts,
    orders: [],
    secrets: [],
    post: [],
    promised: [],
    minutes: 1,
  }
}

type Turns = ReturnType<typeof takeTurns>

/** Of all that is under way, one goes on at a time, or whatever the scheduler has let go. */
function takeTurns(scheduler: fc.Scheduler, atOnce: boolean) {
  let going = 0
  const resting: (() => void)[] = []
  const stop = () => {
    going -= 1
    if (going === 0) for (const tell of resting.splice(0)) tell()
  }
  const quiet = () =>
    going === 0 ? Promise.resolve() : new Promise<void>((resolve) => resting.push(resolve))
  return {
    stop,
    quiet,
    wait: (what: string) => scheduler.schedule(Promise.resolve(), what),
    async release(go: () => Promise<void>) {
      going += 1
      await go()
      if (!atOnce) await quiet()
    },
  }
}

/** One process of the shop, from its start until it crashes: what was under way then never goes on. */
function start(world: World, turns: Turns) {
  let alive = true
  const death = Promise.withResolvers<'crashed'>()
  const shop = { ...world.shop, payments: embeddedPayments(world.shop.db, { secret: 'bank' }) }

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
        await perform(world, slowly(shop, 'lost' in one ? one.lost : null, turn), one, turn)
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
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return one.do === 'refund by hand'
  const isLost = 'lost' in one && one.lost !== null
  if (error instanceof ShopError) return error.code !== 'unavailable' || isLost
  return isLost && error instanceof Error && /^(Could not ask|Orders that could not)/.test(error.message)
}

type Turn = (what: string) => Promise<void>

/** The shop, which waits for its turn before and after each transaction and each call to the card provider. */
function slowly(shop: TestShop, lost: Lost, turn: Turn): TestShop {
  let calls = 0
  // What one step does at the same time takes one turn after the other.
  const inTurn = pLimit(1)
  const db = new Proxy(shop.db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return (...work: Parameters<Database['transaction']>) =>
        inTurn(async () => {
          await turn('transaction')
          const answer = await target.transaction(...work)
          await turn('committed')
          return answer
        })
    },
  })
  const slow = <A extends unknown[], R>(name: string, call: (...given: A) => Promise<R>) => {
    return (...given: A) =>
      inTurn(async () => {
        const isLost = lost?.call === calls++
        await turn(name)
        if (isLost && !lost.effect) throw new ShopError('unavailable', 'lost')
        const answer = await call(...given)
        await turn(`${name} answered`)
        if (isLost) throw new ShopError('unavailable', 'lost')
        return answer
      })
  }
  const { open, find, cancel, refund } = shop.payments satisfies Payments
  const slower = {
    open: slow('open', open),
    find: slow('find', find),
    cancel: slow('cancel', cancel),
    refund: slow('refund', refund),
  }
  return { ...shop, db, payments: { ...shop.payments, ...slower } }
}

async function perform(world: World, shop: TestShop, one: Step, turn: Turn) {
  const { town, promised } = world
  const chosen = 'which' in one ? world.orders.at(-1 - (one.which % (world.orders.length || 1))) : undefined
  switch (one.do) {
    case 'place': {
      const owner = town.customers[one.who]!
      const asked = {
        ...purchase,
        partId: world.parts[one.part]!._id,
        parts: undefined,
        quantity: one.quantity,
      }
      const key = crypto.randomUUID()
      const order = await placeOrder(shop, owner, asked, key)
      promised.push({ what: 'placed', id: order._id })
      world.orders.push({ order, owner })
      if (one.again) expect(await placeOrder(shop, owner, asked, key)).toEqual(order)
      return
    }
    case 'type a card': {
      const secret = world.secrets.at(-1 - (one.which % (world.secrets.length || 1)))
      if (secret) await typeCard(world, secret, one.card, turn)
      return
    }
    case 'post': {
      const letters = await takePost(world.shop)
      world.post.push(...letters)
      return
    }
    case 'notice': {
      const letter = world.post.at(one.which % (world.post.length || 1))
      if (!letter) return
      if (one.fate !== 'lost') await handleWebhook(shop, letter.body, letter.signature)
      if (one.fate === 'gone' || (one.fate === 'lost' && isLosable(world, letter))) {
        world.post = world.post.filter((other) => other !== letter)
      }
      return
    }
    case 'reconcile':
      world.minutes *= 2
      return reconcile(shop, Date.now() + world.minutes * 60_000)
    case 'refund fails':
      return failRefund(world, one.which)
    case 'crash':
      return
  }
  if (!chosen) return
  const { order, owner } = chosen
  switch (one.do) {
    case 'pay': {
      const { clientSecret } = await startPayment(shop, owner, { price: order.price, purchase: order._id })
      world.secrets.push(clientSecret)
      await typeCard(world, clientSecret, one.card, turn)
      if (!one.told) return
      await payOrder(shop, order._id, clientSecret.split('_secret_')[0]!)
      promised.push({ what: 'paid', id: order._id })
      return
    }
    case 'tell': {
      const secret = world.secrets.at(-1 - (one.other % (world.secrets.length || 1)))
      if (!secret) return
      await payOrder(shop, order._id, secret.split('_secret_')[0]!)
      promised.push({ what: 'paid', id: order._id })
      return
    }
    case 'stray':
      await strayPayment(world.shop, order, order.price - one.less)
      return
    case 'cancel':
      await cancelOrder(shop, owner, order._id)
      promised.push({ what: 'cancelled', id: order._id })
      return
    case 'expire':
      await longAgo(world, [order._id])
      return expireOrders(shop)
    case 'refund': {
      const asked = {
        amount: Math.ceil((order.price * one.share) / 3),
        reason: crypto.randomUUID(),
        returned: one.returned,
      }
      const key = crypto.randomUUID()
      await refundOrder(shop, town.admin, order._id, asked, key)
      promised.push({ what: 'refunded', id: order._id, reason: asked.reason })
      if (one.again) await refundOrder(shop, town.admin, order._id, asked, key)
      return
    }
    case 'refund by hand': {
      const [row] = await world.shop.db.select().from(orders).where(eq(orders._id, order._id))
      if (!row?.transactionId) return
      const amount = Math.ceil((order.price * one.share) / 3) * 100
      await bankSdk(world.shop).refunds.create({ payment_intent: row.transactionId, amount })
      return
    }
    case 'ship': {
      const { modifiedCount } = await shipOrder(shop, town.admin, order._id, one.shipping)
      if (one.shipping && modifiedCount === 1) promised.push({ what: 'shipped', id: order._id })
    }
  }
}

async function typeCard(world: World, secret: string, card: Card, turn: Turn) {
  await turn('card')
  const { id } = await payByCard(world.shop, secret, cards[card])
  if (card !== 'asks and is told' && card !== 'asks and is refused') return
  await turn('3-D Secure')
  const body = new URLSearchParams({
    client_secret: secret,
    outcome: card === 'asks and is told' ? 'complete' : 'fail',
  })
  const address = `http://shop.test/payments/v1/payment_intents/${id}/authenticate`
  await world.shop.payments.fetch(new Request(address, { method: 'POST', body }))
}

function paymentOf({ body }: Letter): string {
  const { object } = JSON.parse(body).data
  return object.object === 'payment_intent' ? object.id : object.payment_intent
}

/** Nobody but the bank knows of a payment that the shop did not open, or of a refund that it did not ask for. */
function isLosable({ secrets }: World, letter: Letter) {
  const isOurs = secrets.some((secret) => secret.startsWith(paymentOf(letter)))
  return isOurs && !/refund/.test(letter.type)
}

/** A card's bank sends back what it was given back. */
async function failRefund({ shop, parts }: World, which: number) {
  await shop.db.transaction(async (tx) => {
    const of = tx
      .select({ _id: payments._id })
      .from(payments)
      .innerJoin(orders, eq(orders._id, payments.orderId))
      .where(
        inArray(
          orders.partId,
          parts.map((part) => part._id),
        ),
      )
    const [refund] = await tx
      .select()
      .from(bankRefunds)
      .where(sql`${bankRefunds.status} = 'succeeded' and ${inArray(bankRefunds.paymentIntent, of)}`)
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

async function longAgo({ shop }: World, ids: string[]) {
  await shop.db
    .update(orders)
    .set({ createdAt: new Date(Date.now() - 80 * hour).toISOString() })
    .where(inArray(orders._id, ids))
}

/** Of each payment the newest letter arrives, and the provider is asked about what is still open. */
async function rest(world: World) {
  const { shop } = world
  const letters = [...world.post.splice(0), ...(await takePost(shop))]
  const newest = new Map(letters.map((letter) => [paymentOf(letter), letter]))
  for (const { body, signature } of newest.values()) await handleWebhook(shop, body, signature)
  world.minutes *= 2
  await reconcile(shop, Date.now() + world.minutes * 60_000)
}

async function everythingExpires(world: World) {
  const { shop, parts } = world
  const left = await shop.db
    .select()
    .from(orders)
    .where(
      inArray(
        orders.partId,
        parts.map((part) => part._id),
      ),
    )
  await longAgo(
    world,
    left.map((order) => order._id),
  )
  await expireOrders(shop)
  await rest(world)
}

async function expectAgreement({ shop, parts }: World, resting: boolean) {
  const stocked = parts.map(({ _id }): [string, number] => [_id, stock])
  expect(await findLedgerErrors(shop.db, { stocked, resting })).toEqual([])
}

/** Of all that the shop has acknowledged, nothing is gone. */
async function expectPromisesKept({ shop: { db }, promised }: World) {
  for (const { what, id, reason } of promised) {
    const [order] = await db.select().from(orders).where(eq(orders._id, id))
    const kept = {
      placed: () => order,
      paid: () => order?.paidAt,
      cancelled: () => order?.cancelledAt,
      shipped: () => db.$count(orderEvents, sql`order_id = ${id} and kind = 'shipped'`),
      refunded: () => db.$count(refunds, sql`order_id = ${id} and reason = ${reason}`),
    }
    expect(await kept[what](), `${what}: ${id}`).toBeTruthy()
  }
}
