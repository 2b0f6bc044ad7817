import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { toWellFormedJson } from '#db/driver/json.ts'
import { executeRows } from '#db/driver/rows.ts'
import type { outbox } from '#db/embedded.ts'
import type { Database, idempotencyKeys, orderLines, orders, Queries } from '#db/schema.ts'
import type { OrderAddress } from '#shop/addresses/addresses.server.ts'
import { emailJson } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import type { Member } from '#shop/users/user.ts'
import type { SoldLine } from './stock.server.ts'

type OrderValues = Omit<typeof orders.$inferSelect, 'number' | 'lineCount' | 'refundedCents' | 'remindedAt'>
type LineValues = Pick<
  typeof orderLines.$inferSelect,
  '_id' | 'position' | 'partId' | 'parts' | 'unitPrice' | 'quantity' | 'price'
>

/** An order as it would be placed, and what it was made from: it is placed only if nothing of that has changed. */
export interface OrderDraft {
  buyer: Pick<Member, '_id' | 'tokenVersion' | 'name' | 'email' | 'emailConfirmedAt'>
  order: OrderValues
  lines: (LineValues & Pick<SoldLine, 'part'>)[]
  /** The customer's unpaid orders; null when they are not limited. */
  unpaid: { count: number; held: number } | null
  fromBasket: boolean
  /** To be saved for the customer. */
  address: OrderAddress | null
  /** With `placeholder` in place of the order number. */
  emails: (typeof outbox.$inferInsert)[]
  response: unknown
  idempotency: { key: string; fingerprint: string } | null
  numbers: { placeholder: string; prefix: string }
}

export type Outcome =
  | { outcome: 'placed'; number: number }
  /** The request was answered before. */
  | ({ outcome: 'repeated' } & Pick<typeof idempotencyKeys.$inferSelect, 'fingerprint' | 'response'>)
  | { outcome: 'changed' | 'session ended' | 'basket changed' }

type BatchOutcome = Outcome | { outcome: 'busy' }

/** Waits for what it needs, in the transaction of the caller. */
export async function placeDraft(tx: Queries, draft: OrderDraft): Promise<Outcome> {
  const [outcome] = await callPlaceOrders(tx, [draft], true)
  return outcome as Outcome
}

/** All of them or, when one cannot be stored, none. 'busy' only without `wait`. */
async function callPlaceOrders(db: Queries, drafts: OrderDraft[], wait: boolean): Promise<BatchOutcome[]> {
  const sent = toWellFormedJson(drafts.map(toJson))
  const rows = await executeRows<{ outcome: BatchOutcome }>(
    db,
    sql`select place_orders as outcome from place_orders(${sent}::jsonb, ${wait})`,
  )
  return rows.map(({ outcome }) => outcome)
}

interface Batches {
  free: PlaceDraft
  /** Of customers or parts that other transactions have locked. */
  waiting: PlaceDraft
}
type PlaceDraft = (draft: OrderDraft) => Promise<BatchOutcome>

const batchesOf = new WeakMap<Database, Batches>()

/**
 * Together with the others that arrive while the database is busy with those before: one commit is then enough for all of them, although
 * they get their numbers one after another. Orders that must wait for a lock hold up only those of the same customers and parts. Throws
 * 'unavailable' when they wait too long.
 */
export async function placeInBatch(db: Database, draft: OrderDraft): Promise<Outcome> {
  const batches = batchesOf.get(db) ?? { free: createBatches(db, false), waiting: createBatches(db, true) }
  batchesOf.set(db, batches)
  const outcome = await batches.free(draft)
  if (outcome.outcome !== 'busy') return outcome
  const waited = await batches.waiting(draft)
  if (waited.outcome !== 'busy') return waited
  throw new ShopError('unavailable', 'This part is being changed. Try again in a moment.', { retryAfter: 5 })
}

/** So that pages do not wait for a batch on the embedded engine. */
const maxLines = 100

/** The next batch does not wait any longer for one whose statement hangs. */
const maxBatchMs = 2_000

function createBatches(db: Database, wait: boolean): PlaceDraft {
  const queue: {
    draft: OrderDraft
    resolve: (outcome: BatchOutcome) => void
    reject: (error: unknown) => void
  }[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    // With the orders of requests that arrived together.
    await setImmediate()
    let before = 0
    while (queue.length > 0) {
      const half = Math.ceil((queue.length + before) / 2)
      const batch = queue.splice(0, Math.min(half, countWithin(queue, maxLines)))
      before = batch.length
      const placed = placeAll(
        db,
        batch.map(({ draft }) => draft),
        wait,
      )
      answer(batch, placed)
      await settledWithin(placed, maxBatchMs)
    }
    isRunning = false
  }

  async function answer(batch: typeof queue, placed: ReturnType<typeof placeAll>) {
    const results = await placed
    // Once the next batch is on its way: the database writes it while the responses to this one are made.
    await setImmediate()
    for (const [i, { resolve, reject }] of batch.entries()) {
      const result = results[i]!
      if (result.status === 'fulfilled') resolve(result.value)
      else reject(result.reason)
    }
  }

  return (draft) =>
    new Promise((resolve, reject) => {
      queue.push({ draft, resolve, reject })
      if (!isRunning) run()
    })
}

/** How many from the start have so many lines together, at least one. */
function countWithin(queue: { draft: OrderDraft }[], max: number): number {
  let lines = 0
  const tooMany = queue.findIndex(({ draft }, i) => {
    lines += draft.lines.length
    return i > 0 && lines > max
  })
  return tooMany === -1 ? queue.length : tooMany
}

function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  work.finally(() => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}

type Placed = PromiseSettledResult<BatchOutcome>

/** Never rejects. A draft that cannot be stored does not stop the others, a deadlock none, and a lock only those that need it. */
async function placeAll(db: Database, drafts: OrderDraft[], wait: boolean): Promise<Placed[]> {
  try {
    return (await callPlaceOrders(db, drafts, wait)).map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    const code = sqlState(error)
    if (code === lockTimeout && wait) return placeAll(db, drafts, false)
    if (!isOfOneDraft.test(code)) return drafts.map(() => ({ status: 'rejected', reason: error }))
    const results: Placed[] = []
    for (const draft of drafts) {
      const placed = callPlaceOrders(db, [draft], wait).then(([outcome]) => outcome!)
      results.push(...(await Promise.allSettled([placed])))
    }
    return results
  }
}

const lockTimeout = '55P03'
/** Data errors, violated constraints, and transactions that were rolled back for the sake of others. */
const isOfOneDraft = /^(22|23|40)/

function sqlState(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown }
  return code ?? (cause === undefined ? '' : sqlState(cause))
}

/** As the function `place_orders` reads it (0063_order_baskets_once.sql). */
function toJson({ buyer, order, lines, unpaid, fromBasket, address, ...draft }: OrderDraft) {
  const { idempotency, numbers } = draft
  return {
    ...(address && { address: { ...address, id: crypto.randomUUID(), phone_number: address.phoneNumber } }),
    userId: buyer._id,
    tokenVersion: buyer.tokenVersion,
    fromBasket,
    checkBasket: fromBasket,
    member: { name: buyer.name, email: buyer.email, isConfirmed: buyer.emailConfirmedAt !== null },
    ...(unpaid && { unpaid: `${unpaid.count} ${unpaid.held}` }),
    ...(idempotency && { key: idempotency.key, fingerprint: idempotency.fingerprint }),
    numberPlaceholder: numbers.placeholder,
    numberPrefix: numbers.prefix,
    order: {
      id: order._id,
      name: order.name,
      email: order.email,
      recipient: order.recipient,
      company: order.company,
      address: order.address,
      phone_number: order.phoneNumber,
      price: order.price,
      line_count: lines.length,
      created_at: order.createdAt,
      client_network: order.clientNetwork,
      short_hold_until: order.shortHoldUntil,
    },
    lines: lines.map(({ part, ...line }) => ({
      id: line._id,
      position: line.position,
      part_id: line.partId,
      parts: line.parts,
      unit_price: line.unitPrice,
      quantity: line.quantity,
      price: line.price,
      per_unit_price: part.perUnitPrice,
      multiple: part.multiple,
      price_breaks: part.priceBreaks,
    })),
    texts: toWellFormedJson({
      ...(idempotency && { response: draft.response }),
      emails: draft.emails.map(emailJson),
    }),
  }
}
