import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { type Queries, shipmentLines, shipments } from '#db/schema.ts'
import { collectFailures } from '#shop/failures.server.ts'
import { chargedCents, lockOrder, type OrderRow, toPurchase } from '#shop/orders/read/purchase-rows.server.ts'
import { undoSeconds } from '#shop/orders/ship/shipment.ts'
import { trackingUrl } from '#shop/orders/ship/tracking-url.ts'
import { countParts } from '#shop/orders/state.ts'
import type { Shop } from '#shop/ports.ts'
import { emailCustomer } from './notify.server.ts'
import { orderShippedEmail, trackingEmail } from './shipment-emails.ts'

export function shippingEmailTime(now = Date.now()) {
  return new Date(now + undoSeconds * 1_000).toISOString()
}

/** Safe to run concurrently. Throws after the run when any failed. `now` is Unix time in ms. */
export async function sendShippingEmails(shop: Shop, now = Date.now()): Promise<void> {
  const isDue = lte(shipments.emailDueAt, new Date(now).toISOString())
  const batch = await shop.db
    .select({ _id: shipments._id, orderId: shipments.orderId })
    .from(shipments)
    .where(isDue)
    .orderBy(asc(shipments.emailDueAt))
    .limit(500)
  const send = ({ _id, orderId }: (typeof batch)[number]) =>
    shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      const [due] = await tx
        .select()
        .from(shipments)
        .where(and(eq(shipments._id, _id), isDue))
      if (order && due) await emailShipment(shop, tx, order, due)
    })
  const failures = collectFailures('Shipping emails that could not be sent')
  for (const shipment of batch) await send(shipment).catch(failures.add)
  failures.throwIfAny()
}

async function emailShipment(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  { _id, carrier, trackingNumber, emailedAt }: typeof shipments.$inferSelect,
) {
  const items = await tx.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, _id))
  const announced = items.filter(({ lineId }) => !isBackInStock(order, lineId))
  const told = announced.length > 0 ? (emailedAt ?? new Date().toISOString()) : emailedAt
  await tx.update(shipments).set({ emailDueAt: null, emailedAt: told }).where(eq(shipments._id, _id))
  if (announced.length === 0) return
  const { order: shipped, isPart } = selectShipped(order, announced)
  const tracking = { carrier, trackingNumber, url: trackingUrl(carrier, trackingNumber) }
  const rest = order.lines
    .map((line) => toPurchase(shop, line))
    .filter(({ paid }) => paid)
    .map((line) => ({ ...line, quantity: countParts(line).toShip }))
    .filter(({ quantity }) => quantity > 0)
  // Of parcels of the same minute, the last email says it.
  const isWaiting = and(
    eq(shipments.orderId, order._id),
    isNull(shipments.emailedAt),
    isNotNull(shipments.emailDueAt),
  )
  const isLast = isPart && rest.length === 0 && (await tx.$count(shipments, isWaiting)) === 0
  await emailCustomer(shop, tx, shipped, (order) =>
    emailedAt
      ? trackingEmail(shop, order, tracking)
      : orderShippedEmail(shop, order, { isPart, rest, isLast, tracking }),
  )
}

/** The order with the items alone, and whether it has more to ship. */
export function selectShipped(order: OrderRow, items: { lineId: string; quantity: number }[]) {
  const lines = order.lines.filter(({ cancelledAt }) => cancelledAt === null)
  const findQuantity = (id: string) => items.find(({ lineId }) => lineId === id)?.quantity ?? 0
  return {
    order: {
      ...order,
      lines: lines
        .map((line) => ({ ...line, quantity: findQuantity(line._id) }))
        .filter(({ quantity }) => quantity > 0),
    },
    isPart: lines.some(
      ({ _id, quantity, returnedQuantity, ...line }) =>
        !isRefunded(line) && findQuantity(_id) < quantity - returnedQuantity,
    ),
  }
}

type RefundedLine = Pick<
  OrderRow['lines'][number],
  'price' | 'addedCents' | 'refundedCents' | 'pendingRefundCents'
>

function isRefunded(line: RefundedLine) {
  return line.refundedCents + line.pendingRefundCents >= chargedCents(line)
}

/** All of it was refunded and returned. */
function isBackInStock({ lines }: OrderRow, lineId: string) {
  const line = lines.find(({ _id }) => _id === lineId)
  return (
    line !== undefined && line.refundedCents >= chargedCents(line) && line.returnedQuantity >= line.quantity
  )
}
