import { and, asc, desc, eq, isNotNull, isNull, notExists, type SQL } from 'drizzle-orm'
import { orderLines, type Queries, shipmentLines, shipments } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { changedMeanwhile, ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { OrderDelivery } from '#shop/orders/change/delivery-change.ts'
import { shippingEmailTime } from '#shop/orders/emails/shipping-emails.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { quantityInvalidError, throwIfAny } from '#shop/orders/place/line-errors.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import {
  findVisiblePurchase,
  lockOrder,
  lockPurchase,
  orderNotFoundError,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import { orderStatus } from '#shop/orders/status.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import {
  addShipment,
  addShipmentItems,
  checkDelivery,
  checkPayment,
  itemProblem,
  noTracking,
  type ShipItem,
} from './ship.server.ts'
import type { Shipment, ShipmentRequest, TrackingChange } from './shipment.ts'
import { takeBack, takeBackLast } from './take-back.server.ts'
import { trackingUrl } from './tracking-url.ts'

/** Oldest first, without those that were taken back. Throws 'not-found' for an order that the reader may not see. */
export async function listShipments(shop: Shop, reader: Member, id: string): Promise<Shipment[]> {
  const { orderId } = await findVisiblePurchase(shop, reader, id)
  return findShipments(shop.db, eq(shipments.orderId, orderId))
}

/**
 * Ships some of an order by its id or number, or all that is left. Throws 'conflict', naming each line, for more than is left and for
 * what cannot be shipped. The customer is told after a minute, in which it can be taken back.
 */
export function shipOrder(
  shop: Shop,
  admin: Member,
  id: string,
  request: ShipmentRequest,
  key?: string,
): Promise<Shipment> {
  return addOne(shop, admin, id, { action: 'shipOrder', request, key })
}

/** All that is left of an order, as one of several. */
export function shipWhole(
  shop: Shop,
  admin: Member,
  id: string,
  { deliverTo, key }: { deliverTo: OrderDelivery | undefined; key: string | undefined },
): Promise<Shipment> {
  return addOne(shop, admin, id, { action: 'shipOrders', request: { ...noTracking, deliverTo }, key })
}

interface Adding {
  action: 'shipOrder' | 'shipOrders'
  request: ShipmentRequest
  key: string | undefined
}

function addOne(shop: Shop, admin: Member, id: string, { action, request, key }: Adding): Promise<Shipment> {
  const call = { userId: admin._id, call: action, key, body: { id, ...request } }
  return idempotent(shop.db, call, async (tx) => {
    const { orderId } = await findVisiblePurchase(shop, admin, id, tx)
    const order = await lockOrder(tx, orderId)
    const lines = order!.lines.filter(({ cancelledAt }) => !cancelledAt).map((row) => toPurchase(shop, row))
    if (!lines[0]) throw orderNotFoundError()
    checkPayment(lines[0])
    checkDelivery(shop, lines[0], request.deliverTo)
    const items = request.lines ? chooseItems(lines, request.lines) : allItems(lines)
    const shipmentId = await addShipment(tx, admin, orderId, request)
    await addShipmentItems(tx, admin, shipmentId, { action, lines, items, tracking: request })
    return (await findShipments(tx, eq(shipments._id, shipmentId)))[0]!
  })
}

/**
 * Ships all that is left of one line or, with a `shipping` of false, takes its last shipment back. Throws 'conflict' when the order is
 * unpaid, expired, disputed or fully refunded.
 */
export function shipPurchase(
  shop: Shop,
  admin: Member,
  id: string,
  shipping = true,
): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const row = await lockPurchase(tx, id)
    const line = toPurchase(shop, row)
    if (line.shipping === shipping) return { modifiedCount: 0 }
    if (shipping) await shipRest(tx, admin, line)
    else await takeBackLast(shop, tx, admin, row)
    return { modifiedCount: 1 }
  })
}

/** Sets both. A customer who knows of the shipment is told of a new tracking number after a minute. Throws 'conflict' when they are not what was read. */
export function updateTracking(
  shop: Shop,
  admin: Member,
  id: string,
  request: TrackingChange,
  action: 'updateTracking' | 'saveTracking' = 'updateTracking',
): Promise<Shipment> {
  return shop.db.transaction(async (tx) => {
    const { carrier = null, trackingNumber = null } = request
    const { order, shipment: before } = await lockShipment(tx, id)
    const isOther = (than: { carrier: string | null; trackingNumber: string | null }) =>
      before.carrier !== than.carrier || before.trackingNumber !== than.trackingNumber
    const isChanged = isOther({ carrier, trackingNumber })
    if (isChanged && request.before && isOther(request.before)) throw trackingChangedError(before)
    const emailDueAt = trackingNumber === null ? null : shippingEmailTime()
    await tx
      .update(shipments)
      .set({ carrier, trackingNumber, ...(isChanged && before.emailedAt && { emailDueAt }) })
      .where(eq(shipments._id, id))
    if (isChanged)
      await recordChange(tx, admin, {
        ...orderSubject(withNumber(shop, order)),
        action,
        before: { carrier: before.carrier, trackingNumber: before.trackingNumber },
        after: { carrier, trackingNumber },
      })
    return (await findShipments(tx, eq(shipments._id, id)))[0]!
  })
}

function trackingChangedError({ carrier, trackingNumber }: typeof shipments.$inferSelect) {
  const now = [carrier, trackingNumber].filter(Boolean).join(', ')
  return new ShopError('conflict', changedMeanwhile(now))
}

/** Takes all of it back. */
export function removeShipment(shop: Shop, admin: Member, id: string): Promise<{ deletedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const { orderId, emailedAt } = (await lockShipment(tx, id)).shipment
    const rows = await tx.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, id))
    const items = rows.map((row) => ({ ...row, emailedAt }))
    await takeBack(shop, tx, admin, { orderId, items, action: 'removeShipment' })
    return { deletedCount: 1 }
  })
}

/** Like `removeShipment`, before the customer is told of it. One that was taken back stays so. */
export function undoShipment(shop: Shop, admin: Member, id: string): Promise<void> {
  return shop.db.transaction(async (tx) => {
    const [found] = await tx.select().from(shipments).where(eq(shipments._id, id))
    if (!found) throw shipmentNotFoundError()
    await lockOrder(tx, found.orderId)
    const rows = await tx.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, id))
    if (rows.length === 0) return
    const isWaiting = and(eq(shipments._id, id), isNotNull(shipments.emailDueAt), isNull(shipments.emailedAt))
    if ((await tx.$count(shipments, isWaiting)) === 0) throw alreadyToldError()
    const items = rows.map((row) => ({ ...row, emailedAt: null }))
    await takeBack(shop, tx, admin, { orderId: found.orderId, items, action: 'undoShipments' })
  })
}

function alreadyToldError() {
  return new ShopError(
    'conflict',
    'The customer already got the email about this shipment. You can still remove it on the page of the order, which sends a correction.',
  )
}

function shipmentNotFoundError() {
  return new ShopError('not-found', 'This shipment doesn’t exist.')
}

async function findShipments(db: Queries, condition: SQL): Promise<Shipment[]> {
  const { lineId, quantity } = shipmentLines
  const rows = await db
    .select({ shipment: shipments, line: { lineId, parts: orderLines.parts, quantity } })
    .from(shipments)
    .innerJoin(shipmentLines, eq(shipmentLines.shipmentId, shipments._id))
    .innerJoin(orderLines, eq(orderLines._id, lineId))
    .where(condition)
    .orderBy(asc(shipments.number), asc(orderLines.position))
  return [...Map.groupBy(rows, ({ shipment }) => shipment._id).values()].map((group) => {
    const { _id, orderId, carrier, trackingNumber, createdAt } = group[0]!.shipment
    const url = trackingUrl(carrier, trackingNumber)
    const lines = group.map(({ line }) => line)
    return { _id, orderId, carrier, trackingNumber, trackingUrl: url, createdAt, lines }
  })
}

/** Locks its order. Throws 'not-found' also when it was taken back. */
async function lockShipment(tx: Queries, id: string) {
  const [found] = await tx.select().from(shipments).where(eq(shipments._id, id))
  const order = found && (await lockOrder(tx, found.orderId))
  const [row] = await tx
    .select({ shipment: shipments })
    .from(shipments)
    .innerJoin(shipmentLines, eq(shipmentLines.shipmentId, shipments._id))
    .where(eq(shipments._id, id))
    .limit(1)
  if (!row || !order) throw shipmentNotFoundError()
  return { shipment: row.shipment, order: { orderId: order._id, number: order.number } }
}

function allItems(lines: Purchase[]): ShipItem[] {
  const items = lines
    .filter((line) => itemProblem(line, line.toShip) === undefined)
    .map(({ _id: lineId, toShip: quantity }) => ({ lineId, quantity }))
  if (items.length > 0) return items
  const isRefunded = lines.every((line) => orderStatus(line) === 'refunded')
  throw new ShopError(
    'conflict',
    isRefunded
      ? 'This order was refunded, so it can’t be shipped.'
      : 'Nothing in this order is left to ship.',
  )
}

function chooseItems(lines: Purchase[], wanted: ShipItem[]): ShipItem[] {
  const failures = wanted.flatMap(({ lineId, quantity }, index) => {
    const line = lines.find(({ _id }) => _id === lineId)
    const isRepeated = wanted.findIndex((item) => item.lineId === lineId) < index
    if (isRepeated) return [{ index, name: line?.parts, error: quantityInvalidError('invalid', repeated) }]
    const problem = line ? itemProblem(line, quantity) : 'This item isn’t in the order.'
    return problem ? [{ index, name: line?.parts, error: quantityInvalidError('conflict', problem) }] : []
  })
  throwIfAny(failures)
  return wanted
}

const repeated = 'This item is in the shipment twice. Add it once, with the total quantity.'

async function shipRest(tx: Queries, admin: Member, line: Purchase) {
  const { _id: lineId, orderId, toShip: quantity } = line
  checkPayment(line)
  const problem = itemProblem(line, quantity)
  if (problem) throw new ShopError('conflict', problem)
  const shipmentId = (await findOpenShipment(tx, admin, line)) ?? (await addShipment(tx, admin, orderId))
  const items = [{ lineId, quantity }]
  await addShipmentItems(tx, admin, shipmentId, { action: 'shipPurchase', lines: [line], items })
}

/** Items that an admin ships within a minute, without a tracking number, are told of in one email. */
async function findOpenShipment(tx: Queries, admin: Member, { _id: lineId, orderId }: Purchase) {
  const hasLine = tx
    .select({ lineId: shipmentLines.lineId })
    .from(shipmentLines)
    .where(and(eq(shipmentLines.shipmentId, shipments._id), eq(shipmentLines.lineId, lineId)))
  const isOpen = and(isNotNull(shipments.emailDueAt), isNull(shipments.emailedAt))
  const hasNoTracking = and(isNull(shipments.carrier), isNull(shipments.trackingNumber))
  const [open] = await tx
    .select({ _id: shipments._id })
    .from(shipments)
    .where(
      and(
        eq(shipments.orderId, orderId),
        eq(shipments.by, admin._id),
        isOpen,
        hasNoTracking,
        notExists(hasLine),
      ),
    )
    .orderBy(desc(shipments.number))
    .limit(1)
  return open?._id
}
