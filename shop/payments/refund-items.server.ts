import { eq } from 'drizzle-orm'
import { type Queries, refundedItems } from '#db/schema.ts'
import type { OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import { returnStock } from '#shop/stock/line-stock.server.ts'

/** Of a refund that was made at the provider. */
export const externalRefundReason = 'Refunded through the payment provider.'

export type RefundItem = typeof refundedItems.$inferSelect

/** The lines that it is for; none of the refund of a payment that the order could not accept. */
export function findRefundItems(tx: Queries, id: string): Promise<RefundItem[]> {
  return tx.select().from(refundedItems).where(eq(refundedItems.refundId, id))
}

/** What a refund has promised to return to stock. */
export async function restock(tx: Queries, order: OrderRow, items: RefundItem[]) {
  const returned = order.lines.flatMap(({ _id, partId }) => {
    const quantity = items.find(({ lineId }) => lineId === _id)?.restocked ?? 0
    return quantity > 0 ? [{ partId, quantity }] : []
  })
  if (returned.length > 0) await returnStock(tx, returned)
}

/** What a refund or an email is about: the lines of its `items`, or all that are left; those that were cancelled when none is. */
export function concernedLines({ lines }: OrderRow, items: { lineId: string }[] = []) {
  const concerned = lines.filter(({ _id, cancelledAt }) =>
    items.length > 0 ? items.some(({ lineId }) => lineId === _id) : !cancelledAt,
  )
  return concerned.length > 0 ? concerned : lines
}
