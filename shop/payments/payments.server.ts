import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import { ledger, orders, payments, type Queries, webhookEvents } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars } from '#shop/money.ts'
import { extendShortHold } from '#shop/orders/hold-limits.server.ts'
import { checkOwner } from '#shop/orders/orders.server.ts'
import type { PaymentRequest, Purchase } from '#shop/orders/purchase.ts'
import {
  awaitingPayment,
  findOrder,
  type OrderRow,
  orderExpiredError,
  toPurchase,
} from '#shop/orders/purchase-rows.server.ts'
import { canBePaid } from '#shop/orders/status.ts'
import type { Payment, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { checkSoon } from './checks.server.ts'
import { markPaymentSettled, settlePayment } from './settle.server.ts'

const notPayableError = (order: Pick<Purchase, 'expired'>) =>
  order.expired ? orderExpiredError() : new ShopError('conflict', 'This order is already paid.')

/**
 * Idempotent: an order has at most one open payment. No transaction spans the call to the card provider, so a payment that
 * loses a race is cancelled before its secret is returned. Throws 'not-found' for another user's order, 'conflict' when the
 * order is paid or expired or has another price.
 */
export async function startPayment(
  shop: Shop,
  payer: Member,
  request: PaymentRequest,
): Promise<{ clientSecret: string; processing: boolean }> {
  const order = await findPayable(shop, payer, request)
  const openPayment = await findOpenPayment(shop.db, order._id)
  if (openPayment) {
    const payment = await shop.payments.find(openPayment._id)
    if (payment?.status === 'processing' || payment?.status === 'open')
      return resumePayment(shop, payment, order)
    if (payment) await settlePayment(shop, payment)
    else await markPaymentSettled(shop.db, openPayment._id)
    checkPayable(shop, await findOrder(shop, order._id))
  }
  const isSettled = and(eq(payments.orderId, order._id), isNotNull(payments.settledAt))
  const settledCount = await shop.db.$count(payments, isSettled)
  const payment = await shop.payments.open(order, `order-${order._id}-${settledCount}-${tenMinuteSlot()}`)
  if (!(await attachPayment(shop, order._id, payment.id))) {
    await shop.payments.cancel(payment.id)
    if (await findOpenPayment(shop.db, order._id)) return startPayment(shop, payer, request)
    throw new ShopError('conflict', 'This order has changed. Reload the page to see it.')
  }
  return { clientSecret: payment.clientSecret, processing: payment.status === 'processing' }
}

/** Part of the idempotency key, because the provider replays a stored response even when it was a failure. */
function tenMinuteSlot() {
  return Math.floor(Date.now() / 600_000)
}

async function resumePayment({ db }: Shop, { id, clientSecret, status }: Payment, order: OrderRow) {
  await db.update(payments).set(checkSoon()).where(eq(payments._id, id))
  await extendShortHold(db, order)
  return { clientSecret, processing: status === 'processing' }
}

export async function findOpenPayment(tx: Queries, orderId: string) {
  const [open] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isNull(payments.settledAt)))
  return open
}

/** Returns false when the order has another open payment or can no longer be paid. */
function attachPayment(shop: Shop, orderId: string, id: string): Promise<boolean> {
  return shop.db.transaction(async (tx) => {
    const [order] = await tx
      .select({ _id: orders._id, shortHoldUntil: orders.shortHoldUntil })
      .from(orders)
      .where(and(eq(orders._id, orderId), awaitingPayment))
      .for('update')
    if (!order) return false
    const { provider } = shop.payments
    const checkedAt = new Date().toISOString()
    await tx
      .insert(payments)
      .values({ _id: id, orderId, provider, checkedAt, ...checkSoon() })
      .onConflictDoNothing()
    await extendShortHold(tx, order)
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
      .where(and(eq(orders.userId, payer._id), eq(orders.price, price), awaitingPayment))
      .orderBy(asc(orders.number))
      .limit(1)
    if (!oldest)
      throw new ShopError('conflict', `You don’t have an unpaid order for ${formatDollars(price)}.`)
    return findOrder(shop, oldest._id)
  }
  await checkOwner(shop, payer, purchase, false)
  const order = await findOrder(shop, purchase)
  checkPayable(shop, order)
  if (order.price !== price) {
    throw new ShopError(
      'conflict',
      `This order’s total is ${formatDollars(order.price)}. Reload the page and try again.`,
    )
  }
  return order
}

function checkPayable(shop: Shop, row: OrderRow) {
  const order = toPurchase(shop, row)
  if (!canBePaid(order)) throw notPayableError(order)
}

/** Throws 'declined' unless the provider confirms this payment of the exact amount, 'conflict' when paid or expired. */
export async function payPurchase(shop: Shop, id: string, transactionId: string): Promise<Purchase> {
  const before = await findOrder(shop, id)
  if (before.transactionId === transactionId) return toPurchase(shop, before)

  // Clients must not be able to query the provider for arbitrary ids.
  const isKnown = await shop.db.$count(
    payments,
    and(eq(payments._id, transactionId), eq(payments.orderId, id)),
  )
  const payment = isKnown ? await shop.payments.find(transactionId) : null
  if (payment?.orderId === id) await settlePayment(shop, payment)
  const order = await findOrder(shop, id)
  if (order.transactionId === transactionId) return toPurchase(shop, order)
  checkPayable(shop, order)
  throw new ShopError('declined', 'We couldn’t confirm this payment.')
}

async function isRecorded({ db }: Shop, id: string): Promise<boolean> {
  return (await db.$count(ledger, eq(ledger.reference, id))) > 0
}

/** Fetches the payment, as events can be duplicated, late or unordered. Throws 'invalid' for a bad or old signature. */
export async function handleWebhook(shop: Shop, body: string, signature: string): Promise<void> {
  const event = await shop.payments.verifyWebhook(body, signature)
  if (!event.paymentId) return
  const [processed] = await shop.db.select().from(webhookEvents).where(eq(webhookEvents._id, event.id))
  if (processed) return
  if (!(event.isSettlement && (await isRecorded(shop, event.paymentId)))) {
    const payment = await shop.payments.find(event.paymentId)
    if (payment) await settlePayment(shop, payment)
  }
  await shop.db.insert(webhookEvents).values({ _id: event.id }).onConflictDoNothing()
}
