import { and, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import { orders, parts, type Queries } from '#db/schema.ts'
import { ShopError, validate } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import { widerNetwork } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import { orderNotShippedEmail } from './emails.ts'
import { addEvent } from './events.server.ts'
import {
  checkHeldShare,
  checkHeldValue,
  hashNetwork,
  readAllowance,
  shortHoldEnd,
} from './hold-limits.server.ts'
import { emailCustomer, emailOrderPlaced } from './notify.server.ts'
import { type Purchase, type PurchaseRequest, purchaseForm } from './purchase.ts'
import {
  findVisibleOrder,
  lockOrder,
  noMoney,
  orderExpiredError,
  orderNotFoundError,
  testPaymentError,
  toPurchase,
} from './purchase-rows.server.ts'
import { quantityError, stockExceededMessage } from './quantity.ts'
import { shippingEmailTime } from './shipping-emails.server.ts'
import { canBeShipped } from './status.ts'

type SoldPart = typeof parts.$inferSelect

/**
 * Throws 'not-found' (part), 'invalid' (quantity), 'conflict' (price or stock changed, or a new customer's share of the stock) or
 * 'rate-limited' (unpaid orders). `network` is the client's.
 */
export function placePurchase(
  shop: Shop,
  buyer: Member,
  purchase: PurchaseRequest,
  { key, network }: { key?: string | undefined; network?: string } = {},
): Promise<Purchase> {
  return idempotent(
    shop.db,
    { userId: buyer._id, call: 'placePurchase', key, body: purchase },
    async (tx) => {
      const part = await findPart(tx, purchase)
      const { quantity, ...delivery } = validate(purchaseForm(part), purchase)
      const price = quantity * part.perUnitPrice
      if (purchase.price !== undefined && purchase.price !== price) throw priceChangedError(price)
      const allowance = shop.rateLimits ? await readAllowance(shop, tx, buyer) : null
      if (allowance) checkHeldValue(allowance, price, quantity === part.minQuantity)

      const left = await takeStock(tx, part, quantity)
      const { _id: userId, name, email } = buyer
      const clientNetwork = allowance && network ? hashNetwork(shop, widerNetwork(network) ?? network) : null
      if (allowance)
        await checkHeldShare(shop, tx, allowance, { userId, clientNetwork, part, quantity, price, left })
      const shortHoldUntil = shortHoldEnd(shop, allowance, price)
      const { _id: partId, name: partName, perUnitPrice: unitPrice } = part
      const lineItem = { partId, parts: partName, unitPrice, quantity, price }
      const [placed] = await tx
        .insert(orders)
        .values({ userId, name, email, ...delivery, ...lineItem, clientNetwork, shortHoldUntil })
        .returning()
      const order = toPurchase(shop, { ...placed!, ...noMoney })
      await emailOrderPlaced(shop, tx, buyer, order, network)
      return order
    },
  )
}

type PartKey = Pick<PurchaseRequest, 'partId' | 'parts'>

async function findPart(tx: Queries, { partId, parts: name }: PartKey): Promise<SoldPart> {
  if (!partId && !name) {
    throw new ShopError('invalid', 'Part Name is required', { fields: { parts: ['Part Name is required'] } })
  }
  const isRequested = partId ? eq(parts._id, partId) : eq(parts.name, name!)
  const [part] = await tx
    .select()
    .from(parts)
    .where(and(isRequested, isNull(parts.deletedAt)))
  if (!part) throw new ShopError('not-found', 'This part is no longer for sale.')
  return part
}

function priceChangedError(price: number) {
  return new ShopError('conflict', `The price is now ${formatDollars(price)}.`)
}

/** A single conditional update, so that concurrent orders cannot oversell. Returns the stock that is left. */
async function takeStock(tx: Queries, part: SoldPart, quantity: number): Promise<number> {
  const [updated] = await tx
    .update(parts)
    .set({ availableQuantity: sql`${parts.availableQuantity} - ${quantity}` })
    .where(
      and(
        eq(parts._id, part._id),
        isNull(parts.deletedAt),
        gte(parts.availableQuantity, quantity),
        lte(parts.minQuantity, quantity),
        eq(parts.perUnitPrice, part.perUnitPrice),
      ),
    )
    .returning({ left: parts.availableQuantity })
  if (updated) return updated.left

  const current = await findPart(tx, { partId: part._id })
  if (current.perUnitPrice !== part.perUnitPrice) throw priceChangedError(quantity * current.perUnitPrice)
  const message = quantityError(current, quantity) ?? stockExceededMessage(current)
  throw new ShopError('conflict', message, { fields: { quantity: [message] } })
}

export async function readPurchase(shop: Shop, reader: Member, id: string): Promise<Purchase> {
  return toPurchase(shop, await findVisibleOrder(shop, reader, id))
}

/** Throws 'not-found' for another user's order, so as not to reveal that it exists. */
export async function checkOwner(shop: Shop, member: Member, id: string, allowAdmin: boolean) {
  if (allowAdmin && member.role === 'admin') return
  const order = await findVisibleOrder(shop, member, id)
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
    const row = await lockOrder(tx, id)
    const order = toPurchase(shop, row)
    if (order.shipping === shipping) return { modifiedCount: 0 }
    if (shipping) checkShippable(order)
    const shippedAt = shipping ? new Date().toISOString() : null
    const shippingEmailDueAt = shipping ? shippingEmailTime() : null
    await tx.update(orders).set({ shippedAt, shippingEmailDueAt }).where(eq(orders._id, id))
    await addEvent(tx, id, shipping ? 'shipped' : 'not shipped', admin)
    const wasTold = !shipping && row.shippingEmailDueAt === null
    if (wasTold) await emailCustomer(shop, tx, row, (order) => orderNotShippedEmail(shop, order))
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
  if (!canBeShipped(order))
    throw new ShopError('conflict', 'This order was refunded, so it can’t be shipped.')
}
