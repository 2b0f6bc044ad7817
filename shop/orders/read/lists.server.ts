import { and, asc, eq, gt, gte, inArray, lt, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { orderLines, orders, purchases, users } from '#db/schema.ts'
import type { Page, RowStream } from '#shop/fields.ts'
import { type Order, type OrderListQuery, toOrder } from '#shop/orders/order.ts'
import type { MyPurchase, Purchase, PurchaseListQuery, PurchaseQuery } from '#shop/orders/purchase.ts'
import { countBounded, orderBy, rowsPerBatch, streamRows } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { matchesOrderSearch } from './order-search.server.ts'
import { notCancelled, type PurchaseRow, toPurchase } from './purchase-rows.server.ts'
import { adminConditions, statusConditions, waitingConditions } from './status-conditions.server.ts'
import { readTrackingUrls } from './tracking.server.ts'

/** Newest first, but those to ship oldest first. */
export function listPurchases(shop: Shop, query: Partial<PurchaseListQuery> = {}): Promise<Page<Purchase>> {
  return findPurchases(shop, chooseScope(query), { ...query, sort: chooseSort(query) })
}

export function chooseSort<S extends string>({
  sort,
  status,
}: {
  sort?: S | undefined
  status?: PurchaseListQuery['status']
}) {
  return sort ?? (status === 'pending' || status === 'expiring' ? 'added' : '-added')
}

/** Money may be owed for an order that was cancelled. */
export function chooseScope({ status }: Partial<PurchaseListQuery>) {
  return status === 'refund pending' ? allLines : keptLines
}

/** `listPurchases`, without a limit all of them, unless they are sorted by another column or a page is asked for. */
export async function listOrStreamPurchases(
  shop: Shop,
  query: Partial<PurchaseListQuery>,
): Promise<Page<Purchase> | RowStream<Purchase>> {
  const { limit, page = 1 } = query
  return limit || page > 1 || !isInOrderAdded(query)
    ? listPurchases(shop, query)
    : streamInOrderAdded(shop, query)
}

function isInOrderAdded(query: Partial<PurchaseListQuery>) {
  return /^-?added$/.test(chooseSort(query))
}

async function streamInOrderAdded(
  shop: Shop,
  query: Partial<PurchaseListQuery>,
): Promise<RowStream<Purchase>> {
  const [sort, scope] = [chooseSort(query), chooseScope(query)]
  const where = await buildPurchaseCondition(shop, scope, query)
  const read = (after?: PurchaseRow) =>
    readPurchases(shop, linesAsPurchases, {
      where: and(where, after && isAfter(after, sort)),
      sort,
      limit: rowsPerBatch,
    })
  // Before the response begins, so that it can still be an error.
  const [first, total] = await Promise.all([read(), countListedIn(shop, scope, where)])

  async function* batches() {
    for (let rows = first; ; rows = await read(rows.at(-1))) {
      yield rows.map((row) => toPurchase(shop, row))
      if (rows.length < rowsPerBatch) return
    }
  }
  return { batches: batches(), total }
}

function isAfter({ number, position }: PurchaseRow, sort: string) {
  const [further, notBefore] = sort === 'added' ? [gt, gte] : [lt, lte]
  return and(
    // For the index.
    notBefore(purchases.number, number),
    or(further(purchases.number, number), gt(purchases.position, position)),
  )
}

/** All that `listPurchases` would list, in its order. */
export async function streamPurchases(
  shop: Shop,
  query: Omit<Partial<PurchaseListQuery>, 'limit' | 'page'> = {},
): Promise<RowStream<Purchase>> {
  if (isInOrderAdded(query)) return streamInOrderAdded(shop, query)
  const scope = chooseScope(query)
  return streamRows(shop.db, chooseSource(scope, query.sort), {
    where: await buildPurchaseCondition(shop, scope, query),
    orderBy: inOrder(query.sort),
    read: (ids) => readPurchasesById(shop, ids),
  })
}

/** In no order. */
async function readPurchasesById(shop: Shop, ids: string[]): Promise<Purchase[]> {
  const rows = await shop.db.select().from(purchases).where(inArray(purchases._id, ids))
  return rows.map((row) => toPurchase(shop, row))
}

export async function listMyPurchases(
  shop: Shop,
  email: string,
  query: Partial<PurchaseQuery> = {},
): Promise<Page<MyPurchase>> {
  const { rows, total } = await findPurchases(shop, ofOwner(shop, email), query)
  // Another line of its order may have shipped.
  const paid = rows.flatMap(({ orderId, paid }) => (paid ? [orderId] : []))
  const urls = await readTrackingUrls(shop, [...new Set(paid)])
  return { rows: rows.map((row) => ({ ...row, trackingUrl: urls.get(row.orderId) ?? null })), total }
}

export async function listMyOrders(
  shop: Shop,
  email: string,
  query: Partial<OrderListQuery> = {},
): Promise<Page<Order>> {
  const { rows, total } = await findOrders(shop, ofOwner(shop, email), query)
  const shipped = rows.filter(({ lines }) => lines.some(({ shippedQuantity }) => shippedQuantity > 0))
  const urls = await readTrackingUrls(
    shop,
    shipped.map(({ _id }) => _id),
  )
  return { rows: rows.map((row) => ({ ...row, trackingUrl: urls.get(row._id) ?? null })), total }
}

interface Scope {
  /** Rows that have the columns of `purchases` which conditions and sorts read. */
  source: SQLWrapper
  isVisible: SQL | undefined
  /** `pending` is for a customer what is paid and not shipped, and for admins what can be shipped: not what is disputed or was paid in test mode. */
  isOfOneCustomer: boolean
}

function ofOwner({ db }: Shop, email: string): Scope {
  const owner = db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  const isVisible = and(notCancelled, inArray(purchases.userId, owner))
  return { source: purchases, isVisible, isOfOneCustomer: true }
}

async function findOrders(shop: Shop, scope: Scope, query: Partial<OrderListQuery>) {
  const { source, isVisible } = scope
  const { q, status, sort, limit = 10, page = 1 } = query
  const { db } = shop
  const where = and(
    isVisible,
    q ? await matchesOrderSearch(shop, q) : undefined,
    status && listConditions(shop, scope)[status],
  )
  const matching = sql`select distinct on (number) order_id as id, number
    from ${source} where ${where}
    order by ${sql.join(orderBy({ added: purchases.number }, sort), sql`, `)}`
  const [rows, total] = await Promise.all([
    executeRows<{ id: string }>(db, sql`${matching} limit ${limit} offset ${(page - 1) * limit}`),
    countBounded(db, matching),
  ])
  const lines = await db
    .select()
    .from(purchases)
    .where(
      and(
        notCancelled,
        inArray(
          purchases.orderId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(purchases.position))
  const byOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  return {
    // An order may have been cancelled since it was found.
    rows: rows.flatMap(({ id }) => {
      const lines = byOrder.get(id)?.map((line) => toPurchase(shop, line))
      return lines ? [toOrder(lines)] : []
    }),
    total,
  }
}

async function findPurchases(shop: Shop, scope: Scope, query: Partial<PurchaseListQuery>) {
  const { sort, limit, page } = query
  const where = await buildPurchaseCondition(shop, scope, query)
  const source = chooseSource(scope, sort)
  const [rows, total] = await Promise.all([
    readPurchases(shop, source, { where, sort, limit, page }),
    countListedIn(shop, scope, where),
  ])
  return { rows: rows.map((row) => toPurchase(shop, row)), total }
}

function chooseSource(scope: Scope, sort = '') {
  return scope.source === linesAsPurchases && /^-?name$/.test(sort) ? linesWithNames : scope.source
}

export async function buildPurchaseCondition(
  shop: Shop,
  scope: Scope,
  { q, status }: Pick<Partial<PurchaseListQuery>, 'q' | 'status'>,
) {
  const hasStatus = status && { ...listConditions(shop, scope), ...waitingConditions(shop) }[status]
  return and(scope.isVisible, q ? await matchesOrderSearch(shop, q) : undefined, hasStatus)
}

function listConditions(shop: Shop, { isOfOneCustomer }: Scope) {
  return isOfOneCustomer ? statusConditions : adminConditions(shop)
}

function countListedIn({ db }: Shop, { source }: Scope, where: SQL | undefined) {
  return countBounded(db, sql`select from ${source} where ${where}`)
}

interface Reading extends Pick<Partial<PurchaseQuery>, 'sort' | 'limit' | 'page'> {
  where: SQL | undefined
}

function inOrder(sort: PurchaseQuery['sort']) {
  return [...orderBy(sortColumns, sort), asc(purchases.position)]
}

function readPurchases({ db }: Shop, source: SQLWrapper, { where, sort, limit = 100, page = 1 }: Reading) {
  const order = inOrder(sort)
  // Sorting whole rows of many orders takes ten times as long.
  const found = sql`(select id from ${source} where ${where}
    order by ${sql.join(order, sql`, `)} limit ${limit} offset ${(page - 1) * limit})`
  return db
    .select()
    .from(purchases)
    .where(inArray(purchases._id, found))
    .orderBy(...order)
}

/** The view without its orders: what lists of all customers search, sort and count. */
export const linesAsPurchases = sql`(select *, order_number as number from ${orderLines}) as ${purchases}`

/** The same with the names of customers, which an index of orders sorts. */
export const linesWithNames = sql`(select ${orderLines}.*, ${orders.number}, ${orders.name}
  from ${orders} join ${orderLines} on ${orderLines.orderId} = ${orders._id}) as ${purchases}`

const keptLines: Scope = { source: linesAsPurchases, isVisible: notCancelled, isOfOneCustomer: false }
const allLines: Scope = { source: linesAsPurchases, isVisible: undefined, isOfOneCustomer: false }

/** An index serves each. */
export const sortColumns = {
  added: purchases.number,
  name: sql`lower(${purchases.name})`,
  parts: sql`lower(${purchases.parts})`,
  quantity: purchases.quantity,
  price: purchases.price,
  // Unshipped orders count as the oldest.
  shipped: sql`coalesce(${purchases.shippedAt}, '-infinity')`,
}
