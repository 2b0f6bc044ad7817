import DataLoader from 'dataloader'
import { sql } from 'drizzle-orm'
import type { outbox } from '#db/embedded.ts'
import { executeRows } from '#db/rows.ts'
import type { Database, idempotencyKeys, orderLines, orders, Queries } from '#db/schema.ts'
import type { OrderAddress } from '#shop/addresses/addresses.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { SoldLine } from './stock.server.ts'

type OrderValues = Omit<typeof orders.$inferSelect, 'number' | 'lineCount' | 'refundedCents' | 'remindedAt'>
type LineValues = Pick<
  typeof orderLines.$inferSelect,
  '_id' | 'position' | 'partId' | 'parts' | 'unitPrice' | 'quantity' | 'price'
>

/** An order as it would be placed, and what it was made from: it is placed only if nothing of that has changed. */
export interface OrderDraft {
  buyer: Pick<Member, '_id' | 'tokenVersion'>
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
  | { outcome: 'changed' | 'busy' | 'session ended' }

/** All of them or, when one cannot be stored, none. None is 'busy'. */
export function placeDrafts(tx: Queries, drafts: readonly OrderDraft[]): Promise<Outcome[]> {
  return callPlaceOrders(tx, drafts, true)
}

async function callPlaceOrders(
  db: Queries,
  drafts: readonly OrderDraft[],
  wait: boolean,
): Promise<Outcome[]> {
  const sent = JSON.stringify(drafts.map(toJson), (_, value) =>
    // jsonb refuses half a character.
    typeof value === 'string' ? value.toWellFormed() : value,
  )
  const rows = await executeRows<{ outcome: Outcome }>(
    db,
    sql`select place_orders as outcome from place_orders(${sent}::jsonb, ${wait})`,
  )
  return rows.map(({ outcome }) => outcome)
}

const maxBatch = 50

interface Batches {
  free: DataLoader<OrderDraft, Outcome>
  /** Of customers or parts that other transactions have locked. */
  waiting: DataLoader<OrderDraft, Outcome>
}
const batchesOf = new WeakMap<Database, Batches>()

/**
 * Together with the others that arrive while the database is busy with those before: one commit is then enough for all of them, although
 * they get their numbers one after another. Orders that must wait for a lock do not hold up the others. Never 'busy'.
 */
export async function placeInBatch(db: Database, draft: OrderDraft): Promise<Outcome> {
  const batches = batchesOf.get(db) ?? { free: createBatches(db, false), waiting: createBatches(db, true) }
  batchesOf.set(db, batches)
  const outcome = await batches.free.load(draft)
  return outcome.outcome === 'busy' ? batches.waiting.load(draft) : outcome
}

function createBatches(db: Database, wait: boolean) {
  let running: Promise<unknown> = Promise.resolve()
  const place = (drafts: readonly OrderDraft[]) => {
    const placed = placeAll(db, drafts, wait)
    running = placed
    return placed
  }
  return new DataLoader(place, {
    cache: false,
    maxBatchSize: maxBatch,
    batchScheduleFn: (dispatch) => void running.then(dispatch),
  })
}

/** Never rejects. A draft that cannot be stored does not stop the others, and a deadlock none. */
async function placeAll(
  db: Database,
  drafts: readonly OrderDraft[],
  wait: boolean,
): Promise<(Outcome | Error)[]> {
  try {
    return await callPlaceOrders(db, drafts, wait)
  } catch (error) {
    if (!wasRolledBack(error)) return drafts.map(() => error as Error)
    const outcomes: (Outcome | Error)[] = []
    for (const draft of drafts)
      outcomes.push(
        await callPlaceOrders(db, [draft], wait).then(
          ([outcome]) => outcome!,
          (error: Error) => error,
        ),
      )
    return outcomes
  }
}

/** Not so when the connection was lost: the orders may have been placed. */
function wasRolledBack(error: unknown): boolean {
  const { severity, cause } = (error ?? {}) as { severity?: string; cause?: unknown }
  return severity === 'ERROR' || (cause !== undefined && wasRolledBack(cause))
}

/** As the function `place_order` reads it (0040_place_orders.sql). */
function toJson({ buyer, order, lines, unpaid, fromBasket, address, ...draft }: OrderDraft) {
  const { idempotency, numbers } = draft
  return {
    ...(address && { address: { ...address, id: crypto.randomUUID(), phone_number: address.phoneNumber } }),
    ...{ userId: buyer._id, tokenVersion: buyer.tokenVersion, fromBasket },
    ...(unpaid && { unpaid: `${unpaid.count} ${unpaid.held}` }),
    ...(idempotency && { key: idempotency.key, fingerprint: idempotency.fingerprint }),
    ...{ numberPlaceholder: numbers.placeholder, numberPrefix: numbers.prefix },
    order: {
      ...{ id: order._id, name: order.name, email: order.email, recipient: order.recipient },
      ...{ company: order.company, address: order.address, phone_number: order.phoneNumber },
      ...{ price: order.price, line_count: lines.length, created_at: order.createdAt },
      ...{ client_network: order.clientNetwork, short_hold_until: order.shortHoldUntil },
    },
    lines: lines.map(({ part, ...line }) => ({
      ...{ id: line._id, position: line.position, part_id: line.partId, parts: line.parts },
      ...{ unit_price: line.unitPrice, quantity: line.quantity, price: line.price },
      ...{ per_unit_price: part.perUnitPrice, multiple: part.multiple, price_breaks: part.priceBreaks },
    })),
    texts: {
      response: draft.response,
      emails: draft.emails.map(({ _id, replyTo, body, nextTryAt, ...email }) => ({
        ...{ id: _id ?? crypto.randomUUID(), recipient: email.recipient, reply_to: replyTo },
        ...{ subject: email.subject, body, html: email.html, attachments: email.attachments ?? [] },
        next_try_at: nextTryAt,
      })),
    },
  }
}
