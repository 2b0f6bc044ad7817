import { and, desc, eq, inArray, notExists } from 'drizzle-orm'
import { type Queries, shipmentLines, shipments } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { changeLineCounts } from '#shop/orders/change/line-counts.server.ts'
import { describeItems } from '#shop/orders/describe-lines.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { orderNotShippedEmail } from '#shop/orders/emails/shipment-emails.ts'
import { selectShipped } from '#shop/orders/emails/shipping-emails.server.ts'
import { addShippingEvents, type ShippedItem } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { findOrder, type PurchaseRow, toPurchase } from '#shop/orders/read/purchase-rows.server.ts'
import { canBeShipped } from '#shop/orders/status.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'

interface Item extends ShippedItem {
  /** When the customer was told of the shipment. */
  emailedAt: string | null
}

interface TakingBack {
  orderId: string
  items: Item[]
  action: 'removeShipment' | 'undoShipments'
}

/** Marks items of a locked order as not shipped. A customer who knows of them gets a correction. */
export async function takeBack(
  shop: Shop,
  tx: Queries,
  admin: Member,
  { orderId, items, action }: TakingBack,
) {
  const ids = items.map(({ shipmentId }) => shipmentId)
  const lineIds = items.map(({ lineId }) => lineId)
  await tx
    .delete(shipmentLines)
    .where(and(inArray(shipmentLines.shipmentId, ids), inArray(shipmentLines.lineId, lineIds)))
  const hasLines = tx.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, shipments._id))
  await tx
    .update(shipments)
    .set({ emailDueAt: null })
    .where(and(inArray(shipments._id, ids), notExists(hasLines)))
  const shipped = sumByLine(items)
  await changeLineCounts(
    tx,
    shipped.map(({ lineId, quantity }) => ({ lineId, shipped: -quantity })),
  )
  await addShippingEvents(tx, orderId, { kind: 'not shipped', by: admin, items })
  const order = await findOrder(tx, orderId)
  await recordChange(tx, admin, {
    ...orderSubject(withNumber(shop, { orderId, number: order.number })),
    action,
    before: { shipped: describeItems(order.lines, shipped) },
  })
  const known = sumByLine(items.filter(({ emailedAt }) => emailedAt !== null))
  if (known.length === 0) return
  const { order: taken, isPart } = selectShipped(order, known)
  const willShip = order.lines
    .filter(({ _id }) => known.some(({ lineId }) => lineId === _id))
    .some((line) => canBeShipped(toPurchase(shop, line)))
  await emailCustomer(shop, tx, taken, (order) => orderNotShippedEmail(shop, order, { isPart, willShip }))
}

/** Takes back the last shipment of a line; more only while parts that a refund returned make up for it. */
export async function takeBackLast(shop: Shop, tx: Queries, admin: Member, line: PurchaseRow) {
  const { _id, orderId, quantity, returnedQuantity } = line
  const { shipmentId, lineId } = shipmentLines
  const rows = await tx
    .select({ shipmentId, lineId, quantity: shipmentLines.quantity, emailedAt: shipments.emailedAt })
    .from(shipmentLines)
    .innerJoin(shipments, eq(shipments._id, shipmentId))
    .where(eq(lineId, _id))
    .orderBy(desc(shipments.number))
  const items: Item[] = []
  let left = line.shippedQuantity
  for (const row of rows) {
    if (left + returnedQuantity < quantity) break
    items.push(row)
    left -= row.quantity
  }
  await takeBack(shop, tx, admin, { orderId, items, action: 'removeShipment' })
}

function sumByLine(items: Item[]) {
  return [...Map.groupBy(items, ({ lineId }) => lineId)].map(([lineId, group]) => ({
    lineId,
    quantity: group.reduce((sum, { quantity }) => sum + quantity, 0),
  }))
}
