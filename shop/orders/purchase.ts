import { z } from 'zod'
import { addressForm } from '#shop/addresses/address.ts'
import { destinationFields } from '#shop/addresses/destination.ts'
import { collect } from '#shop/charges/estimate.ts'
import { chargeNothingElse, orderCharges } from '#shop/charges/order-charges.ts'
import {
  dollarAmount,
  optionalText,
  paging,
  requiredText,
  searchText,
  sortField,
  wholeNumber,
} from '#shop/fields.ts'
import { formatCount, formatDollars, toCents, toDollars } from '#shop/money.ts'
import { quantityError } from '#shop/parts/quantity.ts'
import { readQuantityText } from '#shop/parts/quantity-text.ts'

export const purchase = z.object({
  _id: z.string(),
  /** The order that it is a line of, and what people call that: #1042. */
  orderId: z.string(),
  /** Stored responses of older versions have an integer. */
  number: z.coerce.string(),
  /** Of all lines of the order that are not cancelled: they are paid together. */
  orderPrice: z.int(),
  /** Dollars, of all lines and delivery. */
  orderRefunded: z.number(),
  /** Of the order, with its tax, in dollars. Nothing in stored responses of older versions. */
  deliveryCharge: z
    .object({ charged: z.number(), refunded: z.number(), refundPending: z.number() })
    .default({ charged: 0, refunded: 0, refundPending: 0 }),
  lineCount: z.int(),
  /** Of all lines of the order that are not cancelled, in cents. Nothing in stored responses of older versions. */
  charges: orderCharges.default(chargeNothingElse(0)),
  name: z.string(),
  email: z.string(),
  /** Whom it is delivered to: the name of the customer unless another was entered. */
  recipient: z.string(),
  /** Empty if none was entered. */
  company: z.string(),
  partId: z.string(),
  parts: z.string(),
  quantity: z.int(),
  price: z.int(),
  /** Dollars that are charged for it: the price, with tax. Not in stored responses of older versions. */
  charged: z.number().default(0),
  ...destinationFields,
  /** The street, or all of it. */
  address: z.string(),
  phoneNumber: z.string(),
  /** At the factory, instead of being delivered. Not in stored responses of older versions. */
  collected: z.boolean().default(false),
  paid: z.boolean(),
  shipping: z.boolean(),
  transactionId: z.string().nullable(),
  createdAt: z.string(),
  /** When it expires; null unless it is unpaid and can expire. */
  heldUntil: z.string().nullable(),
  /** Whether that is early because the customer has not confirmed the email address. Not in stored responses of older versions. */
  shortHold: z.boolean().default(false),
  expired: z.boolean(),
  /** Hidden from every list and, except for admins, from reads by id. */
  cancelled: z.boolean(),
  paidAt: z.string().nullable(),
  /**
   * The day by which what is left of it ships: as promised when it was paid, or if it is paid before `shipByUntil`. Null when nothing is
   * to ship. Not in stored responses of older versions.
   */
  shipBy: z.string().nullable().default(null),
  shipByUntil: z.string().nullable().default(null),
  /** That day is over. */
  late: z.boolean().default(false),
  /** When nothing of it was left to ship. */
  shippedAt: z.string().nullable(),
  shippedQuantity: z.int(),
  /** To stock, by refunds. */
  returnedQuantity: z.int(),
  /** Neither shipped nor returned. */
  toShip: z.int(),
  /** Dollars, with cents after a refund made at the card provider. A refunded order stays paid. */
  refunded: z.number(),
  /** Dollars that are owed, and not refunded by the payment provider yet. */
  refundPending: z.number(),
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  disputed: z.number(),
  /** Whether the customer's bank asks about the payment, and has taken nothing back. Not in stored responses of older versions. */
  inquiry: z.boolean().default(false),
  /** Paid in test mode before the shop went live: no money was received. */
  testPayment: z.boolean(),
})
export type Purchase = z.output<typeof purchase>

/** As its customer’s list has it: with the carrier’s page about the last shipment of its order that has one. */
export const myPurchase = purchase.extend({ trackingUrl: z.string().nullable().default(null) })
export type MyPurchase = z.output<typeof myPurchase>

const typedQuantity = z.preprocess(
  (value) => (typeof value === 'string' ? (readQuantityText(value) ?? value) : value),
  wholeNumber('Quantity is required'),
) as z.ZodType<number, number | string>

export function purchaseForm(part: Parameters<typeof quantityError>[0]) {
  return delivery.extend({
    quantity: typedQuantity.superRefine((quantity, { addIssue }) => {
      const problem = quantityError(part, quantity)
      if (problem) addIssue(problem)
    }),
  })
}

export type PurchaseFormValues = z.output<ReturnType<typeof purchaseForm>>

export const delivery = addressForm.extend({
  /** Ignored if the address is saved already, or as many as allowed are. */
  saveAddress: z.boolean('saveAddress must be true or false').optional(),
  collect,
})

/** For an order above the customer's limit: it is held only for a short time, for the payment. */
export const payNow = z.boolean('payNow must be true or false').optional()

/** Cents, with delivery and tax, that the buyer was shown; the order is refused when it is charged another total. */
export const shownTotal = z.int('Whole numbers only').optional()

export const purchaseRequest = delivery.extend({
  quantity: wholeNumber('Quantity is required'),
  partId: optionalText(64),
  parts: optionalText(120),
  price: z.int('Whole numbers only').optional(),
  total: shownTotal,
  payNow,
})
export type PurchaseRequest = z.output<typeof purchaseRequest>

export const orderStatuses = ['unpaid', 'pending', 'shipped', 'refunded', 'disputed', 'expired'] as const

/**
 * `q` is the beginning of an order number, part number, order id, transaction id, tracking number, or number of an invoice or credit note, a phone
 * number in any notation, or words of name, email, part name, recipient, company, address, town and postcode, without regard to case and accents.
 */
export const purchaseQuery = paging.extend({
  q: searchText,
  status: z.enum(orderStatuses, `status must be one of ${orderStatuses.join(', ')}`).optional(),
  sort: sortField(['added', 'name', 'parts', 'quantity', 'price', 'shipped']),
})
export type PurchaseQuery = z.output<typeof purchaseQuery>

const listStatuses = [...orderStatuses, 'expiring', 'refund pending'] as const

/** `expiring`: the order expires within 24 hours. `refund pending`: owed and not refunded yet, of cancelled orders too. */
export const purchaseListQuery = purchaseQuery.extend({
  status: z.enum(listStatuses, `status must be one of ${listStatuses.join(', ')}`).optional(),
})
export type PurchaseListQuery = z.output<typeof purchaseListQuery>

export const purchaseCounts = z.object({
  all: z.int(),
  ...(Object.fromEntries(orderStatuses.map((status) => [status, z.int()])) as Record<
    (typeof orderStatuses)[number],
    z.ZodInt
  >),
})
export type PurchaseCounts = z.output<typeof purchaseCounts>

export const paymentRequest = z.object({
  /** Of the goods. */
  price: wholeNumber('Price is required'),
  total: shownTotal,
  purchase: optionalText(64),
})
export type PaymentRequest = z.output<typeof paymentRequest>

export const paymentConfirmation = z.object({
  purchase: z.unknown().optional(),
  transactionId: requiredText('transactionId is required'),
})

export type RefundableLine = Pick<
  Purchase,
  'charged' | 'refunded' | 'refundPending' | 'disputed' | 'quantity' | 'returnedQuantity'
>

/** Dollars. */
export function refundableAmount({ charged, refunded, refundPending, disputed }: RefundableLine) {
  return toDollars(toCents(charged) - toCents(refunded) - toCents(refundPending) - toCents(disputed))
}

/** Dollars that can still be refunded of the delivery of an order. */
export function refundableDelivery({
  deliveryCharge,
  disputed,
}: Pick<Purchase, 'deliveryCharge' | 'disputed'>) {
  const { charged, refunded, refundPending } = deliveryCharge
  return disputed > 0 ? 0 : toDollars(toCents(charged) - toCents(refunded) - toCents(refundPending))
}

export function refundForm(line: RefundableLine) {
  const returnable = line.quantity - line.returnedQuantity
  const refundable = refundableAmount(line)
  return refundRequest.extend({
    amount: refundRequest.shape.amount.refine(
      (amount) => amount <= refundable,
      `Amount must be at most ${formatDollars(refundable)}`,
    ),
    returned: refundRequest.shape.returned.refine(
      (returned) => returned <= returnable,
      returnable === line.quantity
        ? `You can return at most ${formatCount(returnable)} to stock`
        : `You can return at most ${formatCount(returnable)} more to stock`,
    ),
  })
}

export const refundRequest = z.object({
  amount: dollarAmount('Amount is required'),
  reason: requiredText('Reason is required'),
  returned: wholeNumber('Enter how many parts to return to stock, or 0').refine(
    (returned) => returned >= 0,
    'Enter 0 or more',
  ),
  /** Whether the order was shipped when the refund was decided; refused when it is false and no longer true. */
  shipping: z.boolean().optional(),
  /** How many were shipped when the refund was decided; refused when more are. */
  shippedQuantity: wholeNumber('Quantity is required').optional(),
})
export type RefundRequest = z.output<typeof refundRequest>

export const orderEvent = z.object({
  kind: z.enum([
    'placed',
    'paid',
    'shipped',
    'not shipped',
    'expired',
    'cancelled',
    'reserved again',
    'delivery changed',
    'cancellation requested',
    'cancellation declined',
    'refund requested',
    'refunded',
    'refund rejected',
    'refunded another way',
    'refund failed',
    'dispute opened',
    'dispute won',
    'dispute lost',
    'inquiry opened',
    'inquiry closed',
  ]),
  at: z.string(),
  /** A user name; null for the system, and for admins when a customer reads it. */
  by: z.string().nullable(),
  /** Dollars. */
  amount: z.number().nullable(),
  /** What of a refund is for delivery; absent when nothing is. */
  delivery: z.number().optional(),
  reason: z.string().nullable(),
  /** The card provider's id of the payment or refund. */
  reference: z.string().nullable(),
  /** What it is about: what was shipped or taken back, the order's item itself first; on the timeline of an order of several items, also what was refunded or cancelled. */
  items: z.array(z.object({ parts: z.string(), quantity: z.int() })),
})
export type OrderEvent = z.output<typeof orderEvent>
