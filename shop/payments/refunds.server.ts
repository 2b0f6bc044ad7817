import { eq } from 'drizzle-orm'
import { type Queries, refundShares, refunds } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { type Fields, ShopError, validate } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatCount, formatDollars, toCents, toDollars } from '#shop/money.ts'
import { describeItems, describeLine } from '#shop/orders/describe-lines.ts'
import type { Order } from '#shop/orders/order.ts'
import type { OrderRefundRequest } from '#shop/orders/order-refund.ts'
import { type Purchase, type RefundRequest, refundableAmount, refundForm } from '#shop/orders/purchase.ts'
import { changeLineCounts } from '#shop/orders/read/line-counts.server.ts'
import { readOrder, readPurchase } from '#shop/orders/read/orders.server.ts'
import {
  findOrder,
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
  if (refund && !refund.completedAt)
    await executeRefund(shop, refund, { isAwaited: true }).catch(ignoreUnavailable)
  const [updated] = await shop.db.select().from(refunds).where(eq(refunds._id, refundId))
  if (updated?.failure) throw new ShopError('conflict', updated.failure)
}

/** Stores the refund, so that it is executed even after a crash, and returns its id. */
async function requestItemRefund(shop: Shop, tx: Queries, admin: Member, id: string, request: RefundRequest) {
  const { orderId } = await findPurchase(tx, id)
  const order = await lockOrder(tx, orderId)
  const line = findLine(shop, order!, id)
  const { reason, ...share } = checkShare(line, request)
  const refundId = await storeRefund(tx, admin, { reason, shares: [{ line, ...share }], field: 'amount' })
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
  { lines, reason }: OrderRefundRequest,
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
  const amount = toDollars(shares.reduce((cents, share) => cents + toCents(share.amount), 0))
  const { line } = shares[0]!
  const refundId = await storeRefund(tx, admin, { reason, shares, field: 'lines' })
  const items = shares.map(({ line, returned }) => ({ lineId: line._id, quantity: returned }))
  const after = {
    items: shares.map(
      ({ line, quantity, amount }) =>
        `${describeLine({ ...line, quantity: quantity ?? line.quantity })}: ${formatDollars(amount)}`,
    ),
    refunded: amount,
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

/** What of a line is refunded, when it may be. */
function checkShare(line: Purchase, request: RefundRequest) {
  if (!line.paid) throw new ShopError('conflict', 'This order isn’t paid.')
  if (line.testPayment) throw testPaymentError()
  if (line.disputed > 0)
    throw new ShopError(
      'conflict',
      'This payment is disputed, and the customer’s bank has taken the money back. You can refund it only if you win the dispute.',
    )
  if (!canBeRefunded(line)) throw new ShopError('conflict', 'This item is already fully refunded.')
  const { shipping = line.shipping, shippedQuantity = line.shippedQuantity } = request
  if ((!shipping && line.shipping) || shippedQuantity < line.shippedQuantity)
    throw new ShopError(
      'conflict',
      'This item has just been shipped. To refund it anyway, submit the refund again.',
    )
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

interface Share {
  line: Purchase
  amount: number
  returned: number
  /** How many parts it is for, when it is known. */
  quantity?: number | undefined
}

/**
 * So that it is made even after a crash. Returns its id. Throws 'conflict', at `field` of the form, when less is left of the payment: a refund
 * made at the provider may be more than the price of a line.
 */
export async function storeRefund(
  tx: Queries,
  by: Member,
  { reason, shares, field }: { reason: string; shares: Share[]; field: string },
) {
  const { line } = shares[0]!
  const { orderId, transactionId } = line
  const amounts = shares.map(({ line, amount, returned, quantity = null }) => ({
    lineId: line._id,
    amountCents: toCents(amount),
    restocked: returned,
    quantity,
  }))
  const amountCents = amounts.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const rest = await unrefundedAmount(tx, line)
  if (toDollars(amountCents) > rest) throw pendingError(rest, field)
  const returned = amounts.filter(({ restocked }) => restocked > 0)
  if (returned.length > 0)
    await changeLineCounts(
      tx,
      returned.map(({ lineId, restocked }) => ({ lineId, returned: restocked })),
    )
  const isOfOne = amounts.length === 1
  const [refund] = await tx
    .insert(refunds)
    .values({
      orderId,
      lineId: isOfOne ? line._id : null,
      paymentId: transactionId!,
      amountCents,
      reason,
      restocked: amounts.reduce((sum, { restocked }) => sum + restocked, 0),
      requestedBy: by._id,
      quantity: isOfOne ? amounts[0]!.quantity : null,
    })
    .returning({ _id: refunds._id })
  const refundId = refund!._id
  if (!isOfOne) await tx.insert(refundShares).values(amounts.map((share) => ({ refundId, ...share })))
  return refundId
}

/** Dollars that are left of the payment of an order. */
async function unrefundedAmount(tx: Queries, { orderId, transactionId }: Purchase) {
  const lines = (await findOrder(tx, orderId)).lines.filter((line) => line.transactionId === transactionId)
  return toDollars(
    lines.reduce(
      (cents, { price, refundedCents, pendingRefundCents }) =>
        cents + price * 100 - refundedCents - pendingRefundCents,
      0,
    ),
  )
}

function pendingError(refundable: number, field: string) {
  return limitError(field, `Another refund is pending. You can refund at most ${formatDollars(refundable)}.`)
}

function limitError(field: string, message: string) {
  return new ShopError('conflict', message, { fields: { [field]: [message] } })
}

function ignoreUnavailable(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'unavailable')) throw error
}
