import type { outbox } from '#db/embedded.ts'
import type { idempotencyKeys, orderLines, orders } from '#db/schema.ts'
import type { OrderAddress } from '#shop/addresses/address.ts'

type OrderValues = Omit<
  typeof orders.$inferSelect,
  | 'number'
  | 'lineCount'
  | 'refundedCents'
  | 'refundedDeliveryCents'
  | 'pendingDeliveryCents'
  | 'shippedAt'
  | 'remindedAt'
  | 'shipBy'
>
type LineValues = Pick<
  typeof orderLines.$inferSelect,
  | '_id'
  | 'position'
  | 'partId'
  | 'parts'
  | 'unitPrice'
  | 'quantity'
  | 'price'
  | 'addedCents'
  | 'taxCents'
  | 'taxLabel'
>

/** An order as it would be placed, and what it was composed from: it is placed only if nothing of that has changed. */
export interface ComposedOrder {
  userVersion: number
  /** Of the rates that it was charged with. */
  ratesVersion: string
  order: OrderValues
  lines: (LineValues & { partVersion: number; isLowest: boolean })[]
  /** The count of the customer's unpaid orders and their dollars; undefined when they are not limited. */
  unpaid: string | undefined
  /** Percent of the stock of a part; undefined when the customer may hold all of it. */
  share:
    | { percent: number; percentOfFirst: number; percentOfAll: number; trustFactor: number; provider: string }
    | undefined
  fromBasket: boolean
  /** To be saved for the customer. */
  address: OrderAddress | undefined
  /** With `numberPlaceholder` in place of the order number. */
  emails: (typeof outbox.$inferInsert)[]
  /** The emails are not sent when one of them is reached. */
  emailLimits: EmailLimit[] | undefined
  response: unknown
  idempotency: { key: string; fingerprint: string } | undefined
  numbers: { numberPlaceholder: string; numberPrefix: string }
}

export type Outcome =
  | { outcome: 'placed'; number: number }
  /** The request was answered before. */
  | ({ outcome: 'repeated' } & Pick<typeof idempotencyKeys.$inferSelect, 'fingerprint' | 'response'>)
  | { outcome: 'changed' | 'basket changed' }
  /** How many the customer may hold of parts, by id. */
  | { outcome: 'share exceeded'; parts: Record<string, number> }

/** Of emails to an address that nobody has confirmed. */
export interface EmailLimit {
  key: string
  max: number
  seconds: number
}

export interface OrderBatches {
  write: (composed: ComposedOrder) => Promise<Outcome>
}
