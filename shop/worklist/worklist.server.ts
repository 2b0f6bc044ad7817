import { and, asc, sql } from 'drizzle-orm'
import { messages, orders, parts, purchases } from '#db/schema.ts'
import { findDay } from '#shop/dates.ts'
import { isNewMessage } from '#shop/messages/messages.server.ts'
import { countOrders } from '#shop/orders/read/counts.server.ts'
import { notCancelled } from '#shop/orders/read/purchase-rows.server.ts'
import { adminConditions } from '#shop/orders/read/status-conditions.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { stockConditions } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Worklist } from './worklist.ts'

export async function readWorklist(shop: Shop): Promise<Worklist> {
  const { db } = shop
  const [ordersToShip, newMessages, soldOut] = await Promise.all([
    readOrdersToShip(shop),
    db.$count(messages, isNewMessage),
    db.$count(parts, and(notDeleted, stockConditions['sold out'])),
  ])
  return { ...ordersToShip, newMessages, soldOut }
}

/** `oldestToShip`: when it was placed. */
export async function readOrdersToShip(shop: Shop) {
  const { db } = shop
  const isToShip = and(notCancelled, adminConditions(shop).pending)
  const today = findDay(Date.now(), shop.timeZone)
  const isLate = sql`exists (select from ${orders} where ${orders._id} = ${purchases.orderId} and ${orders.shipBy} < ${today})`
  const [toShip, late, [oldest]] = await Promise.all([
    countOrders(shop, isToShip),
    countOrders(shop, and(isToShip, isLate)),
    db
      .select({ createdAt: purchases.createdAt })
      .from(purchases)
      .where(isToShip)
      .orderBy(asc(purchases.number))
      .limit(1),
  ])
  return { toShip, late, oldestToShip: oldest?.createdAt ?? null }
}
