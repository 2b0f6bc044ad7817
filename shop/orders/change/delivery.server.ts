import { eq } from 'drizzle-orm'
import { orders } from '#db/schema.ts'
import { pickDelivery } from '#shop/addresses/address.ts'
import { toDestination } from '#shop/addresses/addresses.server.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { deliveryChangedEmail } from '#shop/orders/emails/change-emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { deliveryChangedStaffEmail } from '#shop/orders/emails/staff-emails.ts'
import { addEvents } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import {
  findVisiblePurchase,
  lockOrder,
  orderNotFoundError,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type DeliveryChange,
  deliveryProblem,
  describeDelivery,
  isSameOrderDelivery,
  type OrderDelivery,
} from './delivery-change.ts'

/**
 * Sends an order elsewhere: its customer until something of it has shipped, an admin until all has. Documents that were issued stay as
 * they are. Throws 'conflict' after that, and when it goes elsewhere than to `before` already.
 */
export function changeDelivery(
  shop: Shop,
  by: Member,
  id: string,
  { before, ...form }: DeliveryChange,
): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const { orderId } = await findVisiblePurchase(shop, by, id, tx)
    const order = await lockOrder(tx, orderId)
    const lines = order?.lines.filter(({ cancelledAt }) => cancelledAt === null) ?? []
    if (!order || lines.length === 0) throw orderNotFoundError()
    const current = pickDelivery(order)
    const { recipient = order.name, company = '', address, phoneNumber } = form
    const delivery = { recipient, company, ...toDestination(shop, form), address, phoneNumber }
    const home = shop.settings.current.company.country
    // A repeated request, too.
    if (isSameOrderDelivery(current, delivery, home)) return { modifiedCount: 0 }
    const isAdmin = by.role === 'admin'
    const problem = deliveryProblem(
      lines.map((line) => toPurchase(shop, line)),
      { isAdmin },
    )
    if (problem) throw new ShopError('conflict', problem)
    if (before && !isSameOrderDelivery(current, before, home)) throw changedError(current, home)
    await tx.update(orders).set(delivery).where(eq(orders._id, orderId))
    await addEvents(tx, orderId, { kind: 'delivery changed', by, lineIds: null })
    const isOwn = by._id === order.userId
    const changed = { ...order, ...delivery, lines }
    const numbered = withNumber(shop, changed)
    if (!isOwn)
      await recordChange(tx, by, {
        ...orderSubject({ orderId, number: numbered.number }),
        action: 'changeDelivery',
        before: { ...current },
        after: { ...delivery },
      })
    // Security: what a stranger typed does not reach an address that nobody has confirmed.
    const shown = order.isEmailConfirmed ? delivery : null
    await emailCustomer(shop, tx, changed, (order) =>
      deliveryChangedEmail(shop, order, { delivery: shown, isOwn }),
    )
    if (lines.some(({ paidAt }) => paidAt !== null))
      await shop.mail.send(deliveryChangedStaffEmail(shop, numbered, { before: current, by: by.name }), tx)
    return { modifiedCount: 1 }
  })
}

function changedError(now: OrderDelivery, home: string) {
  return new ShopError(
    'conflict',
    `The delivery address has just changed to “${describeDelivery(now, home)}”. Save again to replace it.`,
  )
}
