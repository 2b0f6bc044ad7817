import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { disputes, ledger, orderEvents, orderLines, refunds, users } from '#db/schema.ts'
import { toDollars } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { OrderEvent } from './purchase.ts'
import { findVisiblePurchase, type PurchaseRow } from './purchase-rows.server.ts'

/** Oldest first; hides admins' names from customers. Throws 'not-found' for a cancelled order, except for admins. */
export async function readTimeline(shop: Shop, reader: Member, idOrNumber: string): Promise<OrderEvent[]> {
  const order = await findVisiblePurchase(shop, reader, idOrNumber)
  const { orderId: id, _id: lineId } = order
  const nameOf = createNameResolver(reader, order)
  const events: OrderEvent[] = [event('placed', order.createdAt, { by: order.name })]

  for (const { kind, at, by, name, items } of await readEvents(shop.db, id, lineId)) {
    events.push(event(kind, at, { by: nameOf(by, name), items }))
  }
  for (const { kind, at, amountCents, reference, by, name, reason } of await shop.db
    .select({ ...ledgerColumns, by: refunds.requestedBy, name: users.name, reason: refunds.reason })
    .from(ledger)
    .leftJoin(refunds, eq(refunds._id, ledger.refundId))
    .leftJoin(users, eq(users._id, refunds.requestedBy))
    .where(and(eq(ledger.orderId, id), inArray(ledger.kind, paymentKinds), isOf(refunds.lineId, lineId)))
    .orderBy(ledger.number)) {
    const actor = kind === 'payment' ? order.name : nameOf(by, name)
    const amount = toDollars(Math.abs(amountCents))
    const id = reference.replace(/ failed$/, '')
    events.push(
      event(ledgerEventKinds[kind as PaymentKind], at, { by: actor, amount, reference: id, reason }),
    )
  }
  if (reader.role === 'admin') events.push(...(await readDisputes(shop.db, id)))
  for (const { createdAt, amountCents, by, name, reason, completedAt, failure } of await shop.db
    .select({ ...refundColumns, name: users.name })
    .from(refunds)
    .leftJoin(users, eq(users._id, refunds.requestedBy))
    .where(sql`${refunds.orderId} = ${id} and ${isOf(refunds.lineId, lineId)} and (${refunds.completedAt} is null or ${refunds.failure} is not null)
      and not exists (select from ledger where refund_id = ${refunds._id})`)
    .orderBy(refunds.number)) {
    const actor = nameOf(by, name)
    const amount = toDollars(amountCents)
    events.push(event('refund requested', createdAt, { by: actor, amount, reason }))
    if (completedAt) {
      const failureReason = reader.role === 'admin' ? failure : null
      events.push(event('refund rejected', completedAt, { amount, reason: failureReason }))
    }
  }
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Of one line, or of the whole order. What was shipped with the line is in `items`. */
async function readEvents(db: Shop['db'], orderId: string, lineId: string) {
  const { kind, at, by, shipmentId, quantity } = orderEvents
  const rows = await db
    .select({
      kind,
      at,
      by,
      shipmentId,
      quantity,
      lineId: orderEvents.lineId,
      name: users.name,
      parts: orderLines.parts,
    })
    .from(orderEvents)
    .leftJoin(users, eq(users._id, orderEvents.by))
    .leftJoin(orderLines, eq(orderLines._id, orderEvents.lineId))
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(orderEvents.number)
  const own = rows.filter((row) => row.lineId === null || row.lineId === lineId)
  return own.map((event) => {
    const isSame = (row: typeof event) =>
      row !== event && row.kind === event.kind && row.shipmentId === event.shipmentId && row.at === event.at
    const others = event.shipmentId === null ? [] : rows.filter(isSame)
    const items = [event, ...others].flatMap(({ parts, quantity }) =>
      parts !== null && quantity !== null ? [{ parts, quantity }] : [],
    )
    return { ...event, items }
  })
}

/** Of one line, or of the whole order. */
function isOf(column: PgColumn, lineId: string) {
  return or(isNull(column), eq(column, lineId))
}

async function readDisputes(db: Shop['db'], orderId: string): Promise<OrderEvent[]> {
  const rows = await db.select().from(disputes).where(eq(disputes.orderId, orderId))
  return rows.flatMap(({ _id: reference, amountCents, reason, status, createdAt, closedAt }) => {
    const amount = toDollars(amountCents)
    const opened = event('dispute opened', createdAt, { amount, reason, reference })
    if (status === 'open' || !closedAt) return [opened]
    return [opened, event(`dispute ${status}`, closedAt, { amount, reference })]
  })
}

const ledgerColumns = {
  kind: ledger.kind,
  at: ledger.at,
  amountCents: ledger.amountCents,
  reference: ledger.reference,
}
const refundColumns = {
  createdAt: refunds.createdAt,
  amountCents: refunds.amountCents,
  by: refunds.requestedBy,
  reason: refunds.reason,
  completedAt: refunds.completedAt,
  failure: refunds.failure,
}

type PaymentKind = keyof typeof ledgerEventKinds
const ledgerEventKinds = { payment: 'paid', refund: 'refunded', 'failed refund': 'refund failed' } as const
const paymentKinds = Object.keys(ledgerEventKinds) as PaymentKind[]

function createNameResolver(reader: Member, order: PurchaseRow) {
  return (by: string | null, name: string | null) => {
    if (by === order.userId) return order.name
    return reader.role === 'admin' ? name : null
  }
}

function event(kind: OrderEvent['kind'], at: string, fields: Partial<OrderEvent>): OrderEvent {
  return { kind, at, by: null, amount: null, reason: null, reference: null, items: [], ...fields }
}
