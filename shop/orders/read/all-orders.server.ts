import { and, asc, inArray, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { orderLines, orders, purchases } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import { toDollars } from '#shop/money.ts'
import {
  type AllOrdersQuery,
  type ListedOrder,
  maxLines,
  maxListedLines,
  toOrder,
} from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { countBounded, orderBy } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { buildPurchaseCondition, chooseScope, chooseSort, linesAsPurchases } from './lists.server.ts'
import { notCancelled, type PurchaseRow, toPurchase } from './purchase-rows.server.ts'
import { adminConditions } from './status-conditions.server.ts'

/** An order is found when one of its lines matches. Newest first, but those to ship oldest first. */
export async function listOrders(
  shop: Shop,
  query: Partial<AllOrdersQuery> = {},
): Promise<Page<ListedOrder>> {
  const { limit = 10, page = 1 } = query
  const { lines = Math.min(maxLines, Math.floor(maxListedLines / limit)) } = query
  const matching = await selectOrders(shop, query)
  const [found, total] = await Promise.all([
    executeRows<{ id: string }>(shop.db, sql`${matching} limit ${limit} offset ${(page - 1) * limit}`),
    countBounded(shop.db, matching),
  ])
  const ids = found.map(({ id }) => id)
  return { rows: ids.length > 0 ? await readOrders(shop, ids, { status: query.status, lines }) : [], total }
}

/** Selects ids and numbers. */
export async function selectOrders(shop: Shop, query: Partial<AllOrdersQuery> = {}): Promise<SQL> {
  const { q, status } = query
  const sort = chooseSort(query)
  const where = await buildPurchaseCondition(shop, chooseScope(query), { q, status })
  const byNumber = sql.join(orderBy({ added: purchases.number }, sort === 'added' ? sort : '-added'), sql`, `)
  // An index of each status has its lines in this order.
  if (/^-?added$/.test(sort))
    return sql`select distinct on (number) order_id as id, number from ${linesAsPurchases} where ${where} order by ${byNumber}`
  const isFound =
    q || status ? sql`id in (select order_id from ${linesAsPurchases} where ${where})` : hasLines
  return sql`select id, number from ${orders} where ${isFound} order by ${sql.join(orderBy(orderSorts, sort), sql`, `)}`
}

/** None is left of a cancelled order. */
const hasLines = sql`${orders.lineCount} > 0`

/** An index serves each. */
export const orderSorts = {
  added: orders.number,
  name: sql`lower(${orders.name})`,
  price: orders.price,
  // Unshipped orders count as the oldest.
  shipped: sql`coalesce(${orders.shippedAt}, '-infinity')`,
}

interface Totals {
  id: string
  lineCount: number
  linesToShip: number
  price: number
  refundedCents: number
  pendingRefundCents: number
  shipping: boolean
}

/** In the order of the ids, without orders that were cancelled meanwhile. */
async function readOrders(
  shop: Shop,
  ids: string[],
  { status, lines: maxListed }: Pick<AllOrdersQuery, 'status'> & { lines: number },
): Promise<ListedOrder[]> {
  const { db } = shop
  const ofOrders = inArray(purchases.orderId, ids)
  // Money may be owed for items that were cancelled.
  const isListed = status === 'refund pending' ? sql`(${notCancelled} or ${wasAllCancelled})` : notCancelled
  const places = sql`select id, row_number() over (partition by order_id order by position) as place
    from ${linesAsPurchases} where ${and(ofOrders, isListed)}`
  const [totals, rows] = await Promise.all([
    executeRows<Totals>(
      db,
      sql`select order_id as id, count(*)::int as "lineCount", sum(price)::int as price,
        count(*) filter (where ${adminConditions(shop).pending})::int as "linesToShip",
        sum(refunded_cents)::int as "refundedCents", sum(pending_refund_cents)::int as "pendingRefundCents",
        bool_and(shipped_at is not null) as shipping
      from ${linesAsPurchases} where ${and(ofOrders, isListed)} group by order_id`,
    ),
    db
      .select()
      .from(purchases)
      .where(inArray(purchases._id, sql`(select id from (${places}) places where place <= ${maxListed})`))
      .orderBy(asc(purchases.position)),
  ])
  const [totalsById, linesById] = [
    new Map(totals.map((row) => [row.id, row])),
    Map.groupBy(rows, ({ orderId }) => orderId),
  ]
  return ids.flatMap((id) => {
    const [total, lines] = [totalsById.get(id), linesById.get(id)]
    return total && lines
      ? [{ ...toOrder(lines.map((line) => toPurchase(shop, line))), ...toAmounts(total, lines[0]!) }]
      : []
  })
}

/** In the order of the ids, without cancelled lines. */
export async function readLinesOfOrders(shop: Shop, ids: string[]): Promise<Purchase[]> {
  const rows = await shop.db
    .select()
    .from(purchases)
    .where(and(inArray(purchases.orderId, ids), notCancelled))
    .orderBy(asc(purchases.position))
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  return ids.flatMap((id) => byOrder.get(id) ?? []).map((row) => toPurchase(shop, row))
}

const wasAllCancelled = sql`not exists (select from ${orderLines} as kept
  where kept.order_id = ${purchases.orderId} and kept.cancelled_at is null)`

function toAmounts(
  { lineCount, linesToShip, price, shipping, ...cents }: Totals,
  delivery: Pick<PurchaseRow, 'refundedDeliveryCents' | 'pendingDeliveryCents'>,
) {
  const refundedCents = cents.refundedCents + delivery.refundedDeliveryCents
  const pendingRefundCents = cents.pendingRefundCents + delivery.pendingDeliveryCents
  return {
    lineCount,
    linesToShip,
    price,
    shipping,
    refunded: toDollars(refundedCents),
    refundPending: toDollars(pendingRefundCents),
  }
}
