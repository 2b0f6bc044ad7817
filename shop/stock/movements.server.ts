import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { orders, stockMovements } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import { digitsOfOrderNumber, formatOrderNumber } from '#shop/orders/order-number.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesWords } from '#shop/search/match-words.server.ts'
import type { MovementKind, MovementQuery, StockMovement } from './stock-movement.ts'

interface Row {
  at: string
  kind: MovementKind
  quantity: number
  balance: number
  place: number
  order_id: string | null
  by_name: string | null
  order_number: number | null
  total: number
}

const defaultLimit = 100

/** Newest first. The balances are of all movements, whatever is searched. */
export async function listStockMovements(
  shop: Shop,
  partId: string,
  { q, kind, limit = defaultLimit, page = 1 }: Partial<MovementQuery>,
): Promise<Page<StockMovement>> {
  const { rows, total } = await readMovements(shop, partId, matches(shop, { q, kind }), {
    limit,
    offset: (page - 1) * limit,
  })
  return { total, rows: rows.map((row) => toMovement(shop, row)) }
}

async function readMovements(
  { db }: Shop,
  partId: string,
  condition: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  // An opening is before what happened at the same time, and a return before what it made possible.
  const order = sql`at, kind <> 'opening', quantity < 0, order_id`
  const rows = await executeRows<Row>(
    db,
    sql`with movements as (
        select *, sum(quantity) over (order by ${order} rows unbounded preceding)::int as balance,
          (row_number() over (order by ${order}))::int as place
        from ${stockMovements} where ${eq(stockMovements.partId, partId)}
      )
      select movements.*, ${orders.number}::int as order_number, (count(*) over ())::int as total
      from movements left join ${orders} on ${orders._id} = order_id
      where ${condition ?? sql`true`}
      order by place desc limit ${limit} offset ${offset}`,
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

function matches(shop: Shop, { q, kind }: Pick<Partial<MovementQuery>, 'q' | 'kind'>) {
  const digits = q === undefined ? null : digitsOfOrderNumber(shop, q)
  return and(
    kind && sql`kind = ${kind}`,
    q === undefined
      ? undefined
      : or(
          matchesWords(sql`coalesce(by_name, '')`, q),
          digits === null ? undefined : sql`${orders.number}::text = ${digits}`,
        ),
  )
}

function toMovement(shop: Shop, row: Row): StockMovement {
  const { at, kind, quantity, balance, place, order_id: _id, by_name: by, order_number: number } = row
  const order = _id === null ? null : { _id, number: formatOrderNumber(shop, number!) }
  return { _id: String(place), at: new Date(at).toISOString(), kind, quantity, balance, order, by }
}
