import { and, eq, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { orders, users } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import { likePattern, orderBy, readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import type { Order, OrderQuery } from './order.ts'
import { awaitingPayment, moneyColumns, notCancelled, toOrder } from './order-rows.server.ts'

export function listOrders(shop: Shop, query: Partial<OrderQuery> = {}): Promise<Page<Order>> {
  return findOrders(shop, notCancelled, query)
}

export function listMyOrders(
  shop: Shop,
  email: string,
  query: Partial<OrderQuery> = {},
): Promise<Page<Order>> {
  const owner = shop.db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  return findOrders(shop, and(notCancelled, inArray(orders.userId, owner)), query)
}

async function findOrders(shop: Shop, scope: SQL | undefined, query: Partial<OrderQuery>) {
  const { q, status, sort, limit, page } = query
  const where = and(scope, q ? matchesSearch(q) : undefined, status && statusConditions[status])
  const { rows, total } = await readPage(shop.db, orders, {
    where,
    orderBy: orderBy(sortColumns, sort),
    limit,
    page,
    extraColumns: moneyColumns,
  })
  return { rows: rows.map((row) => toOrder(shop, row)), total }
}

function matchesSearch(q: string) {
  const pattern = likePattern(q)
  const [, number] = /^#?(\d{1,15})$/.exec(q) ?? []
  return or(
    ilike(orders.name, pattern),
    ilike(orders.email, pattern),
    ilike(orders.parts, pattern),
    eq(orders._id, q),
    eq(orders.transactionId, q),
    number ? eq(orders.number, Number(number)) : undefined,
  )
}

const { refundedCents, pendingRefundCents } = moneyColumns

const statusConditions = {
  unpaid: awaitingPayment,
  expired: isNotNull(orders.expiredAt),
  pending: and(
    isNotNull(orders.paidAt),
    isNull(orders.shippedAt),
    sql`${refundedCents} + ${pendingRefundCents} < ${orders.price} * 100`,
  )!,
  shipped: isNotNull(orders.shippedAt),
  refunded: sql`${refundedCents} + ${pendingRefundCents} > 0`,
} as const satisfies Record<NonNullable<OrderQuery['status']>, SQL>

const sortColumns = {
  added: orders.number,
  name: sql`lower(${orders.name})`,
  parts: sql`lower(${orders.parts})`,
  quantity: orders.quantity,
  price: orders.price,
}
