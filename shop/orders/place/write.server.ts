import { setImmediate, setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { toColumns, toWellFormedJson } from '#db/driver/json.ts'
import { executeRows } from '#db/driver/rows.ts'
import type { Database } from '#db/schema.ts'
import { emailJson } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import type { ComposedOrder, OrderBatches, Outcome } from './composed-order.ts'

/** 'next': to be written as it is, after those that it arrived with. */
type BatchOutcome = QueueOutcome | { outcome: 'next' }
type QueueOutcome = Outcome | { outcome: 'busy' }

/**
 * Writes an order together with the others that arrive while the database is busy with those before: one commit is then enough for all of
 * them, although they get their numbers one after another. Orders that must wait for a lock hold up only those of the same customers and
 * parts. `write` throws 'unavailable' when they wait too long.
 */
export function createOrderBatches(db: Database): OrderBatches {
  const writeFree = createBatches(db, false)
  const writeWaiting = createBatches(db, true)
  return {
    async write(composed) {
      const outcome = await writeFree(composed)
      const waited = outcome.outcome === 'busy' ? await writeWaiting(composed) : outcome
      if (waited.outcome !== 'busy') return waited
      throw new ShopError('unavailable', 'This part is being changed. Try again in a moment.', {
        retryAfter: 5,
      })
    },
  }
}

/** So that pages do not wait for a batch on the embedded engine. */
const maxBatchLines = 100

/** The next batch does not wait any longer for one whose statement hangs. */
const maxBatchMs = 2_000

function createBatches(db: Database, wait: boolean): (composed: ComposedOrder) => Promise<QueueOutcome> {
  const queue: {
    composed: ComposedOrder
    resolve: (outcome: QueueOutcome) => void
    reject: (error: unknown) => void
  }[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    // With the orders of requests that arrived together.
    await setImmediate()
    let before = 0
    while (queue.length > 0) {
      // Half of the orders under way: the next batch arrives while this one is answered.
      const batchSize = Math.ceil((queue.length + before) / 2)
      const batch = queue.splice(0, Math.min(batchSize, countWithin(queue, maxBatchLines)))
      before = batch.length
      const written = writeAll(
        db,
        batch.map(({ composed }) => composed),
        wait,
      )
      answer(batch, written)
      await Promise.race([written, setTimeout(maxBatchMs, undefined, { ref: false })])
    }
    isRunning = false
  }

  async function answer(batch: typeof queue, written: Promise<Written[]>) {
    const results = await written
    // Once the next batch is on its way: the database writes it while the responses to this one are made.
    await setImmediate()
    for (const [i, waiting] of batch.entries()) {
      const result = results[i]!
      if (result.status === 'rejected') waiting.reject(result.reason)
      else if (result.value.outcome === 'next') add(waiting)
      else waiting.resolve(result.value)
    }
  }

  function add(waiting: (typeof queue)[number]) {
    queue.push(waiting)
    if (!isRunning) run()
  }

  return (composed) =>
    new Promise((resolve, reject) => {
      add({ composed, resolve, reject })
    })
}

/** How many from the start have so many lines together, at least one. */
function countWithin(queue: { composed: ComposedOrder }[], max: number): number {
  let lines = 0
  const tooMany = queue.findIndex(({ composed }, i) => {
    lines += composed.lines.length
    return i > 0 && lines > max
  })
  return tooMany === -1 ? queue.length : tooMany
}

type Written = PromiseSettledResult<BatchOutcome>

/** Never rejects. An order that cannot be stored does not stop the others, a deadlock none, and a lock only those that need it. */
async function writeAll(db: Database, orders: ComposedOrder[], wait: boolean): Promise<Written[]> {
  try {
    return (await placeTogether(db, orders, wait)).map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    const code = sqlState(error)
    // A single lock held up all of them: those that need none are placed now, and the others are busy.
    if (code === lockTimeout && wait) return writeAll(db, orders, false)
    if (!isOfOneOrder.test(code)) return orders.map(() => ({ status: 'rejected', reason: error }))
    const results: Written[] = []
    for (const composed of orders) {
      const written = placeTogether(db, [composed], wait).then(([outcome]) => outcome!)
      results.push(...(await Promise.allSettled([written])))
    }
    return results
  }
}

const lockTimeout = '55P03'
/** Data errors, violated constraints, and transactions that were rolled back for the sake of others. */
const isOfOneOrder = /^(22|23|40)/

function sqlState(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown }
  return code ?? (cause === undefined ? '' : sqlState(cause))
}

/** All of them or, when one cannot be stored, none. 'busy' only without `wait`. */
async function placeTogether(db: Database, orders: ComposedOrder[], wait: boolean): Promise<BatchOutcome[]> {
  const sent = toWellFormedJson(orders.map(toJson))
  const rows = await executeRows<{ outcome: BatchOutcome }>(
    db,
    sql`select place_together as outcome from place_together(${sent}::jsonb, ${wait})`,
  )
  return rows.map(({ outcome }) => outcome)
}

function toJson({
  order,
  lines,
  address,
  emails,
  response,
  idempotency,
  numbers,
  ...composed
}: ComposedOrder) {
  return {
    ...composed,
    ...numbers,
    ...idempotency,
    userId: order.userId,
    order: toRow({ ...order, lineCount: lines.length }),
    lines: lines.map(toRow),
    address: address && toRow({ _id: crypto.randomUUID(), ...address }),
    texts: toWellFormedJson({ response: idempotency && response, emails: emails.map(emailJson) }),
  }
}

function toRow<Row extends { _id: string }>({ _id: id, ...columns }: Row) {
  return toColumns({ id, ...columns })
}
