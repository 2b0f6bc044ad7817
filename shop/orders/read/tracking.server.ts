import { and, asc, eq, exists, inArray, isNotNull } from 'drizzle-orm'
import { shipmentLines, shipments } from '#db/schema.ts'
import type { Order } from '#shop/orders/order.ts'
import { trackingUrl } from '#shop/orders/ship/tracking-url.ts'
import type { Shop } from '#shop/ports.ts'

/** Each order with the carrier's page about its last shipment that has one. */
export async function addTracking({ db }: Pick<Shop, 'db'>, orders: Order[]): Promise<Order[]> {
  const shipped = orders.filter(({ lines }) => lines.some(({ shippedQuantity }) => shippedQuantity > 0))
  if (shipped.length === 0) return orders
  const ids = shipped.map(({ _id }) => _id)
  // One that was taken back has no lines.
  const left = db.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, shipments._id))
  const rows = await db
    .select()
    .from(shipments)
    .where(and(inArray(shipments.orderId, ids), isNotNull(shipments.trackingNumber), exists(left)))
    .orderBy(asc(shipments.number))
  const urls = new Map<string, string>()
  for (const { orderId, carrier, trackingNumber } of rows) {
    const url = trackingUrl(carrier, trackingNumber)
    if (url) urls.set(orderId, url)
  }
  return orders.map((order) => ({ ...order, trackingUrl: urls.get(order._id) ?? null }))
}
