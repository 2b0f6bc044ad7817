import { and, asc, desc, eq, inArray, or } from 'drizzle-orm'
import { invoices, parts, type Queries, shipmentLines, shipments } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
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
import { describeOrder, readContent } from './issue.server.ts'
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

/** What can be shipped, else what has shipped. Throws 'conflict' when that is nothing. */
export async function readPackingSlip(
  shop: Shop,
  admin: Member,
  id: string,
  of?: PackingSlipsQuery['of'],
): Promise<PackingSlip> {
  const order = await findVisibleOrder(shop, admin, id)
  const lines = of === 'last shipment' ? await readLastShipped(shop.db, order, id) : linesToPack(shop, order)
  if (lines.length === 0) throw new ShopError('conflict', 'There’s nothing in this order to pack.')
  const numbers = await findPartNumbers(shop.db, lines)
  const { order: number, orderedAt, timeZone, seller, customer, delivery } = describeOrder(shop, order)
  return {
    order: number,
    orderedAt,
    timeZone,
    seller,
    customer,
    delivery,
    lines: lines.map(({ partId, parts, quantity, shippedAt }) => {
      return { partNumber: numbers.get(partId)!, parts, quantity, shippedAt }
    }),
  }
}

function linesToPack(shop: Shop, order: OrderRow) {
  const paid = order.lines.filter((line) => ['paid', 'shipped'].includes(orderStatus(toPurchase(shop, line))))
  const toShip = paid.filter((line) => canBeShipped(toPurchase(shop, line)))
  const isToShip = toShip.length > 0
  const lines = isToShip ? toShip : paid.filter(({ shippedQuantity }) => shippedQuantity > 0)
  // Items that are held back are not listed as if they were to be packed.
  const held = isToShip
    ? undefined
    : paid.map((line) => toPurchase(shop, line)).find((line) => line.toShip > 0)
  if (held) checkPayment(held)
  return lines.map((line) => {
    const quantity = isToShip ? toPurchase(shop, line).toShip : line.shippedQuantity
    return { ...line, quantity }
  })
}

/** Of the order; `id` may be that of an item. */
async function readLastShipped(db: Queries, { _id: orderId, lines }: OrderRow, id: string) {
  const isItem = lines.some(({ _id }) => _id === id)
  const last = db
    .select({ _id: shipments._id })
    .from(shipments)
    .innerJoin(shipmentLines, eq(shipmentLines.shipmentId, shipments._id))
    .where(and(eq(shipments.orderId, orderId), isItem ? eq(shipmentLines.lineId, id) : undefined))
    .orderBy(desc(shipments.number))
    .limit(1)
  const shipped = await db
    .select({
      lineId: shipmentLines.lineId,
      quantity: shipmentLines.quantity,
      shippedAt: shipments.createdAt,
    })
    .from(shipmentLines)
    .innerJoin(shipments, eq(shipments._id, shipmentLines.shipmentId))
    .where(inArray(shipments._id, last))
  return lines.flatMap((line) => {
    const found = shipped.find(({ lineId }) => lineId === line._id)
    return found ? [{ ...line, quantity: found.quantity, shippedAt: found.shippedAt }] : []
  })
}

export async function downloadPackingSlip(shop: Shop, admin: Member, id: string) {
  return renderPdf(layoutPackingSlip(await readPackingSlip(shop, admin, id)))
}

/** In the order asked for, without orders that have nothing to pack. Throws 'not-found' for an unknown order. */
export async function readPackingSlips(
  shop: Shop,
  admin: Member,
  { orders, of }: PackingSlipsQuery,
): Promise<PackingSlip[]> {
  const slips: PackingSlip[] = []
  for (const id of orders) {
    const slip = await readPackingSlip(shop, admin, id, of).catch((error) => {
      if (error instanceof ShopError && error.code === 'conflict') return null
      throw error
    })
    if (slip) slips.push(slip)
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
  const numbers = await findPartNumbers(shop.db, lines)
  return {
    id: 'pro-forma',
    kind: 'pro-forma',
    number: formatOrderNumber(shop, order.number),
    ...describeOrder(shop, order),
    issuedAt: new Date().toISOString(),
    lines: lines.map(({ _id: purchase, partId, parts, quantity, unitPrice, price: amount }) => ({
      purchase,
      partNumber: numbers.get(partId)!,
      parts,
      quantity,
      unitPrice,
      amount,
    })),
    total: lines.reduce((sum, { price }) => sum + price, 0),
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

async function findPartNumbers(db: Queries, lines: OrderRow['lines']) {
  const ids = lines.map(({ partId }) => partId)
  const rows = await db
    .select({ _id: parts._id, partNumber: parts.partNumber })
    .from(parts)
    .where(inArray(parts._id, ids))
  return new Map(rows.map(({ _id, partNumber }) => [_id, partNumber]))
}
