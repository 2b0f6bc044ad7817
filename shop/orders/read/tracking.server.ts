import { and, asc, eq, exists, inArray, isNotNull } from 'drizzle-orm'
import { shipmentLines, shipments } from '#db/schema.ts'
import { trackingUrl } from '#shop/orders/ship/tracking-url.ts'
import type { Shop } from '#shop/ports.ts'

/** Of orders, the carrier’s page about the last shipment that has one. */
export async function readTrackingUrls(
  { db }: Pick<Shop, 'db'>,
  orderIds: string[],
): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  if (orderIds.length === 0) return urls
  // One that was taken back has no lines.
  const left = db.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, shipments._id))
  const rows = await db
    .select()
    .from(shipments)
    .where(and(inArray(shipments.orderId, orderIds), isNotNull(shipments.trackingNumber), exists(left)))
    .orderBy(asc(shipments.number))
  for (const { orderId, carrier, trackingNumber } of rows) {
    const url = trackingUrl(carrier, trackingNumber)
    if (url) urls.set(orderId, url)
  }
  return urls
}
