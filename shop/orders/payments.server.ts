import { and, asc, eq, sql } from 'drizzle-orm'
import { orders } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { dollars } from '#shop/money.ts'
import type { Payment, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { type Order, orderCan, type PaymentRequest } from './order.ts'
import { checkOwner, findOrder, hasExpired, toOrder, unpaid } from './orders.server.ts'

type Row = typeof orders.$inferSelect

const alreadyPaid = () => new ShopError('conflict', 'This order is already paid.')
const notPayable = (order: Pick<Order, 'expired'>) => (order.expired ? hasExpired() : alreadyPaid())

/**
 * Opens the one payment of an unpaid order; asked again, it answers the same one. No transaction is held over the
 * call to the card provider: the order remembers its payment by compare and swap, and a payment that lost the race
 * is cancelled before anyone has seen its secret. Throws 'missing' for a stranger's order and 'conflict' for one that
 * is paid, has expired or costs something else.
 */
export async function startPayment(shop: Shop, payer: Member, request: PaymentRequest) {
  const order = await findPayable(shop, payer, request)
  const current = order.paymentId ? await shop.payments.find(order.paymentId) : null
  if (current?.status === 'paid') {
    await settle(shop, current)
    throw alreadyPaid()
  }
  if (current && current.status !== 'cancelled') return { clientSecret: current.clientSecret }

  const payment = await shop.payments.open(order, `order-${order._id}-after-${order.paymentId ?? 'none'}`)
  const [remembered] = await shop.db
    .update(orders)
    .set({ paymentId: payment.id })
    .where(and(eq(orders._id, order._id), unpaid, isSame(order.paymentId, payment.id)))
    .returning()
  if (!remembered) {
    await shop.payments.cancel(payment.id)
    throw new ShopError('conflict', 'This order changed meanwhile. Please look at it again.')
  }
  return { clientSecret: payment.clientSecret }
}

/** Still the payment that was read, or already the new one: two requests that open the same payment both succeed. */
function isSame(before: string | null, after: string) {
  return sql`(${orders.paymentId} is not distinct from ${before} or ${orders.paymentId} = ${after})`
}

async function findPayable(shop: Shop, payer: Member, { purchase, price }: PaymentRequest): Promise<Row> {
  if (!purchase) {
    const [oldest] = await shop.db
      .select()
      .from(orders)
      .where(and(eq(orders.userId, payer._id), eq(orders.price, price), unpaid))
      .orderBy(asc(orders.number))
      .limit(1)
    if (!oldest) throw new ShopError('conflict', `You have no unpaid order of ${dollars(price)}.`)
    return oldest
  }
  await checkOwner(shop, payer, purchase, false)
  const order = await findOrder(shop, purchase)
  checkPayable(shop, order)
  if (order.price !== price) {
    throw new ShopError('conflict', `This order costs ${dollars(order.price)}.`)
  }
  return order
}

function checkPayable(shop: Shop, row: Row) {
  const order = toOrder(shop, row)
  if (!orderCan.bePaid(order)) throw notPayable(order)
}

/**
 * What the browser says after a payment is a hint: the card provider is asked. Throws 'declined' unless that payment
 * succeeded for exactly this order's amount, 'conflict' when another payment settled the order or it has expired.
 */
export async function payOrder(shop: Shop, id: string, transactionId: string): Promise<Order> {
  const order = await findOrder(shop, id)
  if (order.transactionId === transactionId) return toOrder(shop, order)
  checkPayable(shop, order)

  const payment = await shop.payments.find(transactionId)
  if (payment?.orderId !== id) throw new ShopError('declined', 'The payment was not completed.')
  return settle(shop, payment)
}

/** Marks the order of a succeeded payment as paid, once, however often and from wherever it is told. */
export async function settle(shop: Shop, payment: Payment): Promise<Order> {
  const order = await findOrder(shop, payment.orderId)
  if (payment.status !== 'paid' || payment.amount !== order.price) {
    throw new ShopError('declined', 'The payment was not completed.')
  }
  const [paid] = await shop.db
    .update(orders)
    .set({ paidAt: new Date().toISOString(), transactionId: payment.id })
    .where(and(eq(orders._id, order._id), unpaid))
    .returning()
  if (paid) return toOrder(shop, paid)

  const now = await findOrder(shop, order._id)
  if (now.transactionId !== payment.id) throw notPayable(toOrder(shop, now))
  return toOrder(shop, now)
}
