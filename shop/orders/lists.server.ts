import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/rows.ts'
import { orders, users } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { matchesOrderSearch } from './order-search.server.ts'
import { orderStatuses, type Purchase, type PurchaseCounts, type PurchaseQuery } from './purchase.ts'
import { awaitingPayment, moneyColumns, notCancelled, toPurchase } from './purchase-rows.server.ts'

/** Newest first, but those to ship oldest first. */
export function listPurchases(shop: Shop, query: Partial<PurchaseQuery> = {}): Promise<Page<Purchase>> {
  const sort = query.sort ?? (query.status === 'pending' ? 'added' : undefined)
  return findOrders(shop, notCancelled, { ...query, sort })
}

/** How many orders a list shows for each status, in one statement. */
export async function countPurchases({ db }: Pick<Shop, 'db'>, { q }: { q?: string | undefined } = {}) {
  const counts = orderStatuses.map(
    (status) => sql`count(*) filter (where ${statusConditions[status]})::int as ${sql.identifier(status)}`,
  )
  const [row] = await executeRows<PurchaseCounts>(
    db,
    sql`select count(*)::int as "all", ${sql.join(counts, sql`, `)} from ${orders}
      where ${and(notCancelled, q ? matchesOrderSearch(q) : undefined)}`,
  )
  return row!
}

export function listMyPurchases(
  shop: Shop,
  email: string,
  query: Partial<PurchaseQuery> = {},
): Promise<Page<Purchase>> {
  const owner = shop.db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  return findOrders(shop, and(notCancelled, inArray(orders.userId, owner)), query)
}

async function findOrders(shop: Shop, scope: SQL | undefined, query: Partial<PurchaseQuery>) {
  const { q, status, sort, limit, page } = query
  const where = and(scope, q ? matchesOrderSearch(q) : undefined, status && statusConditions[status])
  const { rows, total } = await readPage(shop.db, orders, {
    where,
    orderBy: orderBy(sortColumns, sort),
    limit,
    page,
    extraColumns: moneyColumns,
  })
  return { rows: rows.map((row) => toPurchase(shop, row)), total }
}

const { refundedCents, pendingRefundCents } = moneyColumns

export const statusConditions = {
  unpaid: awaitingPayment,
  expired: isNotNull(orders.expiredAt),
  pending: and(
    isNotNull(orders.paidAt),
    isNull(orders.shippedAt),
    sql`${refundedCents} + ${pendingRefundCents} < ${orders.price} * 100`,
  )!,
  shipped: isNotNull(orders.shippedAt),
  refunded: and(isNotNull(orders.paidAt), sql`${refundedCents} + ${pendingRefundCents} > 0`)!,
} as const satisfies Record<NonNullable<PurchaseQuery['status']>, SQL>

const sortColumns = {
  added: orders.number,
  name: sql`lower(${orders.name})`,
  parts: sql`lower(${orders.parts})`,
  quantity: orders.quantity,
  price: orders.price,
  // Unshipped orders count as the oldest.
  shipped: sql`coalesce(${orders.shippedAt}, '-infinity')`,
}
