import { and, asc, eq, isNull, min, sql, sum } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { payments, purchases, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { extendShortHold, shortHoldFrom } from '#shop/orders/close/short-holds.server.ts'
import { describeLines } from '#shop/orders/describe-lines.ts'
import type { PaymentRequest, Purchase } from '#shop/orders/purchase.ts'
import {
  awaitingPayment,
  findOrder,
  findPurchase,
  isUnpaid,
  type OrderRow,
  orderExpiredError,
  orderNotFoundError,
  toOrderRow,
  toPurchase,
  totalCents,
} from '#shop/orders/read/purchase-rows.server.ts'
import { canBePaid } from '#shop/orders/status.ts'
import type { PayableOrder, Payment, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { soonCheckColumns } from './checks.server.ts'
import { settleInTurn } from './in-turn.server.ts'
import { findOrderToPay } from './order-to-pay.server.ts'
import { markPaymentUnknown, settlePayment } from './settle.server.ts'

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
  const openPayment = order.payments.find(({ isOpen }) => isOpen)
  if (openPayment) {
    const payment = await shop.payments.find(openPayment._id)
    if (payment?.status === 'processing' || payment?.status === 'open')
      return resumePayment(shop, payment, order)
    if (payment) await settlePayment(shop, payment)
    else await markPaymentUnknown(shop, openPayment._id)
    checkPayable(shop, await findOrder(shop.db, order._id))
  }
  const settledCount = order.payments.length
  const payment = await shop.payments.open(
    toPayable(order),
    `order-${order._id}-${totalCents(order.lines)}-${settledCount}-${tenMinuteSlot()}`,
  )
  if (!(await attachPayment(shop, order, payment.id))) {
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
  await db.update(payments).set(soonCheckColumns()).where(eq(payments._id, id))
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

/** Returns false when the order has another open payment, another price, or can no longer be paid. */
async function attachPayment(
  shop: Shop,
  { _id: orderId, lines }: PayableOrderRow,
  id: string,
): Promise<boolean> {
  const { activeAt, nextCheckAt } = soonCheckColumns()
  const [row] = await executeRows<{ attached: boolean }>(
    shop.db,
    sql`select attach_payment(${orderId}, ${totalCents(lines)}, ${id}, ${shop.payments.provider}, ${activeAt}, ${nextCheckAt},
      ${shortHoldFrom(Date.parse(activeAt))}, true) as attached`,
  )
  return row!.attached
}

type PayableOrderRow = Awaited<ReturnType<typeof findOrderToPay>>

/** `lines` without those that are not to be paid. */
async function findPayable(
  shop: Shop,
  payer: Member,
  { purchase, price, total }: PaymentRequest,
): Promise<PayableOrderRow> {
  const order = await findOrderToPay(shop, purchase ?? (await findOldestUnpaid(shop, payer, price)))
  if (order.userId !== payer._id) throw orderNotFoundError()
  checkPayable(shop, order)
  const lines = order.lines.filter(isUnpaid)
  const cents = totalCents(lines)
  if (sumPrices(lines) === price && (total === undefined || total === cents)) return { ...order, lines }
  throw new ShopError(
    'conflict',
    `This order’s total is ${formatDollars(toDollars(cents))}. Reload the page and try again.`,
  )
}

async function findOldestUnpaid({ db }: Shop, payer: Member, price: number): Promise<string> {
  const [oldest] = await db
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .where(and(eq(purchases.userId, payer._id), awaitingPayment))
    .groupBy(purchases.orderId)
    .having(eq(sum(purchases.price), String(price)))
    .orderBy(asc(min(purchases.number)))
    .limit(1)
  if (!oldest) throw new ShopError('conflict', `You don’t have an unpaid order for ${formatDollars(price)}.`)
  return oldest.orderId
}

function sumPrices(lines: { price: number }[]) {
  return lines.reduce((sum, { price }) => sum + price, 0)
}

/** All lines of an order that are not cancelled have one state. */
function checkPayable(shop: Shop, { lines }: OrderRow) {
  const open = lines.find(({ cancelledAt }) => cancelledAt === null)
  if (!open) throw orderNotFoundError()
  const purchase = toPurchase(shop, open)
  if (!canBePaid(purchase)) throw notPayableError(purchase)
}

function toPayable({ _id, number, name, email, lines }: PayableOrderRow): PayableOrder {
  return { _id, number, name, email, amountCents: totalCents(lines), contents: describeLines(lines) }
}

/** Throws 'declined' unless the provider confirms this payment of the exact amount, 'conflict' when paid or expired. */
export function payPurchase(shop: Shop, id: string, transactionId: string): Promise<Purchase> {
  return settleInTurn(shop, transactionId, () => confirmPayment(shop, id, transactionId))
}

async function confirmPayment(shop: Shop, id: string, transactionId: string): Promise<Purchase> {
  const before = await findPurchase(shop.db, id)
  if (before.transactionId === transactionId) return toPurchase(shop, before)
  const { orderId } = before

  // Clients must not be able to query the provider for arbitrary ids.
  const isKnown = await shop.db.$count(
    payments,
    and(eq(payments._id, transactionId), eq(payments.orderId, orderId)),
  )
  const payment = isKnown ? await shop.payments.find(transactionId) : null
  if (payment?.orderId === orderId) await settlePayment(shop, payment)
  const line = await findPurchase(shop.db, id)
  if (line.transactionId === transactionId) return toPurchase(shop, line)
  checkPayable(shop, toOrderRow([line]))
  throw new ShopError('declined', 'We couldn’t confirm this payment.')
}
