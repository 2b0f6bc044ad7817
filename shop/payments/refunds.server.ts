import { eq } from 'drizzle-orm'
import { type Queries, refunds } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { type Fields, ShopError, validate } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatCount, formatDollars, toCents, toDollars } from '#shop/money.ts'
import { describeItems, describeLine } from '#shop/orders/describe-lines.ts'
import type { Order } from '#shop/orders/order.ts'
import type { OrderRefundRequest } from '#shop/orders/order-refund.ts'
import {
  type Purchase,
  type RefundRequest,
  refundableAmount,
  refundableDelivery,
  refundForm,
} from '#shop/orders/purchase.ts'
import { readOrder, readPurchase } from '#shop/orders/read/orders.server.ts'
import {
  findPurchase,
  findVisiblePurchase,
  lockOrder,
  type OrderRow,
  orderNotFoundError,
  testPaymentError,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import { canBeRefunded } from '#shop/orders/status.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { executeRefund } from './settle.server.ts'
import { limitError, pendingError, storeRefund } from './store-refund.server.ts'

/**
 * The refund stays pending while the provider is unavailable. Throws 'conflict' when the order is unpaid, the amount exceeds what is
 * left to refund, or the provider refuses permanently.
 */
export async function refundPurchase(
  shop: Shop,
  admin: Member,
  id: string,
  request: RefundRequest,
  key?: string,
): Promise<Purchase> {
  const refundId = await idempotent(
    shop.db,
    { userId: admin._id, call: 'refundPurchase', key, body: { id, ...request } },
    (tx) => requestItemRefund(shop, tx, admin, id, request),
  )
  await execute(shop, refundId)
  return readPurchase(shop, admin, id)
}

/** Like `refundPurchase`, of several items: all of them are refunded, or none. */
export async function refundOrder(
  shop: Shop,
  admin: Member,
  id: string,
  request: OrderRefundRequest,
  key?: string,
): Promise<Order> {
  const refundId = await idempotent(
    shop.db,
    { userId: admin._id, call: 'refundOrder', key, body: { id, ...request } },
    (tx) => requestOrderRefund(shop, tx, admin, id, request),
  )
  await execute(shop, refundId)
  return readOrder(shop, admin, id)
}

async function execute(shop: Shop, refundId: string) {
  const [refund] = await shop.db.select().from(refunds).where(eq(refunds._id, refundId))
  if (refund && !refund.endedAt)
    await executeRefund(shop, refund, { isAwaited: true }).catch(ignoreUnavailable)
  const [updated] = await shop.db.select().from(refunds).where(eq(refunds._id, refundId))
  if (updated?.finalRefusal) throw new ShopError('conflict', updated.finalRefusal)
}

/** Stores the refund, so that it is executed even after a crash, and returns its id. */
async function requestItemRefund(shop: Shop, tx: Queries, admin: Member, id: string, request: RefundRequest) {
  const { orderId } = await findPurchase(tx, id)
  const order = await lockOrder(tx, orderId)
  const line = findLine(shop, order!, id)
  const { reason, ...share } = checkShare(line, request)
  const refundId = await storeRefund(tx, admin, {
    reason,
    line,
    shares: [{ line, ...share }],
    field: 'amount',
  })
  const after = {
    item: describeLine(line),
    refunded: share.amount,
    reason,
    returnedToStock: share.returned,
  }
  await recordChange(tx, admin, { ...orderSubject(line), action: 'refundPurchase', after })
  return refundId
}

async function requestOrderRefund(
  shop: Shop,
  tx: Queries,
  admin: Member,
  id: string,
  { lines, delivery = 0, reason }: OrderRefundRequest,
) {
  const { orderId } = await findVisiblePurchase(shop, admin, id, tx)
  const order = await lockOrder(tx, orderId)
  if (new Set(lines.map(({ lineId }) => lineId)).size < lines.length)
    throw new ShopError('invalid', 'Each item can be in a refund once.')
  const shares = lines.map(({ lineId, quantity, ...request }, i) => {
    const line = findLine(shop, order!, lineId)
    const share = atLine(i, line, () => {
      checkQuantity(line, quantity)
      return checkShare(line, { ...request, reason })
    })
    return { line, quantity, ...share }
  })
  const line = shares[0]?.line ?? toPurchase(shop, findKeptLine(order!))
  checkDelivery(line, delivery)
  const refundId = await storeRefund(tx, admin, { reason, shares, delivery, line, field: 'lines' })
  const refunded = shares.reduce((cents, share) => cents + toCents(share.amount), toCents(delivery))
  const items = shares.map(({ line, returned }) => ({ lineId: line._id, quantity: returned }))
  const after = {
    items: shares.map(
      ({ line, quantity, amount }) =>
        `${describeLine({ ...line, quantity: quantity ?? line.quantity })}: ${formatDollars(amount)}`,
    ),
    ...(delivery > 0 && { delivery: formatDollars(delivery) }),
    refunded: toDollars(refunded),
    reason,
    returnedToStock: describeItems(
      shares.map(({ line }) => line),
      items.filter(({ quantity }) => quantity > 0),
    ),
  }
  await recordChange(tx, admin, { ...orderSubject(line), action: 'refundOrder', after })
  return refundId
}

/** An error about an item names it. */
function atLine<T>(i: number, { parts }: Purchase, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const fields: Fields = {}
    for (const [name, messages] of Object.entries(error.fields ?? {})) fields[`lines.${i}.${name}`] = messages
    throw new ShopError(error.code, `${parts}: ${error.message}`, { fields })
  }
}

/** Throws 'not-found' for a cancelled line, or one of another order. */
function findLine(shop: Shop, order: OrderRow, id: string): Purchase {
  const row = order.lines.find(({ _id, cancelledAt }) => _id === id && cancelledAt === null)
  if (!row) throw orderNotFoundError()
  return toPurchase(shop, row)
}

function findKeptLine({ lines }: OrderRow) {
  const kept = lines.find(({ cancelledAt }) => cancelledAt === null)
  if (!kept) throw orderNotFoundError()
  return kept
}

/** Throws 'conflict' for an order that is not paid with money that the shop has. */
function checkPaid(line: Purchase) {
  if (!line.paid) throw new ShopError('conflict', 'This order isn’t paid.')
  if (line.testPayment) throw testPaymentError()
  if (line.disputed > 0)
    throw new ShopError(
      'conflict',
      'This payment is disputed, and the customer’s bank has taken the money back. You can refund it only if you win the dispute.',
    )
}

function checkDelivery(line: Purchase, amount: number) {
  if (amount === 0) return
  checkPaid(line)
  const refundable = refundableDelivery(line)
  if (amount > refundable)
    throw limitError('delivery', `You can refund at most ${formatDollars(refundable)} of the delivery.`)
}

/** What of a line is refunded, when it may be. */
function checkShare(line: Purchase, request: RefundRequest) {
  checkPaid(line)
  if (!canBeRefunded(line)) throw new ShopError('conflict', 'This item is already fully refunded.')
  const { shipping = line.shipping, shippedQuantity = line.shippedQuantity } = request
  if ((!shipping && line.shipping) || shippedQuantity < line.shippedQuantity)
    throw new ShopError(
      'conflict',
      'This item has just been shipped. To refund it anyway, submit the refund again.',
    )
  // What is pending or has returned is checked below, with what to say about it.
  const form = refundForm({ ...line, refundPending: 0, returnedQuantity: 0 })
  const { amount, reason, returned } = validate(form, request)
  const refundable = refundableAmount(line)
  if (amount > refundable) throw pendingError(refundable, 'amount')
  const returnable = line.quantity - line.returnedQuantity
  if (returned > returnable)
    throw limitError('returned', `You can return at most ${returnable} more to stock.`)
  return { amount, reason, returned }
}

function checkQuantity({ quantity: ordered }: Purchase, quantity: number | undefined) {
  if (quantity === undefined || quantity <= ordered) return
  const message = `Quantity must be at most ${formatCount(ordered)}`
  throw new ShopError('invalid', message, { fields: { quantity: [message] } })
}

function ignoreUnavailable(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'unavailable')) throw error
}
