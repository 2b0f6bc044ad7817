import { and, asc, getViewSelectedFields, inArray, type SQL, sql } from 'drizzle-orm'
import { prepareOnce } from '#db/driver/prepared.ts'
import { purchases, type Queries } from '#db/schema.ts'
import { digitsOfOrderNumber } from '#shop/orders/order-number.ts'
import {
  hasId,
  hasNumber,
  notCancelled,
  orderNotFoundError,
  toOrderRow,
} from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'

const paymentsOfLine = sql<{ _id: string; isOpen: boolean }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('_id', id, 'isOpen', settled_at is null)), '[]')
  from payments where payments.order_id = purchases.order_id)`

function selectOrderToPay(isWanted: SQL) {
  return prepareOnce((db: Queries) => {
    const found = db
      .select({ orderId: purchases.orderId })
      .from(purchases)
      .where(and(isWanted, notCancelled))
      .limit(1)
    return db
      .select({ line: getViewSelectedFields(purchases), payments: paymentsOfLine })
      .from(purchases)
      .where(inArray(purchases.orderId, found))
      .orderBy(asc(purchases.position))
  })
}

const findToPayByNumber = selectOrderToPay(hasNumber)
const findToPayById = selectOrderToPay(hasId)

/** Like `findVisibleOrder`, with its payments, also those that are settled. */
export async function findOrderToPay(shop: Pick<Shop, 'db' | 'settings'>, id: string) {
  const digits = digitsOfOrderNumber(shop, id)
  const rows = digits
    ? await findToPayByNumber(shop.db, { id: Number(digits) })
    : await findToPayById(shop.db, { id })
  if (rows.length === 0) throw orderNotFoundError()
  return { ...toOrderRow(rows.map(({ line }) => line)), payments: rows[0]!.payments }
}
