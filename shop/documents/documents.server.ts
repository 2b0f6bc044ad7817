import { and, asc, desc, eq, exists, inArray, or, type SQL } from 'drizzle-orm'
import { invoices, parts, type Queries, shipmentLines, shipments } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import {
  findVisibleOrder,
  isUnpaid,
  type OrderRow,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import { checkPayment } from '#shop/orders/ship/ship.server.ts'
import { canBeShipped, orderStatus } from '#shop/orders/status.ts'
import type { EmailAttachment, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { OrderDocument, PackingSlip, PackingSlipsQuery } from './document.ts'
import { describeCharges, describeOrder, describeTaxOfLine, readContent } from './issue.server.ts'
import { type DocumentLayout, layoutDocument, layoutPackingSlip } from './layout.ts'
import { renderPdf, renderPdfs } from './pdf.server.ts'

/** Oldest first. Of an unpaid order only the pro-forma invoice, of an expired or cancelled one none. */
export async function listDocuments(shop: Shop, reader: Member, id: string): Promise<OrderDocument[]> {
  const order = await findVisibleOrder(shop, reader, id)
  const documents = await keptDocuments(shop.db, order)
  return isPayable(order) ? [await proForma(shop, order), ...documents] : documents
}

/** `document` is its id. Throws 'not-found'. */
export async function downloadDocument(shop: Shop, reader: Member, id: string, document: string) {
  const found = (await listDocuments(shop, reader, id)).find(({ id }) => id === document)
  if (!found) throw new ShopError('not-found', 'This order has no such document.')
  return renderPdf(layoutDocument(found))
}

/** What can be shipped, else the last parcel. Throws 'conflict' when that is nothing. */
export async function readPackingSlip(shop: Shop, admin: Member, id: string): Promise<PackingSlip> {
  const order = await findVisibleOrder(shop, admin, id)
  const lines = linesToPack(shop, order)
  const [last] = await findShipments(shop.db, eq(shipments.orderId, order._id))
  if (lines.length > 0) return toSlip(shop, { order, lines, shippedAt: null, isFirst: !last })
  if (!last || !order.lines.some((line) => isPaid(shop, line)))
    throw new ShopError('conflict', 'There’s nothing in this order to pack.')
  return readParcel(shop, order, last)
}

function isPaid(shop: Shop, line: OrderRow['lines'][number]) {
  return ['paid', 'shipped'].includes(orderStatus(toPurchase(shop, line)))
}

/** What it has, also after another one. */
async function readParcel(shop: Shop, order: OrderRow, { _id, createdAt }: ShipmentRow) {
  const packed = await shop.db.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, _id))
  const lines = order.lines.flatMap((line) => {
    const found = packed.find(({ lineId }) => lineId === line._id)
    return found ? [{ ...line, quantity: found.quantity }] : []
  })
  const all = await findShipments(shop.db, eq(shipments.orderId, order._id))
  return toSlip(shop, { order, lines, shippedAt: createdAt, isFirst: all.at(-1)!._id === _id })
}

type PackedLine = Pick<Purchase, 'partId' | 'parts' | 'quantity'>

interface Parcel {
  order: OrderRow
  lines: PackedLine[]
  shippedAt: string | null
  isFirst: boolean
}

async function toSlip(shop: Shop, { order, lines, shippedAt, isFirst }: Parcel): Promise<PackingSlip> {
  const found = await findParts(shop.db, lines)
  const { order: number, collectAt, ...parties } = describeOrder(shop, order)
  const { orderedAt, timeZone, seller, customer, delivery } = parties
  return {
    order: number,
    orderedAt,
    timeZone,
    seller,
    customer,
    delivery,
    ...(collectAt && { collectAt }),
    shippedAt,
    lines: lines.map(({ partId, parts, quantity }) => {
      const { partNumber, weight, origin, hsCode } = found.get(partId)!
      return { partNumber, parts, quantity, weight, origin, hsCode }
    }),
    rest: shippedAt
      ? leftToShip(shop, order).map(({ parts, toShip: quantity }) => ({ parts, quantity }))
      : [],
    isFirst,
  }
}

/** Throws 'conflict' when it is held back: it is not listed as if it were to be packed. */
function linesToPack(shop: Shop, order: OrderRow): PackedLine[] {
  const left = leftToShip(shop, order)
  const toPack = left.filter(canBeShipped)
  if (toPack.length === 0 && left[0]) checkPayment(left[0])
  return toPack.map((line) => ({ ...line, quantity: line.toShip }))
}

function leftToShip(shop: Shop, { lines }: OrderRow): Purchase[] {
  return lines
    .map((line) => toPurchase(shop, line))
    .filter((line) => orderStatus(line) === 'paid' && line.toShip > 0)
}

type ShipmentRow = Pick<typeof shipments.$inferSelect, '_id' | 'orderId' | 'createdAt'>

/** The newest first, without those that were taken back. */
function findShipments(db: Queries, condition: SQL): Promise<ShipmentRow[]> {
  const { _id, orderId, createdAt } = shipments
  const hasLines = db.select().from(shipmentLines).where(eq(shipmentLines.shipmentId, _id))
  return db
    .select({ _id, orderId, createdAt })
    .from(shipments)
    .where(and(condition, exists(hasLines)))
    .orderBy(desc(shipments.number))
}

export async function downloadPackingSlip(shop: Shop, admin: Member, id: string) {
  return renderPdf(layoutPackingSlip(await readPackingSlip(shop, admin, id)))
}

/** In the order asked for, without orders that have nothing to pack and shipments that were taken back. Throws 'not-found' for an unknown one. */
export async function readPackingSlips(
  shop: Shop,
  admin: Member,
  { orders: ids = [], shipments: ofShipments }: PackingSlipsQuery,
): Promise<PackingSlip[]> {
  if (ofShipments) return readParcels(shop, admin, ofShipments)
  const slips: PackingSlip[] = []
  for (const id of ids) {
    const slip = await readPackingSlip(shop, admin, id).catch((error) => {
      if (error instanceof ShopError && error.code === 'conflict') return null
      throw error
    })
    if (slip) slips.push(slip)
  }
  return slips
}

async function readParcels(shop: Shop, admin: Member, ids: string[]): Promise<PackingSlip[]> {
  const known = await shop.db.$count(shipments, inArray(shipments._id, ids))
  if (known < ids.length) throw new ShopError('not-found', 'One of these shipments doesn’t exist.')
  const found = await findShipments(shop.db, inArray(shipments._id, ids))
  const slips: PackingSlip[] = []
  for (const id of ids) {
    const shipment = found.find(({ _id }) => _id === id)
    if (!shipment) continue
    const order = await findVisibleOrder(shop, admin, shipment.orderId)
    slips.push(await readParcel(shop, order, shipment))
  }
  return slips
}

/** One file. Throws like `readPackingSlips`, and 'conflict' when there is nothing to pack. */
export async function downloadPackingSlips(shop: Shop, admin: Member, query: PackingSlipsQuery) {
  const layouts = (await readPackingSlips(shop, admin, query)).map(layoutPackingSlip)
  if (layouts.length === 0) throw new ShopError('conflict', 'There’s nothing in these orders to pack.')
  return renderPdfs(layouts, 'packing-slips')
}

export interface FoundAttachment extends EmailAttachment {
  _id: string
  layout: DocumentLayout
}

/** Leaves out those that don't exist. */
export async function findAttachments(
  db: Queries,
  attachments: EmailAttachment[],
): Promise<FoundAttachment[]> {
  if (attachments.length === 0) return []
  const isWanted = attachments.map(({ kind, reference }) =>
    and(eq(invoices.kind, kind), eq(invoices.reference, reference)),
  )
  const rows = await db
    .select()
    .from(invoices)
    .where(or(...isWanted))
  return rows.map((row) => {
    const { _id, kind, reference } = row
    return { _id, kind, reference, layout: layoutDocument(toDocument(row)) }
  })
}

/** Of an invoice or a credit note by its id, for the demo's outbox. */
export async function findDocumentFile(db: Queries, id: string): Promise<File | null> {
  const [row] = await db.select().from(invoices).where(eq(invoices._id, id))
  return row ? renderPdf(layoutDocument(toDocument(row))) : null
}

function isPayable({ lines }: OrderRow) {
  return lines.some(isUnpaid)
}

async function proForma(shop: Shop, order: OrderRow): Promise<OrderDocument> {
  const lines = order.lines.filter(isUnpaid)
  const found = await findParts(shop.db, lines)
  return {
    id: 'pro-forma',
    kind: 'pro-forma',
    number: formatOrderNumber(shop, order.number),
    ...describeOrder(shop, order),
    issuedAt: new Date().toISOString(),
    lines: lines.map((line) => ({
      purchase: line._id,
      partNumber: found.get(line.partId)!.partNumber,
      parts: line.parts,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      amount: line.price,
      ...(order.charges !== null && describeTaxOfLine(line)),
    })),
    ...describeCharges(shop, { ...order, lines }),
    payBy: toPurchase(shop, lines[0]!).heldUntil,
  }
}

async function keptDocuments(db: Queries, { _id }: OrderRow): Promise<OrderDocument[]> {
  const rows = await db
    .select()
    .from(invoices)
    .where(eq(invoices.orderId, _id))
    // An invoice before a credit note of the same moment.
    .orderBy(asc(invoices.createdAt), desc(invoices.kind), asc(invoices.number))
  return rows.map(toDocument)
}

function toDocument(row: typeof invoices.$inferSelect): OrderDocument {
  const { kind, prefix, number, createdAt: issuedAt } = row
  const id = kind === 'invoice' ? kind : `credit-note-${number}`
  return { ...readContent(row), id, kind, number: `${prefix}${number}`, issuedAt }
}

async function findParts(db: Queries, lines: Pick<Purchase, 'partId'>[]) {
  const ids = lines.map(({ partId }) => partId)
  const { _id, partNumber, weight, origin, hsCode } = parts
  const rows = await db
    .select({ _id, partNumber, weight, origin, hsCode })
    .from(parts)
    .where(inArray(parts._id, ids))
  return new Map(rows.map((row) => [row._id, row]))
}
