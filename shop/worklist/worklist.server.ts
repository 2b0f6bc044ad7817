import { and, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { messages, orders, parts } from '#db/schema.ts'
import { countTaxToCheck } from '#shop/charges/tax-to-check.server.ts'
import { findDay } from '#shop/dates.ts'
import { isNewMessage } from '#shop/messages/messages.server.ts'
import { maxCount } from '#shop/money.ts'
import { selectNumbers } from '#shop/orders/read/counts.server.ts'
import { notCancelled } from '#shop/orders/read/purchase-rows.server.ts'
import { adminConditions } from '#shop/orders/read/status-conditions.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { stockConditions } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Worklist } from './worklist.ts'

export async function readWorklist(shop: Shop): Promise<Worklist> {
  const { db } = shop
  const [ordersToShip, newMessages, soldOut, taxToCheck] = await Promise.all([
    readOrdersToShip(shop),
    db.$count(messages, isNewMessage),
    db.$count(parts, and(notDeleted, stockConditions['sold out'])),
    countTaxToCheck(shop),
  ])
  return { ...ordersToShip, newMessages, soldOut, taxToCheck }
}

/** Of the 10,001 oldest orders to ship, so that thousands of them take no longer. `oldestToShip`: when it was placed. */
export async function readOrdersToShip(shop: Shop) {
  const isToShip = and(notCancelled, adminConditions(shop).pending)
  const [row] = await executeRows<{ toShip: number; late: number; oldest: Date | null }>(
    shop.db,
    sql`select count(*)::int as "toShip",
      count(*) filter (where ${orders.shipBy} < ${findDay(Date.now(), shop.timeZone)})::int as late,
      min(${orders.createdAt}) as oldest
    from ${orders}
    -- Joined with the numbers, all orders would be read.
    where ${orders.number} = any (array(${selectNumbers(isToShip)} order by order_number limit ${maxCount + 1}))`,
  )
  const { toShip, late, oldest } = row!
  return { toShip, late, oldestToShip: oldest === null ? null : new Date(oldest).toISOString() }
}
