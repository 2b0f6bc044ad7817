import { eq, sql } from 'drizzle-orm'
import { ledger, orderEvents, refunds, users } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { OrderEvent } from './order.ts'
import { findVisibleOrder, type OrderRow } from './order-rows.server.ts'

/** Oldest first; hides admins' names from customers. Throws 'not-found' for a cancelled order, except for admins. */
export async function readTimeline({ db }: Shop, reader: Member, id: string): Promise<OrderEvent[]> {
  const order = await findVisibleOrder({ db }, reader, id)
  const nameOf = createNameResolver(reader, order)
  const events: OrderEvent[] = [event('placed', order.createdAt, { by: order.name })]

  for (const { kind, at, by, name } of await db
    .select({ kind: orderEvents.kind, at: orderEvents.at, by: orderEvents.by, name: users.name })
    .from(orderEvents)
    .leftJoin(users, eq(users._id, orderEvents.by))
    .where(eq(orderEvents.orderId, id))
    .orderBy(orderEvents.number)) {
    events.push(event(kind, at, { by: nameOf(by, name) }))
  }
  for (const { kind, at, amount, reference, by, name, reason } of await db
    .select({ ...ledgerColumns, by: refunds.requestedBy, name: users.name, reason: refunds.reason })
    .from(ledger)
    .leftJoin(refunds, eq(refunds._id, ledger.refundId))
    .leftJoin(users, eq(users._id, refunds.requestedBy))
    .where(eq(ledger.orderId, id))
    .orderBy(ledger.number)) {
    const actor = kind === 'payment' ? order.name : nameOf(by, name)
    events.push(event(ledgerEventKinds[kind], at, { by: actor, amount: Math.abs(amount), reference, reason }))
  }
  for (const { createdAt, amount, by, name, reason, completedAt, failure } of await db
    .select({ ...refundColumns, name: users.name })
    .from(refunds)
    .leftJoin(users, eq(users._id, refunds.requestedBy))
    .where(sql`${refunds.orderId} = ${id} and (${refunds.completedAt} is null or ${refunds.failure} is not null)
      and not exists (select from ledger where refund_id = ${refunds._id})`)
    .orderBy(refunds.number)) {
    const actor = nameOf(by, name)
    events.push(event('refund asked', createdAt, { by: actor, amount, reason }))
    if (completedAt) {
      // The provider's message is for admins only.
      const failureReason = reader.role === 'admin' ? failure : null
      events.push(event('refund refused', completedAt, { amount, reason: failureReason }))
    }
  }
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

const ledgerColumns = { kind: ledger.kind, at: ledger.at, amount: ledger.amount, reference: ledger.reference }
const refundColumns = {
  createdAt: refunds.createdAt,
  amount: refunds.amount,
  by: refunds.requestedBy,
  reason: refunds.reason,
  completedAt: refunds.completedAt,
  failure: refunds.failure,
}

const ledgerEventKinds = { payment: 'paid', refund: 'refunded', 'failed refund': 'refund failed' } as const

function createNameResolver(reader: Member, order: OrderRow) {
  return (by: string | null, name: string | null) => {
    if (by === order.userId) return order.name
    return reader.role === 'admin' ? name : null
  }
}

function event(kind: OrderEvent['kind'], at: string, fields: Partial<OrderEvent>): OrderEvent {
  return { kind, at, by: null, amount: null, reason: null, reference: null, ...fields }
}
