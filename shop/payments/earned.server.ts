import { sql } from 'drizzle-orm'
import { orders, payments } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'

/** What was paid and not refunded, of `paidLedger`. */
export const earnedCents = sql`coalesce(sum(ledger.amount_cents), 0)`

export const paidLedger = sql`ledger join ${orders} paid on paid.id = ledger.order_id left join ${payments} on ${payments._id} = ledger.payment_id`

/** Of a payment: a live shop has never received the money of a test payment. */
export function isRealMoney({ payments: { provider } }: Shop) {
  return sql`coalesce(${payments.provider}, ${provider}) in (${provider}, 'stripe live')`
}
