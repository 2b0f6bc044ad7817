import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { paymentTasks, purchases, type Queries } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { findOrder, lockOrder } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { completeAnotherWay, repeatAnotherWay } from './refund-another-way.server.ts'
import type { PaymentTask, TaskResolution } from './task.ts'

type NewTask = Pick<typeof paymentTasks.$inferInsert, 'orderId' | 'kind' | 'reference' | 'detail'>

/** At most once per kind and reference. */
export async function addPaymentTask(tx: Queries, task: NewTask) {
  await tx.insert(paymentTasks).values(task).onConflictDoNothing()
}

/** Like `addPaymentTask`; one that was resolved is open again. */
export async function reopenPaymentTask(tx: Queries, task: NewTask) {
  await tx
    .insert(paymentTasks)
    .values(task)
    .onConflictDoUpdate({
      target: [paymentTasks.kind, paymentTasks.reference],
      set: { detail: task.detail, resolvedAt: null, resolvedBy: null },
    })
}

/** For a task that resolved itself. */
export async function resolvePaymentTask(
  tx: Queries,
  { kind, reference }: Pick<NewTask, 'kind' | 'reference'>,
) {
  await tx
    .update(paymentTasks)
    .set({ resolvedAt: new Date().toISOString() })
    .where(
      and(
        eq(paymentTasks.kind, kind),
        eq(paymentTasks.reference, reference),
        isNull(paymentTasks.resolvedAt),
      ),
    )
}

/** The open ones, oldest first, each with the first item of its order that was not cancelled. */
export async function listPaymentTasks(shop: Shop): Promise<PaymentTask[]> {
  const rows = await shop.db
    .selectDistinctOn([paymentTasks.number], {
      _id: paymentTasks._id,
      kind: paymentTasks.kind,
      reference: paymentTasks.reference,
      detail: paymentTasks.detail,
      createdAt: paymentTasks.createdAt,
      purchase: purchases._id,
      number: purchases.number,
      name: purchases.name,
      parts: purchases.parts,
    })
    .from(paymentTasks)
    .innerJoin(purchases, eq(purchases.orderId, paymentTasks.orderId))
    .where(isNull(paymentTasks.resolvedAt))
    .orderBy(asc(paymentTasks.number), sql`${purchases.cancelledAt} is not null`, asc(purchases.position))
    .limit(1000)
  return rows.map((row) => withNumber(shop, row))
}

/**
 * Resolving a resolved task changes nothing. A rejected refund was made another way then: it is not tried again. One that failed was with
 * `refunded`. Throws 'not-found', and with `refunded` 'conflict' when it was refunded again or the task was resolved meanwhile.
 */
export function completePaymentTask(
  shop: Shop,
  admin: Member,
  id: string,
  { refunded = false }: TaskResolution = {},
): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const isTask = eq(paymentTasks._id, id)
    const [task] = await tx.select().from(paymentTasks).where(isTask)
    if (!task) throw new ShopError('not-found', 'This task doesn’t exist.')
    if (task.kind === 'cancellation requested')
      throw new ShopError('conflict', 'Refund the items, or decline with a message.')
    await lockOrder(tx, task.orderId)
    const [completed] = await tx
      .update(paymentTasks)
      .set({ resolvedAt: new Date().toISOString(), resolvedBy: admin._id })
      .where(and(isTask, isNull(paymentTasks.resolvedAt)))
      .returning()
    if (!completed && refunded)
      throw new ShopError(
        'conflict',
        'This task is resolved already. The order’s timeline says whether it was refunded.',
      )
    if (completed) {
      const { orderId, kind, reference } = completed
      const order = await findOrder(tx, orderId)
      const subject = orderSubject(withNumber(shop, { orderId, number: order.number }))
      const after = { task: kind, reference, ...(refunded && { refunded }) }
      await recordChange(tx, admin, { ...subject, action: 'completePaymentTask', after })
      if (kind === 'refund rejected') await completeAnotherWay(shop, tx, order, reference)
      if (kind === 'refund failed' && refunded)
        await repeatAnotherWay(shop, tx, order, { reference, by: admin })
    }
    return { modifiedCount: completed ? 1 : 0 }
  })
}
