import { z } from 'zod'
import { optionalText, paging, requiredText, sorting, wholeNumber } from '#shop/fields.ts'
import type { Part } from '#shop/parts/part.ts'
import { quantityProblem } from './quantity.ts'

/** Unpaid orders hold stock, so nobody may have more of them at once. */
export const mostUnpaidOrders = 20

export const order = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  partId: z.string(),
  parts: z.string(),
  quantity: z.int(),
  price: z.int(),
  address: z.string(),
  phoneNumber: z.string(),
  paid: z.boolean(),
  shipping: z.boolean(),
  transactionId: z.string().nullable(),
  createdAt: z.string(),
  /** Until when its parts are set aside; null once it is paid or expired, and when they are for ever. */
  heldUntil: z.string().nullable(),
  expired: z.boolean(),
  paidAt: z.string().nullable(),
  shippedAt: z.string().nullable(),
})
export type Order = z.output<typeof order>

/** What a customer may type: checked at every change in the browser and once more on the server. */
export function purchaseForm(part: Pick<Part, 'minQuantity' | 'availableQuantity' | 'perUnitPrice'>) {
  return delivery.extend({
    quantity: wholeNumber('Quantity is required').superRefine((quantity, { addIssue }) => {
      const problem = quantityProblem(part, quantity)
      if (problem) addIssue(problem)
    }),
  })
}

const delivery = z.object({
  address: requiredText('Address is required'),
  phoneNumber: requiredText('Phone Number is required').pipe(
    z.string().max(11, 'Phone Number must be 11 digit.'),
  ),
})

/** What the browser sends. Name and email are the signed-in person's, and the price is only compared. */
export const purchase = delivery.extend({
  quantity: wholeNumber('Quantity is required'),
  partId: optionalText(64),
  parts: optionalText(120),
  price: z.int('Whole numbers only').optional(),
})
export type Purchase = z.output<typeof purchase>

/** `q` is looked for in name, email and part name, or is an exact order id or transaction id. */
export const orderQuery = paging.extend({
  q: optionalText(100),
  status: z
    .enum(['unpaid', 'expired', 'pending', 'shipped'], 'status is unpaid, expired, pending or shipped')
    .optional(),
  sort: sorting(['added', 'name', 'parts', 'quantity', 'price']),
})
export type OrderQuery = z.output<typeof orderQuery>

export const paymentRequest = z.object({
  price: wholeNumber('Price is required'),
  purchase: optionalText(64),
})
export type PaymentRequest = z.output<typeof paymentRequest>

export const paymentProof = z.object({
  purchase: z.unknown().optional(),
  transactionId: requiredText('transactionId is required'),
})

/** The life of an order. The server enforces these; the dashboard uses them to choose its buttons. */
export const orderCan = {
  bePaid: (order: Pick<Order, 'paid' | 'expired'>) => !order.paid && !order.expired,
  beCancelled: (order: Pick<Order, 'paid'>) => !order.paid,
  beShipped: (order: Pick<Order, 'paid'>) => order.paid,
}
