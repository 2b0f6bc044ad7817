import { eq } from 'drizzle-orm'
import { orderLines } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { orderNotShippedEmail } from './emails.ts'
import { addEvent } from './events.server.ts'
import { emailCustomer } from './notify.server.ts'
import { type Order, toOrder } from './order.ts'
import type { Purchase } from './purchase.ts'
import {
  findOrder,
  findVisiblePurchase,
  lockPurchase,
  orderExpiredError,
  orderNotFoundError,
  testPaymentError,
  toOrderRow,
  toPurchase,
} from './purchase-rows.server.ts'
import { shippingEmailTime } from './shipping-emails.server.ts'
import { canBeShipped } from './status.ts'

export async function readPurchase(shop: Shop, reader: Member, id: string): Promise<Purchase> {
  return toPurchase(shop, await findVisiblePurchase(shop.db, reader, id))
}

/** By number, id, or the id of one of its lines. Leaves out cancelled lines; throws 'not-found' when all are. */
export async function readOrder(shop: Shop, reader: Member, id: string): Promise<Order> {
  const { orderId } = await findVisiblePurchase(shop.db, reader, id)
  const { lines } = await findOrder(shop.db, orderId)
  const shown = lines.filter(({ cancelledAt }) => cancelledAt === null)
  if (shown.length === 0) throw orderNotFoundError()
  return toOrder(shown.map((line) => toPurchase(shop, line)))
}

/** Throws 'not-found' for another user's order, so as not to reveal that it exists. */
export async function checkOwner(shop: Shop, member: Member, id: string, allowAdmin: boolean) {
  if (allowAdmin && member.role === 'admin') return
  const order = await findVisiblePurchase(shop.db, member, id)
  if (order.userId !== member._id) throw orderNotFoundError()
}

/** Throws 'conflict' when the order is unpaid, expired or fully refunded. The customer is told after a minute, in which it can be undone. */
export function shipPurchase(
  shop: Shop,
  admin: Member,
  id: string,
  shipping = true,
): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const row = await lockPurchase(tx, id)
    const order = toPurchase(shop, row)
    if (order.shipping === shipping) return { modifiedCount: 0 }
    if (shipping) checkShippable(order)
    const shippedAt = shipping ? new Date().toISOString() : null
    const shippingEmailDueAt = shipping ? shippingEmailTime() : null
    await tx.update(orderLines).set({ shippedAt, shippingEmailDueAt }).where(eq(orderLines._id, id))
    await addEvent(tx, row, shipping ? 'shipped' : 'not shipped', admin)
    const wasTold = !shipping && row.shippingEmailDueAt === null
    if (wasTold)
      await emailCustomer(shop, tx, toOrderRow([row]), (order) => orderNotShippedEmail(shop, order))
    return { modifiedCount: 1 }
  })
}

function checkShippable(order: Purchase) {
  if (order.expired) throw orderExpiredError()
  if (!order.paid) throw new ShopError('conflict', 'This order isn’t paid yet, so it can’t be shipped.')
  if (order.testPayment) throw testPaymentError()
  if (order.dispute === 'open' || order.dispute === 'lost')
    throw new ShopError(
      'conflict',
      'The payment for this order is disputed, so it can’t be shipped unless you win the dispute.',
    )
  if (!canBeShipped(order)) throw new ShopError('conflict', 'This item was refunded, so it can’t be shipped.')
}
