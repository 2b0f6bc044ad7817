import { aliasedTable, and, eq, inArray, isNotNull, not, or, sql } from 'drizzle-orm'
import {
  disputes,
  ledger,
  orderEvents,
  orderLines,
  paymentTasks,
  refundedItems,
  refundLines,
  refunds,
  users,
} from '#db/schema.ts'
import { toDollars } from '#shop/money.ts'
import type { OrderEvent } from '#shop/orders/purchase.ts'
import { refundReference } from '#shop/payments/failed-refund.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { chargedCents, findVisiblePurchase, type PurchaseRow } from './purchase-rows.server.ts'

/** Of one item. Oldest first; hides admins' names from customers. Throws 'not-found' for a cancelled order, except for admins. */
export async function readTimeline(shop: Shop, reader: Member, idOrNumber: string): Promise<OrderEvent[]> {
  const line = await findVisiblePurchase(shop, reader, idOrNumber)
  return readEvents(shop.db, reader, line, line._id)
}

/** Of all items, also found by the id of one of them. */
export async function readOrderTimeline(shop: Shop, reader: Member, idOrNumber: string) {
  const line = await findVisiblePurchase(shop, reader, idOrNumber)
  return readEvents(shop.db, reader, line, null)
}

/** Of the whole order and of one line, or of every line. */
async function readEvents(db: Shop['db'], reader: Member, order: PurchaseRow, only: string | null) {
  const { orderId: id } = order
  const resolveName = createNameResolver(reader, order)
  const lines = await db
    .select({ _id: orderLines._id, parts: orderLines.parts, quantity: orderLines.quantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, id))
  const listItems = (lineId: string | null) =>
    only === null && lines.length > 1
      ? lines.flatMap(({ _id, ...item }) => (_id === lineId ? [item] : []))
      : []
  const items = await readRefundItems(db, id)
  const listRefunded = (refundId: string | null) =>
    items.filter((item) => item.refundId === refundId).map(({ parts, quantity }) => ({ parts, quantity }))
  const findAmount = (refundId: string | null, amountCents: number) => {
    const share = only && items.find((item) => item.refundId === refundId && item.lineId === only)
    return toDollars(Math.abs(share ? share.amountCents : amountCents))
  }
  /** Of the order, or of a refund of nothing else. */
  const findDelivery = (refundId: string | null, cents: number) => {
    const hasItems = items.some((item) => item.refundId === refundId)
    return cents !== 0 && (only === null || !hasItems) ? { delivery: toDollars(Math.abs(cents)) } : {}
  }
  const events: OrderEvent[] = [event('placed', order.createdAt, { by: order.name })]

  for (const { kind, at, amountCents, reference, by, name, reason, refundId, ...row } of await db
    .select({ ...ledgerColumns, ...requestColumns, name: users.name, shareCents: refundLines.amountCents })
    .from(ledger)
    .leftJoin(refunds, eq(refunds._id, ledger.refundId))
    .leftJoin(users, eq(users._id, refunds.requestedBy))
    .leftJoin(refundLines, isShare(only))
    .where(
      and(
        eq(ledger.orderId, id),
        inArray(ledger.kind, paymentKinds),
        concernsLine(only),
        only === null ? undefined : or(isNotAtProvider, isNotNull(refundLines.lineId)),
      ),
    )
    .orderBy(ledger.number)) {
    const actor = kind === 'payment' ? order.name : resolveName(by, name)
    const amount = findAmount(refundId, row.shareCents ?? amountCents)
    const delivery = findDelivery(refundId, row.deliveryCents)
    const items = only === null && lines.length > 1 ? listRefunded(refundId) : []
    events.push(
      event(ledgerEventKinds[kind as PaymentKind], at, {
        by: actor,
        amount,
        ...delivery,
        reference: refundReference(reference),
        reason,
        items,
      }),
    )
  }
  // After payments of the same moment, which lead to them.
  for (const { kind, at, by, name, lineId, shipped } of await readStates(db, id, only)) {
    const items = shipped.length > 0 ? shipped : listItems(lineId)
    events.push(event(kind, at, { by: resolveName(by, name), items }))
  }
  if (reader.role === 'admin') events.push(...(await readDisputes(db, id)))
  for (const refund of await readUnmadeRefunds(db, id, only)) {
    const { createdAt, by, name, reason, endedAt, finalRefusal, madeAnotherWay, madeBy, madeByName } = refund
    const amounts = {
      amount: findAmount(refund.refundId, refund.amountCents),
      ...findDelivery(refund.refundId, refund.deliveryCents),
    }
    const items = only === null && lines.length > 1 ? listRefunded(refund.refundId) : []
    events.push(
      event('refund requested', createdAt, { by: resolveName(by, name), ...amounts, reason, items }),
    )
    if (!endedAt) continue
    const failureReason = reader.role === 'admin' ? finalRefusal : null
    events.push(
      madeAnotherWay
        ? event('refunded another way', endedAt, {
            by: resolveName(madeBy ?? by, madeByName ?? name),
            ...amounts,
            items,
          })
        : event('refund rejected', endedAt, { ...amounts, reason: failureReason, items }),
    )
  }
  return joinCancelled(events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)))
}

const joinedKinds = new Set<OrderEvent['kind']>([
  'cancelled',
  'cancellation requested',
  'cancellation declined',
])

/** Items that were cancelled together are one event. */
function joinCancelled(events: OrderEvent[]) {
  const joined: OrderEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    if (
      joinedKinds.has(event.kind) &&
      last?.kind === event.kind &&
      last.at === event.at &&
      last.by === event.by
    )
      last.items.push(...event.items)
    else joined.push(event)
  }
  return joined
}

/** A shipment of several lines is one event, with what was `shipped`: the line itself first. */
async function readStates(db: Shop['db'], orderId: string, only: string | null) {
  const { kind, at, by, shipmentId, quantity } = orderEvents
  const columns = { kind, at, by, shipmentId, quantity, lineId: orderEvents.lineId }
  const rows = await db
    .select({ ...columns, name: users.name, parts: orderLines.parts })
    .from(orderEvents)
    .leftJoin(users, eq(users._id, orderEvents.by))
    .leftJoin(orderLines, eq(orderLines._id, orderEvents.lineId))
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(orderEvents.number)
  const togetherWith = (event: (typeof rows)[number]) => (row: typeof event) =>
    row === event ||
    (row.shipmentId !== null &&
      row.shipmentId === event.shipmentId &&
      row.kind === event.kind &&
      row.at === event.at)
  return rows
    .filter((row) => row.lineId === null || only === null || row.lineId === only)
    .filter((row, i, own) => own.findIndex(togetherWith(row)) === i)
    .map((event) => {
      const others = rows.filter((row) => row !== event && togetherWith(event)(row))
      const shipped = [event, ...others].flatMap(({ parts, quantity }) =>
        parts !== null && quantity !== null ? [{ parts, quantity }] : [],
      )
      return { ...event, shipped }
    })
}

/** Those that are pending, were rejected, or were made another way, by the admin `madeBy`. */
function readUnmadeRefunds(db: Shop['db'], orderId: string, only: string | null) {
  const maker = aliasedTable(users, 'maker')
  const isOfRefund = and(eq(paymentTasks.kind, 'refund rejected'), eq(paymentTasks.reference, refunds._id))
  return db
    .select({ ...refundColumns, name: users.name, madeBy: paymentTasks.resolvedBy, madeByName: maker.name })
    .from(refunds)
    .leftJoin(users, eq(users._id, refunds.requestedBy))
    .leftJoin(paymentTasks, and(isOfRefund, isNotNull(paymentTasks.resolvedBy)))
    .leftJoin(maker, eq(maker._id, paymentTasks.resolvedBy))
    .where(
      and(
        eq(refunds.orderId, orderId),
        concernsLine(only),
        sql`(${refunds.endedAt} is null or ${refunds.finalRefusal} is not null or ${refunds.madeAnotherWay})
          and not exists (select from ledger where refund_id = ${refunds._id})`,
      ),
    )
    .orderBy(refunds.number)
}

const isNotAtProvider = or(eq(ledger.kind, 'payment'), isNotNull(ledger.refundId))

/** What one line has of a refund that was made at the provider, for the whole order. */
function isShare(only: string | null) {
  if (only === null) return sql`false`
  const { ledgerNumber, lineId } = refundLines
  return and(eq(ledgerNumber, ledger.number), eq(lineId, only), not(isNotAtProvider!))
}

/** A refund of one line, or of the whole order. */
function concernsLine(only: string | null) {
  if (only === null) return undefined
  const item = sql`select from ${refundedItems} where ${refundedItems.refundId} = ${refunds._id}`
  return sql`(not exists (${item}) or exists (${item} and ${refundedItems.lineId} = ${only}))`
}

/** What of each line its refunds were for: of how many parts is known when it was given, when they return to stock, or when all of it was refunded. */
async function readRefundItems(db: Shop['db'], orderId: string) {
  const rows = await db
    .select({
      refundId: refundedItems.refundId,
      lineId: refundedItems.lineId,
      amountCents: refundedItems.amountCents,
      restocked: refundedItems.restocked,
      asked: refundedItems.quantity,
      parts: orderLines.parts,
      ordered: orderLines.quantity,
      price: orderLines.price,
      addedCents: orderLines.addedCents,
    })
    .from(refunds)
    .innerJoin(refundedItems, eq(refundedItems.refundId, refunds._id))
    .innerJoin(orderLines, eq(orderLines._id, refundedItems.lineId))
    .where(eq(refunds.orderId, orderId))
    .orderBy(refunds.number, orderLines.position)
  return rows.map(({ restocked, asked, ordered, price, addedCents, ...item }) => {
    const isAll = item.amountCents >= chargedCents({ price, addedCents })
    return { ...item, quantity: asked ?? (isAll ? ordered : restocked) }
  })
}

async function readDisputes(db: Shop['db'], orderId: string): Promise<OrderEvent[]> {
  const rows = await db.select().from(disputes).where(eq(disputes.orderId, orderId))
  return rows.flatMap(({ _id: reference, amountCents, reason, status, createdAt, closedAt, inquiry }) => {
    const amount = toDollars(amountCents)
    const opened = event(inquiry ? 'inquiry opened' : 'dispute opened', createdAt, {
      amount,
      reason,
      reference,
    })
    if (status === 'open' || !closedAt) return [opened]
    const kind = inquiry ? 'inquiry closed' : (`dispute ${status}` as const)
    return [opened, event(kind, closedAt, { amount, reference })]
  })
}

const ledgerColumns = {
  kind: ledger.kind,
  at: ledger.at,
  amountCents: ledger.amountCents,
  deliveryCents: ledger.deliveryCents,
  reference: ledger.reference,
}
const requestColumns = { by: refunds.requestedBy, reason: refunds.reason, refundId: refunds._id }
const refundColumns = {
  ...requestColumns,
  createdAt: refunds.createdAt,
  amountCents: refunds.amountCents,
  deliveryCents: refunds.deliveryCents,
  endedAt: refunds.endedAt,
  finalRefusal: refunds.finalRefusal,
  madeAnotherWay: refunds.madeAnotherWay,
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
