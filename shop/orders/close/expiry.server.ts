import { and, asc, eq, gt, isNull, lt, or } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { collectFailures } from '#shop/failures.server.ts'
import { expiryReminderEmail } from '#shop/orders/emails/emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { findOrder, hasUnpaidLine, hourMs, isUnpaid } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import { expireOrder } from './cancel.server.ts'

/** Safe to run concurrently. Skips processing payments. Throws after the run when any failed. `now` is Unix time in ms. */
export async function expireOrders(shop: Shop, now = Date.now()): Promise<void> {
  const end = new Date(now - shop.holdHours * hourMs).toISOString()
  const isOverdue = and(
    hasUnpaidLine,
    or(
      shop.holdHours > 0 ? lt(orders.createdAt, end) : undefined,
      lt(orders.shortHoldUntil, new Date(now).toISOString()),
    ),
  )
  const failures = collectFailures('Orders that could not be expired')
  const collectFailure = (error: Error) => {
    if (!(error instanceof ShopError && error.code === 'conflict')) failures.add(error)
  }
  const limit = pLimit(10)
  for (let last = 0; ; ) {
    const batch = await shop.db
      .select({ _id: orders._id, number: orders.number })
      .from(orders)
      .where(and(isOverdue, gt(orders.number, last)))
      .orderBy(asc(orders.number))
      .limit(100)
    await Promise.all(batch.map(({ _id }) => limit(() => expireOrder(shop, _id).catch(collectFailure))))
    if (batch.length < 100) break
    last = batch.at(-1)!.number
  }
  failures.throwIfAny()
}

/** Sends one reminder per order after three quarters of the hold time, and none for a short hold. Throws after the run when any failed. */
export async function remindOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const holdMs = shop.holdHours * hourMs
  const toIso = (ms: number) => new Date(ms).toISOString()
  const isDue = and(
    hasUnpaidLine,
    isNull(orders.remindedAt),
    isNull(orders.shortHoldUntil),
    lt(orders.createdAt, toIso(now - holdMs * 0.75)),
    gt(orders.createdAt, toIso(now - holdMs)),
  )
  const batch = await shop.db.select({ _id: orders._id }).from(orders).where(isDue).limit(500)
  const remind = (_id: string) =>
    shop.db.transaction(async (tx) => {
      const reminded = await tx
        .update(orders)
        .set({ remindedAt: toIso(now) })
        .where(and(eq(orders._id, _id), isDue))
        .returning({ _id: orders._id })
      if (reminded.length === 0) return
      const found = await findOrder(tx, _id)
      const order = { ...found, lines: found.lines.filter(isUnpaid) }
      // Paid or cancelled while this waited for the order.
      if (order.lines.length === 0) return
      const heldUntil = toIso(Date.parse(order.createdAt) + holdMs)
      await emailCustomer(shop, tx, order, (order) => expiryReminderEmail(shop, order, { heldUntil }))
    })
  const failures = collectFailures('Reminders that could not be sent')
  for (const { _id } of batch) await remind(_id).catch(failures.add)
  failures.throwIfAny()
}
