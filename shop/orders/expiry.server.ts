import { and, asc, eq, getTableColumns, gt, isNull, lt, or } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders } from '#db/schema.ts'
import { ShopError, stackTraceOf } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { closeOrder } from './cancel.server.ts'
import { expiryReminderEmail } from './emails.ts'
import { emailCustomer } from './notify.server.ts'
import { awaitingPayment, hourMs, moneyColumns, type OrderRow } from './purchase-rows.server.ts'

/** Safe to run concurrently. Skips processing payments. Throws after the run when any failed. `now` is Unix time in ms. */
export async function expireOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const isOverdue = and(
    awaitingPayment,
    or(
      lt(orders.createdAt, new Date(now - shop.holdHours * hourMs).toISOString()),
      lt(orders.shortHoldUntil, new Date(now).toISOString()),
    ),
  )
  const failures: Error[] = []
  const collectFailure = (error: Error) => {
    if (!(error instanceof ShopError && error.code === 'conflict')) failures.push(error)
  }
  const limit = pLimit(10)
  for (let last = 0; ; ) {
    const batch = await shop.db
      .select({ ...getTableColumns(orders), ...moneyColumns })
      .from(orders)
      .where(and(isOverdue, gt(orders.number, last)))
      .orderBy(asc(orders.number))
      .limit(100)
    const expire = (order: OrderRow) => closeOrder(shop, order, 'expired', null).catch(collectFailure)
    await Promise.all(batch.map((order) => limit(() => expire(order))))
    if (batch.length < 100) break
    last = batch.at(-1)!.number
  }
  if (failures[0])
    throw new Error(
      `Orders that could not be expired: ${failures.length}. The first: ${stackTraceOf(failures[0])}`,
    )
}

/** Sends one reminder per order after three quarters of the hold time, and none for a short hold. */
export async function remindOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const holdMs = shop.holdHours * hourMs
  const toIso = (ms: number) => new Date(ms).toISOString()
  const isDue = and(
    awaitingPayment,
    isNull(orders.remindedAt),
    isNull(orders.shortHoldUntil),
    lt(orders.createdAt, toIso(now - holdMs * 0.75)),
    gt(orders.createdAt, toIso(now - holdMs)),
  )
  const batch = await shop.db.select({ _id: orders._id }).from(orders).where(isDue).limit(500)
  for (const { _id } of batch) {
    await shop.db.transaction(async (tx) => {
      const [order] = await tx
        .update(orders)
        .set({ remindedAt: toIso(now) })
        .where(and(eq(orders._id, _id), isDue))
        .returning()
      if (!order) return
      const heldUntil = toIso(Date.parse(order.createdAt) + holdMs)
      await emailCustomer(shop, tx, order, (order) => expiryReminderEmail(shop, order, { heldUntil }))
    })
  }
}
