import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import { orders, payments, type Queries, webhookEvents } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan, type PaymentRequest } from '#shop/orders/order.ts'
import {
  checkOwner,
  findOrder,
  type OrderRow,
  orderExpired,
  toOrder,
  unpaid,
} from '#shop/orders/orders.server.ts'
import type { Payment, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { closePayment, settlePayment } from './settle.server.ts'

const notPayableError = (order: Pick<Order, 'expired'>) =>
  order.expired ? orderExpired() : new ShopError('conflict', 'This order is already paid.')

/**
 * Opens the one payment of an unpaid order; asked again, it answers the same one. No transaction is held over the call to
 * the card provider: which payment is the order's is decided afterwards, and one that lost that race is cancelled before
 * anyone has seen its secret. Throws 'missing' for a stranger's order and 'conflict' for one that is paid, has expired or
 * costs something else.
 */
export async function startPayment(
  shop: Shop,
  payer: Member,
  request: PaymentRequest,
): Promise<{ clientSecret: string; processing: boolean }> {
  const order = await findPayable(shop, payer, request)
  const current = await findOpenPayment(shop.db, order._id)
  if (current) {
    const payment = await shop.payments.find(current._id)
    if (payment?.status === 'processing' || payment?.status === 'open') return presentPayment(shop, payment)
    if (payment) await settlePayment(shop, payment)
    else await closePayment(shop.db, current._id)
    checkPayable(shop, await findOrder(shop, order._id))
  }
  const ended = and(eq(payments.orderId, order._id), isNotNull(payments.settledAt))
  const before = await shop.db.$count(payments, ended)
  const payment = await shop.payments.open(order, `order-${order._id}-${before}-${tenMinuteSlot()}`)
  if (!(await attachPayment(shop, order._id, payment.id))) {
    await shop.payments.cancel(payment.id)
    if (await findOpenPayment(shop.db, order._id)) return startPayment(shop, payer, request)
    throw new ShopError('conflict', 'This order changed meanwhile. Please look at it again.')
  }
  return { clientSecret: payment.clientSecret, processing: payment.status === 'processing' }
}

/** The provider answers a key as it did at first, its own failures included: ten minutes later it is asked anew. */
function tenMinuteSlot() {
  return Math.floor(Date.now() / 600_000)
}

/** Whoever is shown a payment may pay it now, so it is asked about soon. */
async function presentPayment({ db }: Shop, { id, clientSecret, status }: Payment) {
  await db.update(payments).set({ presentedAt: new Date().toISOString() }).where(eq(payments._id, id))
  return { clientSecret, processing: status === 'processing' }
}

/** The payment of an order whose end is not known. */
export async function findOpenPayment(tx: Queries, orderId: string) {
  const [open] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isNull(payments.settledAt)))
  return open
}

/** Makes a payment the one of its order. False when the order has another by now, or can be paid no more. */
function attachPayment({ db }: Shop, orderId: string, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [order] = await tx
      .select({ _id: orders._id })
      .from(orders)
      .where(and(eq(orders._id, orderId), unpaid))
      .for('update')
    if (!order) return false
    const now = new Date().toISOString()
    await tx
      .insert(payments)
      .values({ _id: id, orderId, presentedAt: now, checkedAt: now })
      .onConflictDoNothing()
    return (await findOpenPayment(tx, orderId))?._id === id
  })
}

async function findPayable(
  shop: Shop,
  payer: Member,
  { purchase, price }: PaymentRequest,
): Promise<OrderRow> {
  if (!purchase) {
    const [oldest] = await shop.db
      .select({ _id: orders._id })
      .from(orders)
      .where(and(eq(orders.userId, payer._id), eq(orders.price, price), unpaid))
      .orderBy(asc(orders.number))
      .limit(1)
    if (!oldest) throw new ShopError('conflict', `You have no unpaid order of ${dollars(price)}.`)
    return findOrder(shop, oldest._id)
  }
  await checkOwner(shop, payer, purchase, false)
  const order = await findOrder(shop, purchase)
  checkPayable(shop, order)
  if (order.price !== price) {
    throw new ShopError('conflict', `This order costs ${dollars(order.price)}.`)
  }
  return order
}

function checkPayable(shop: Shop, row: OrderRow) {
  const order = toOrder(shop, row)
  if (!orderCan.bePaid(order)) throw notPayableError(order)
}

/**
 * What the browser says after a payment is a hint: the card provider is asked. Throws 'declined' unless that payment
 * succeeded for exactly this order's amount, 'conflict' when another payment settled the order or it has expired.
 */
export async function payOrder(shop: Shop, id: string, transactionId: string): Promise<Order> {
  const before = await findOrder(shop, id)
  if (before.transactionId === transactionId) return toOrder(shop, before)

  // Nobody has the provider asked about whatever they like.
  const known = await shop.db.$count(payments, and(eq(payments._id, transactionId), eq(payments.orderId, id)))
  const payment = known ? await shop.payments.find(transactionId) : null
  if (payment?.orderId === id) await settlePayment(shop, payment)
  const order = await findOrder(shop, id)
  if (order.transactionId === transactionId) return toOrder(shop, order)
  checkPayable(shop, order)
  throw new ShopError('declined', 'The payment was not completed.')
}

/**
 * Takes a signed message of the card provider as a hint to ask it how a payment stands: its messages come twice, late and
 * in any order. Throws 'invalid' unless it is genuine and fresh.
 */
export async function handleWebhook(shop: Shop, body: string, signature: string): Promise<void> {
  const notice = await shop.payments.verifyWebhook(body, signature)
  if (!notice.paymentId) return
  const [known] = await shop.db.select().from(webhookEvents).where(eq(webhookEvents._id, notice.id))
  if (known) return
  const payment = await shop.payments.find(notice.paymentId)
  if (payment) await settlePayment(shop, payment)
  await shop.db.insert(webhookEvents).values({ _id: notice.id }).onConflictDoNothing()
}
