import {
  and,
  asc,
  eq,
  getViewSelectedFields,
  inArray,
  isNull,
  or,
  type SQL,
  Subquery,
  sql,
} from 'drizzle-orm'
import { prepareOnce } from '#db/driver/prepared.ts'
import { orders, purchases, type Queries, users } from '#db/schema.ts'
import { pickDelivery, type StoredDelivery } from '#shop/addresses/address.ts'
import { chargeNothingElse } from '#shop/charges/order-charges.ts'
import { ShopError } from '#shop/errors.ts'
import { toDollars } from '#shop/money.ts'
import { digitsOfOrderNumber, withNumber } from '#shop/orders/order-number.ts'
import { type Purchase, purchase } from '#shop/orders/purchase.ts'
import type { Shop } from '#shop/ports.ts'
import { describeShipping } from '#shop/settings/ship-by.server.ts'
import type { Member } from '#shop/users/user.ts'

export type PurchaseRow = typeof purchases.$inferSelect

type Shared =
  | 'number'
  | 'userId'
  | 'name'
  | 'email'
  | keyof StoredDelivery
  | 'collected'
  | 'createdAt'
  | 'shortHoldUntil'
  | keyof DeliveryCents
  | 'charges'

type DeliveryCents = Pick<PurchaseRow, 'deliveryCents' | 'refundedDeliveryCents' | 'pendingDeliveryCents'>

/** `lines` are all of an order, or those that are not cancelled. */
export interface OrderRow extends Pick<PurchaseRow, Shared> {
  _id: string
  lines: PurchaseRow[]
}

export const notCancelled = isNull(purchases.cancelledAt)
/** Neither paid nor expired nor cancelled; like `orderStatus`. */
export const awaitingPayment = and(isNull(purchases.paidAt), isNull(purchases.expiredAt), notCancelled)!

/** Like `awaitingPayment`. */
export function isUnpaid({ paidAt, expiredAt, cancelledAt }: PurchaseRow) {
  return paidAt === null && expiredAt === null && cancelledAt === null
}

/** Of a row of `orders`. */
export const hasUnpaidLine = sql`exists (select from ${purchases} where ${purchases.orderId} = ${orders._id} and ${awaitingPayment})`

/** Also by the number or the id of an order: its first line then. */
export async function findVisiblePurchase(
  shop: Pick<Shop, 'db' | 'settings'>,
  reader: Member,
  id: string,
  db: Queries = shop.db,
): Promise<PurchaseRow> {
  const [row] = await db
    .select()
    .from(purchases)
    .where(isVisible(shop, reader, id))
    // An order is shown by its first item that was not cancelled.
    .orderBy(sql`${purchases.cancelledAt} is not null`, asc(purchases.position))
    .limit(1)
  if (!row) throw orderNotFoundError()
  return row
}

/** By its number, its id or that of one of its lines; with its cancelled lines. Throws 'not-found'. */
export async function findVisibleOrder(
  shop: Pick<Shop, 'db' | 'settings'>,
  reader: Member,
  id: string,
): Promise<OrderRow> {
  const found = shop.db
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .where(isVisible(shop, reader, id))
    .limit(1)
  const lines = await shop.db
    .select()
    .from(purchases)
    .where(inArray(purchases.orderId, found))
    .orderBy(asc(purchases.position))
  if (lines.length === 0) throw orderNotFoundError()
  return toOrderRow(lines)
}

/** The user to whom an order belongs. Throws 'not-found'. */
export async function findOwnerId(
  shop: Pick<Shop, 'db' | 'settings'>,
  reader: Member,
  id: string,
): Promise<string> {
  const digits = digitsOfOrderNumber(shop, id)
  const includesCancelled = reader.role === 'admin'
  const [found] = digits
    ? await findOwnerByNumber(shop.db, { id: Number(digits), includesCancelled })
    : await findOwnerById(shop.db, { id, includesCancelled })
  if (!found) throw orderNotFoundError()
  return found.userId
}

function selectOwner(isWanted: SQL) {
  return prepareOnce((db: Queries) =>
    db
      .select({ userId: purchases.userId })
      .from(purchases)
      .where(and(isWanted, or(sql`${sql.placeholder('includesCancelled')}::boolean`, notCancelled)))
      .limit(1),
  )
}

const wantedId = sql.placeholder('id')
export const hasNumber = eq(purchases.number, wantedId)
export const hasId = or(eq(purchases._id, wantedId), eq(purchases.orderId, wantedId))!
const findOwnerByNumber = selectOwner(hasNumber)
const findOwnerById = selectOwner(hasId)

function isVisible(shop: Pick<Shop, 'settings'>, reader: Member, id: string) {
  const digits = digitsOfOrderNumber(shop, id)
  const isWanted = digits
    ? eq(purchases.number, Number(digits))
    : or(eq(purchases._id, id), eq(purchases.orderId, id))
  return and(isWanted, reader.role === 'admin' ? undefined : notCancelled)!
}

const findLine = prepareOnce((db: Queries) =>
  db
    .select()
    .from(purchases)
    .where(and(eq(purchases._id, wantedId), notCancelled)),
)

/** Throws 'not-found' for a cancelled purchase. */
export async function findPurchase(db: Queries, id: string): Promise<PurchaseRow> {
  const [row] = await findLine(db, { id })
  if (!row) throw orderNotFoundError()
  return row
}

const findLines = prepareOnce((db: Queries) =>
  db.select().from(purchases).where(eq(purchases.orderId, wantedId)).orderBy(asc(purchases.position)),
)

/** With its cancelled lines. Throws 'not-found'. */
export async function findOrder(db: Queries, id: string): Promise<OrderRow> {
  const lines = await findLines(db, { id })
  if (lines.length === 0) throw orderNotFoundError()
  return toOrderRow(lines)
}

/** With its tax. */
export function chargedCents({ price, addedCents }: Pick<PurchaseRow, 'price' | 'addedCents'>) {
  return price * 100 + addedCents
}

/** Of some lines of an order, and its delivery. */
export function totalCents(lines: PurchaseRow[]) {
  return lines.reduce((cents, line) => cents + chargedCents(line), lines[0]?.deliveryCents ?? 0)
}

export function toOrderRow(lines: PurchaseRow[]): OrderRow {
  const { orderId: _id, number, userId, name, email, createdAt, shortHoldUntil } = lines[0]!
  const { charges, collected, deliveryCents, refundedDeliveryCents, pendingDeliveryCents } = lines[0]!
  return {
    _id,
    number,
    userId,
    name,
    email,
    ...pickDelivery(lines[0]!),
    collected,
    createdAt,
    shortHoldUntil,
    charges,
    deliveryCents,
    refundedDeliveryCents,
    pendingDeliveryCents,
    lines,
  }
}

const purchaseColumns = getViewSelectedFields(purchases)
const locked = new Subquery(sql`select * from lock_order(${wantedId})`, purchaseColumns, 'purchases')
const ownsConfirmedEmail = sql<boolean>`exists (select from ${users} where ${users._id} = ${purchases.userId}
  and ${users.email} = ${purchases.email} and ${users.emailConfirmedAt} is not null)`
const withConfirmation = { line: purchaseColumns, isEmailConfirmed: ownsConfirmedEmail }
const lockLines = prepareOnce((db: Queries) =>
  db.select(withConfirmation).from(locked).orderBy(asc(purchases.position)),
)
const findLinesToRecord = prepareOnce((db: Queries) =>
  db
    .select(withConfirmation)
    .from(purchases)
    .where(eq(purchases.orderId, wantedId))
    .orderBy(asc(purchases.position)),
)

export interface ConfirmedOrder extends OrderRow {
  /** Whether the customer has confirmed the address to which the emails of the order go. */
  isEmailConfirmed: boolean
}

/** Null for an unknown order. Everything that changes the state of an order or its lines locks the order first. */
export async function lockOrder(tx: Queries, id: string): Promise<ConfirmedOrder | null> {
  return toConfirmedOrder(await lockLines(tx, { id }))
}

/** Null for an unknown order. For a statement that locks it and compares its lines before it changes anything. */
export async function findOrderToRecord(db: Queries, id: string): Promise<ConfirmedOrder | null> {
  return toConfirmedOrder(await findLinesToRecord(db, { id }))
}

function toConfirmedOrder(rows: { line: PurchaseRow; isEmailConfirmed: boolean }[]): ConfirmedOrder | null {
  if (rows.length === 0) return null
  return { ...toOrderRow(rows.map(({ line }) => line)), isEmailConfirmed: rows[0]!.isEmailConfirmed }
}

/** Locks its order. Throws 'not-found' for a cancelled purchase. */
export async function lockPurchase(tx: Queries, id: string): Promise<PurchaseRow> {
  const { orderId } = await findPurchase(tx, id)
  await lockOrder(tx, orderId)
  return findPurchase(tx, id)
}

export function orderNotFoundError() {
  return new ShopError('not-found', 'This order doesn’t exist or was cancelled.')
}

export const testPaymentError = () =>
  new ShopError('conflict', 'This order was paid in test mode, so it can’t be shipped or refunded.')

export const orderExpiredError = () => new ShopError('conflict', 'This order has expired.')

export const hourMs = 60 * 60 * 1000

type OrderSettings = Pick<Shop, 'holdHours' | 'settings' | 'timeZone'> & {
  payments: Pick<Shop['payments'], 'provider'>
}

export function toPurchase(settings: OrderSettings, row: PurchaseRow): Purchase {
  const { holdHours, payments } = settings
  const [paid, expired, cancelled] = [row.paidAt, row.expiredAt, row.cancelledAt].map((at) => at !== null)
  const isHeld = holdHours > 0 && !paid && !expired && !cancelled
  const fullHold = new Date(Date.parse(row.createdAt) + holdHours * hourMs).toISOString()
  const isShort = row.shortHoldUntil !== null && row.shortHoldUntil < fullHold
  const heldUntil = isHeld ? (isShort ? row.shortHoldUntil : fullHold) : null
  const shown = {
    ...withNumber(settings, row),
    paid: paid!,
    expired: expired!,
    cancelled: cancelled!,
    heldUntil,
    shortHold: isHeld && isShort,
    shipping: row.shippedAt !== null,
    // Parts of a refund after shipping may have been shipped, too.
    toShip: Math.max(0, row.quantity - row.shippedQuantity - row.returnedQuantity),
    charged: toDollars(chargedCents(row)),
    deliveryCharge: {
      charged: toDollars(row.deliveryCents),
      refunded: toDollars(row.refundedDeliveryCents),
      refundPending: toDollars(row.pendingDeliveryCents),
    },
    charges: row.charges ?? chargeNothingElse(row.orderPrice * 100),
    refunded: toDollars(row.refundedCents),
    orderRefunded: toDollars(row.orderRefundedCents),
    refundPending: toDollars(row.pendingRefundCents),
    disputed: toDollars(row.disputedCents),
    testPayment: isTestPayment(payments, row),
    shipBy: null,
    shipByUntil: null,
    late: false,
  }
  return purchase.parse({ ...shown, ...describeShipping(settings, shown, row.shipBy) })
}

function isTestPayment({ provider }: OrderSettings['payments'], { paymentProvider }: PurchaseRow) {
  return provider === 'stripe live' && paymentProvider !== null && paymentProvider !== provider
}
