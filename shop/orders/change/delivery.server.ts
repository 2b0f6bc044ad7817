import { eq } from 'drizzle-orm'
import { orders, type Queries } from '#db/schema.ts'
import { pickDelivery } from '#shop/addresses/address.ts'
import { toDestination } from '#shop/addresses/addresses.server.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { type KnownTaxes, rememberTaxes } from '#shop/charges/calculate-taxes.server.ts'
import { ShopError } from '#shop/errors.ts'
import { cancelPayment } from '#shop/orders/close/cancel.server.ts'
import { deliveryChangedEmail } from '#shop/orders/emails/change-emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { deliveryChangedStaffEmail } from '#shop/orders/emails/staff-emails.ts'
import { addEvents } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import {
  findVisiblePurchase,
  isUnpaid,
  lockOrder,
  type OrderRow,
  orderNotFoundError,
  toPurchase,
  totalCents,
} from '#shop/orders/read/purchase-rows.server.ts'
import { findOpenPayment } from '#shop/payments/payments.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type DeliveryChange,
  deliveryProblem,
  describeDelivery,
  isSameOrderDelivery,
  type OrderDelivery,
} from './delivery-change.ts'
import { checkSameCharges, isElsewhere, type Move, rechargeElsewhere } from './recharge.server.ts'

/**
 * Sends an order elsewhere: its customer until something of it has shipped, an admin until all has. Documents that were issued stay as
 * they are. Throws 'conflict' after that, and when it goes elsewhere than to `before` already.
 */
export async function changeDelivery(
  shop: Shop,
  by: Member,
  id: string,
  change: DeliveryChange,
): Promise<{ modifiedCount: number }> {
  const withTaxes = rememberTaxes(shop)
  const changed = await withTaxes((taxes) => tryToChange(shop, by, id, { ...change, taxes }))
  if (typeof changed !== 'string') return changed
  await cancelPayment(shop, changed)
  return changeDelivery(shop, by, id, change)
}

/** Returns the open payment of an order whose total changes: it is to be cancelled first, so that nobody pays the former total. */
function tryToChange(
  shop: Shop,
  by: Member,
  id: string,
  { before, taxes, ...form }: DeliveryChange & { taxes: KnownTaxes },
) {
  return shop.db.transaction(async (tx): Promise<{ modifiedCount: number } | string> => {
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
    const openPayment = await recharge(shop, tx, order, { lines, to: delivery, isAdmin, taxes })
    if (openPayment) return openPayment
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

/** Returns the open payment that is in the way of another total. Throws 'conflict' for a paid order that would have one. */
async function recharge(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  { isAdmin, to, ...rest }: Omit<Move, 'to'> & { to: OrderDelivery; isAdmin: boolean },
) {
  if (order.collected || !isElsewhere(order, to)) return null
  const move = { ...rest, to: { ...to, collected: false } }
  const { lines } = rest
  if (!isUnpaid(lines[0]!)) {
    if (!isAdmin) await checkSameCharges(shop, tx, order, move)
    return null
  }
  const recharged = await rechargeElsewhere(shop, tx, order, move)
  if (!recharged) return null
  const openPayment = recharged.total === totalCents(lines) ? undefined : await findOpenPayment(tx, order._id)
  if (!openPayment) await recharged.store()
  return openPayment?._id ?? null
}

function changedError(now: OrderDelivery, home: string) {
  return new ShopError(
    'conflict',
    `The delivery address has just changed to “${describeDelivery(now, home)}”. Save again to replace it.`,
  )
}
