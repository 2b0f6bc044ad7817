import { z } from 'zod'
import { pickDelivery } from '#shop/addresses/address.ts'
import { requiredText, sortField, wholeNumber } from '#shop/fields.ts'
import { toCents, toDollars } from '#shop/money.ts'
import { delivery, payNow, purchase, purchaseListQuery, purchaseQuery, shownTotal } from './purchase.ts'

export const maxLines = 100

/** What was ordered together. Amounts are in dollars, and leave out cancelled lines. */
export const order = purchase
  .pick({
    number: true,
    name: true,
    email: true,
    recipient: true,
    company: true,
    country: true,
    region: true,
    postcode: true,
    town: true,
    address: true,
    phoneNumber: true,
    collected: true,
    createdAt: true,
    heldUntil: true,
    shortHold: true,
    paidAt: true,
    shipByUntil: true,
    transactionId: true,
    paid: true,
    expired: true,
    dispute: true,
    disputed: true,
    inquiry: true,
    testPayment: true,
  })
  .extend({
    _id: z.string(),
    price: z.int(),
    charges: purchase.shape.charges,
    deliveryCharge: purchase.shape.deliveryCharge,
    /** With tax and delivery. Not in stored responses of older versions. */
    charged: z.number().default(0),
    refunded: z.number(),
    refundPending: z.number(),
    /** Of a line that is still to ship. */
    shipBy: z.string().nullable(),
    late: z.boolean(),
    /** Whether all lines are. */
    shipping: z.boolean(),
    /** The carrier's page about the last shipment that has one. Not in stored responses of older versions. */
    trackingUrl: z.string().nullable().default(null),
    lines: z.array(purchase),
  })
export type Order = z.output<typeof order>

/** As the list of all customers has it: with the first of its lines, and the amounts of all. */
export const listedOrder = order.extend({
  /** Of all lines. */
  lineCount: z.int(),
  /** How many of its lines have something that can be shipped. */
  linesToShip: z.int(),
})
export type ListedOrder = z.output<typeof listedOrder>

const orderLine = z.object({
  partId: requiredText('Part is required', 64),
  quantity: wholeNumber('Quantity is required'),
  /** The price that the buyer was shown; the order is refused when it has changed. */
  price: z.int('Whole numbers only').optional(),
})

export const orderRequest = delivery.extend({
  lines: z
    .array(orderLine, 'Must be a list of lines')
    .min(1, 'Order at least one part')
    .max(maxLines, `An order can have at most ${maxLines} items`),
  /** Removes the ordered parts from the customer's basket, which must have them in these quantities. */
  fromBasket: z.boolean('fromBasket must be true or false').optional(),
  total: shownTotal,
  payNow,
})
export type OrderRequest = z.output<typeof orderRequest>

/** Finds orders of which a line matches. */
export const orderListQuery = purchaseQuery.omit({ sort: true, limit: true }).extend({
  // Each can have a hundred lines.
  limit: z.coerce.number('limit must be a number').int().min(1).max(20).default(10),
  sort: sortField(['added']),
})
export type OrderListQuery = z.output<typeof orderListQuery>

export const maxListedLines = 1_000

/** Finds orders of which a line matches. `lines`, how many of each order are listed: as many as allowed unless given. */
export const allOrdersQuery = purchaseListQuery
  .omit({ sort: true, limit: true })
  .extend({
    limit: z.coerce.number('limit must be a number').int().min(1).max(maxListedLines).default(10),
    lines: z.coerce.number('lines must be a number').int().min(1).max(maxLines).optional(),
    sort: sortField(['added', 'name', 'price', 'shipped']),
  })
  .refine(({ limit, lines = 1 }) => limit * lines <= maxListedLines, {
    path: ['limit'],
    error: `limit times lines is at most ${maxListedLines}`,
  })
export type AllOrdersQuery = z.output<typeof allOrdersQuery>

/** Of lines of one order that are not cancelled. */
export function toOrder(lines: z.output<typeof purchase>[]): Order {
  const [first] = lines
  if (!first) throw new RangeError('An order has at least one line')
  const sum = (amountOf: (line: (typeof lines)[number]) => number, ofDelivery = 0) =>
    toDollars(lines.reduce((cents, line) => cents + toCents(amountOf(line)), toCents(ofDelivery)))
  const { number, name, email, deliveryCharge, charges } = first
  const { createdAt, heldUntil, shortHold, paidAt, transactionId } = first
  const { paid, expired, dispute, disputed, inquiry, testPayment } = first
  return {
    number,
    name,
    email,
    ...pickDelivery(first),
    collected: first.collected,
    createdAt,
    heldUntil,
    shortHold,
    paidAt,
    shipBy: lines.find((line) => line.shipBy !== null)?.shipBy ?? null,
    shipByUntil: first.shipByUntil,
    late: lines.some((line) => line.late),
    transactionId,
    paid,
    expired,
    dispute,
    disputed,
    inquiry,
    testPayment,
    _id: first.orderId,
    price: sum((line) => line.price),
    charges,
    deliveryCharge,
    charged: toDollars(charges.total),
    refunded: sum((line) => line.refunded, deliveryCharge.refunded),
    refundPending: sum((line) => line.refundPending, deliveryCharge.refundPending),
    shipping: lines.every((line) => line.shipping),
    trackingUrl: null,
    lines,
  }
}
