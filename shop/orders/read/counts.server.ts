import { and, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { maxCount } from '#shop/money.ts'
import { orderStatuses, type PurchaseCounts } from '#shop/orders/purchase.ts'
import { countBounded } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { linesAsPurchases } from './lists.server.ts'
import { matchesOrderSearch } from './order-search.server.ts'
import { notCancelled } from './purchase-rows.server.ts'
import { adminConditions } from './status-conditions.server.ts'

/**
 * How many orders a list shows for each status, each counted up to one more than `maxCount`; of a search, all of them together. An order
 * counts in each status that one of its items has.
 */
export async function countPurchases(shop: Shop, { q }: { q?: string | undefined } = {}) {
  const [row] = await executeRows<PurchaseCounts>(shop.db, q ? await countFound(shop, q) : countListed(shop))
  return row!
}

/** Up to one more than `maxCount`. */
export function countOrders({ db }: Pick<Shop, 'db'>, hasLine: SQL | undefined): Promise<number> {
  return countBounded(db, selectNumbers(hasLine))
}

/** Of the orders that have such an item. */
export function selectNumbers(hasLine: SQL | undefined) {
  return sql`select distinct order_number from ${linesAsPurchases} where ${hasLine}`
}

async function countFound(shop: Shop, q: string) {
  const counts = orderStatuses.map(
    (status) => sql`count(*) filter (where ${sql.identifier(status)})::int as ${sql.identifier(status)}`,
  )
  const conditions = adminConditions(shop)
  const statuses = orderStatuses.map(
    (status) => sql`bool_or(${conditions[status]}) as ${sql.identifier(status)}`,
  )
  return sql`select count(*)::int as "all", ${sql.join(counts, sql`, `)} from (
    select ${sql.join(statuses, sql`, `)} from ${linesAsPurchases}
    where ${and(notCancelled, await matchesOrderSearch(shop, q))}
    group by order_number order by order_number desc limit ${maxCount + 1}
  ) found`
}

function countListed(shop: Shop) {
  const conditions = adminConditions(shop)
  const count = (name: string, condition?: SQL) =>
    sql`(select count(*)::int from (
      ${selectNumbers(and(notCancelled, condition))} limit ${maxCount + 1}
    ) listed) as ${sql.identifier(name)}`
  const counts = orderStatuses.map((status) => count(status, conditions[status]))
  return sql`select ${sql.join([count('all'), ...counts], sql`, `)}`
}
