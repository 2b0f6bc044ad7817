import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/rows.ts'
import { orders, purchases, users } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { type Order, type OrderListQuery, toOrder } from './order.ts'
import { matchesOrderSearch } from './order-search.server.ts'
import { orderStatuses, type Purchase, type PurchaseCounts, type PurchaseQuery } from './purchase.ts'
import { awaitingPayment, notCancelled, toPurchase } from './purchase-rows.server.ts'

/** Newest first, but those to ship oldest first. */
export function listPurchases(shop: Shop, query: Partial<PurchaseQuery> = {}): Promise<Page<Purchase>> {
  const sort = query.sort ?? (query.status === 'pending' ? 'added' : undefined)
  return findPurchases(shop, notCancelled, { ...query, sort })
}

/** How many orders a list shows for each status, in one statement. */
export async function countPurchases(shop: Shop, { q }: { q?: string | undefined } = {}) {
  const counts = orderStatuses.map(
    (status) => sql`count(*) filter (where ${statusConditions[status]})::int as ${sql.identifier(status)}`,
  )
  const [row] = await executeRows<PurchaseCounts>(
    shop.db,
    sql`select count(*)::int as "all", ${sql.join(counts, sql`, `)} from ${purchases}
      where ${and(notCancelled, q ? matchesOrderSearch(shop, q) : undefined)}`,
  )
  return row!
}

export function listMyPurchases(
  shop: Shop,
  email: string,
  query: Partial<PurchaseQuery> = {},
): Promise<Page<Purchase>> {
  return findPurchases(shop, isOwnedBy(shop, email), query)
}

/** Newest first, but those to ship oldest first. */
export function listOrders(shop: Shop, query: Partial<OrderListQuery> = {}): Promise<Page<Order>> {
  const sort = query.sort ?? (query.status === 'pending' ? 'added' : undefined)
  return findOrders(shop, notCancelled, { ...query, sort })
}

export function listMyOrders(
  shop: Shop,
  email: string,
  query: Partial<OrderListQuery> = {},
): Promise<Page<Order>> {
  return findOrders(shop, isOwnedBy(shop, email), query)
}

function isOwnedBy({ db }: Shop, email: string) {
  const owner = db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  return and(notCancelled, inArray(purchases.userId, owner))
}

async function findOrders(shop: Shop, scope: SQL | undefined, query: Partial<OrderListQuery>) {
  const { q, status, sort, limit, page } = query
  const { db } = shop
  const where = and(scope, q ? matchesOrderSearch(shop, q) : undefined, status && statusConditions[status])
  const matching = db.selectDistinct({ _id: purchases.orderId }).from(purchases).where(where)
  const isMatching = inArray(orders._id, matching)
  const { rows, total } = await readPage(db, orders, {
    where: isMatching,
    orderBy: orderBy({ added: orders.number }, sort),
    limit,
    page,
  })
  const lines = await db
    .select()
    .from(purchases)
    .where(
      and(
        notCancelled,
        inArray(
          purchases.orderId,
          rows.map(({ _id }) => _id),
        ),
      ),
    )
    .orderBy(asc(purchases.position))
  const byOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  return {
    // An order may have been cancelled since it was found.
    rows: rows.flatMap(({ _id }) => {
      const lines = byOrder.get(_id)?.map((line) => toPurchase(shop, line))
      return lines ? [toOrder(lines)] : []
    }),
    total,
  }
}

async function findPurchases(shop: Shop, scope: SQL | undefined, query: Partial<PurchaseQuery>) {
  const { q, status, sort, limit, page } = query
  const where = and(scope, q ? matchesOrderSearch(shop, q) : undefined, status && statusConditions[status])
  const { rows, total } = await readPage(shop.db, purchases, {
    where,
    orderBy: [...orderBy(sortColumns, sort), asc(purchases.position)],
    limit,
    page,
  })
  return { rows: rows.map((row) => toPurchase(shop, row)), total }
}

const { refundedCents, pendingRefundCents } = purchases

export const statusConditions = {
  unpaid: awaitingPayment,
  expired: isNotNull(purchases.expiredAt),
  pending: and(
    isNotNull(purchases.paidAt),
    isNull(purchases.shippedAt),
    sql`${refundedCents} + ${pendingRefundCents} < ${purchases.price} * 100`,
    sql`${purchases.shippedQuantity} + ${purchases.returnedQuantity} < ${purchases.quantity}`,
  )!,
  shipped: isNotNull(purchases.shippedAt),
  refunded: and(isNotNull(purchases.paidAt), sql`${refundedCents} + ${pendingRefundCents} > 0`)!,
} as const satisfies Record<NonNullable<PurchaseQuery['status']>, SQL>

const sortColumns = {
  added: purchases.number,
  name: sql`lower(${purchases.name})`,
  parts: sql`lower(${purchases.parts})`,
  quantity: purchases.quantity,
  price: purchases.price,
  // Unshipped orders count as the oldest.
  shipped: sql`coalesce(${purchases.shippedAt}, '-infinity')`,
}
