import { eq } from 'drizzle-orm'
import { type Queries, shipmentLines, shipments } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { formatCount } from '#shop/money.ts'
import {
  describeDelivery,
  isSameOrderDelivery,
  type OrderDelivery,
} from '#shop/orders/change/delivery-change.ts'
import { changeLineCounts } from '#shop/orders/change/line-counts.server.ts'
import { describeItems } from '#shop/orders/describe-lines.ts'
import { shippingEmailTime } from '#shop/orders/emails/shipping-emails.server.ts'
import { addShippingEvents } from '#shop/orders/events.server.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderExpiredError, testPaymentError } from '#shop/orders/read/purchase-rows.server.ts'
import { orderStatus } from '#shop/orders/status.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { Tracking } from './shipment.ts'

export interface ShipItem {
  lineId: string
  quantity: number
}

export function checkPayment(line: Purchase) {
  const error = paymentError(line)
  if (error) throw error
}

/** Throws 'conflict' when an order goes elsewhere than an admin has `seen`. */
export function checkDelivery(
  { settings }: Pick<Shop, 'settings'>,
  line: Purchase,
  seen: OrderDelivery | undefined,
) {
  const home = settings.current.company.country
  if (!seen || isSameOrderDelivery(line, seen, home)) return
  throw new ShopError(
    'conflict',
    `The delivery address has just changed to “${describeDelivery(line, home)}”. Print a new packing slip, then ship again.`,
  )
}

/** The lines of an order that are not cancelled are paid, expire and are disputed together. */
export function paymentError({ expired, paid, testPayment, dispute }: Purchase): ShopError | undefined {
  if (expired) return orderExpiredError()
  if (!paid) return new ShopError('conflict', 'This order isn’t paid yet, so it can’t be shipped.')
  if (testPayment) return testPaymentError()
  if (dispute === 'open' || dispute === 'lost')
    return new ShopError(
      'conflict',
      'The payment for this order is disputed, so it can’t be shipped unless you win the dispute.',
    )
}

export function itemProblem(line: Purchase, quantity: number): string | undefined {
  if (orderStatus(line) === 'refunded') return 'This item was refunded, so it can’t be shipped.'
  if (line.toShip === 0) return 'Nothing of this item is left to ship.'
  if (quantity > line.toShip) return `Only ${formatCount(line.toShip)} left to ship.`
}

export const noTracking: Tracking = { carrier: undefined, trackingNumber: undefined }

export async function addShipment(
  tx: Queries,
  admin: Member,
  orderId: string,
  { carrier, trackingNumber }: Tracking = noTracking,
) {
  const [added] = await tx
    .insert(shipments)
    .values({ orderId, by: admin._id, carrier, trackingNumber })
    .returning({ _id: shipments._id })
  return added!._id
}

interface Shipping {
  action: 'shipOrder' | 'shipOrders' | 'shipPurchase'
  /** Of one order. */
  lines: Purchase[]
  items: ShipItem[]
  tracking?: Tracking
}

export async function addShipmentItems(
  tx: Queries,
  admin: Member,
  shipmentId: string,
  { action, lines, items, tracking = noTracking }: Shipping,
) {
  const order = lines[0]!
  const rows = items.map(({ lineId, quantity }) => ({ shipmentId, lineId, quantity }))
  await tx.insert(shipmentLines).values(rows)
  await tx.update(shipments).set({ emailDueAt: shippingEmailTime() }).where(eq(shipments._id, shipmentId))
  await changeLineCounts(
    tx,
    items.map(({ lineId, quantity }) => ({ lineId, shipped: quantity })),
  )
  await addShippingEvents(tx, order.orderId, { kind: 'shipped', by: admin, items: rows })
  const { carrier = null, trackingNumber = null } = tracking
  const after = { shipped: describeItems(lines, items), carrier, trackingNumber }
  await recordChange(tx, admin, { ...orderSubject(order), action, after })
}
