import { z } from 'zod'
import { requiredText, wholeNumber } from '#shop/fields.ts'
import { formatCount, formatDollars, toCents, toDollars } from '#shop/money.ts'
import { maxLines } from './order.ts'
import { type Purchase, refundableAmount, refundRequest } from './purchase.ts'

const refundedLine = refundRequest.pick({ amount: true, returned: true, shippedQuantity: true }).extend({
  lineId: requiredText('lineId is required', 64),
  /** How many parts it is for, which the credit note and the email say. */
  quantity: wholeNumber('Quantity: whole numbers only')
    .refine((quantity) => quantity >= 1, 'Refund at least 1')
    .optional(),
})

/** One refund at the payment provider, for any items of an order. */
export const orderRefundRequest = z
  .object({
    lines: z
      .array(refundedLine, 'Must be a list of lines')
      .max(maxLines, `An order can have at most ${maxLines} items`),
    /** Dollars of the delivery charge, with its tax. */
    delivery: refundRequest.shape.amount.optional(),
    reason: refundRequest.shape.reason,
  })
  .refine(({ lines, delivery }) => lines.length > 0 || delivery !== undefined, {
    path: ['lines'],
    error: 'Choose at least one item to refund',
  })
export type OrderRefundRequest = z.output<typeof orderRefundRequest>

/** How many parts of an item can still be refunded: as many as the money that is left is for, but for those that are back in stock. */
export function refundableQuantity(line: Purchase) {
  const { quantity, returnedQuantity, charged } = line
  const paidFor = (toCents(refundableAmount(line)) * quantity) / toCents(charged)
  // Earlier refunds were of whole cents.
  return Math.max(0, Math.min(quantity - returnedQuantity, Math.ceil(paidFor - 0.05)))
}

/** What a quantity of an item costs: all that is left of its price for all that is left of it. */
export function priceToRefund(line: Purchase, quantity: number) {
  const refundable = refundableAmount(line)
  if (quantity >= refundableQuantity(line)) return refundable
  return Math.min(refundable, toDollars(Math.round((toCents(line.charged) * quantity) / line.quantity)))
}

/** What was typed for an item. */
export interface RefundRow {
  quantity: string
  amount: string
}

/** Why a row cannot be refunded as typed; null when it can, or is empty. */
export function rowError(line: Purchase, { quantity, amount }: RefundRow): string | null {
  const count = Number(quantity.trim())
  const most = refundableQuantity(line)
  if (!Number.isInteger(count) || count < 0) return 'Quantity: whole numbers only'
  if (count > most) return `Quantity must be at most ${formatCount(most)}`
  if (amount.trim() === '') return count > 0 ? 'Enter the amount to refund' : null
  const dollars = refundRequest.shape.amount.safeParse(amount)
  if (!dollars.success) return dollars.error.issues[0]!.message
  const refundable = refundableAmount(line)
  return dollars.data > refundable ? `Amount must be at most ${formatDollars(refundable)}` : null
}

/** The items that something was typed for. */
export function toRefundedLines(lines: Purchase[], rows: Record<string, RefundRow>, restock: boolean) {
  return lines.flatMap((line) => {
    const { quantity, amount } = rows[line._id]!
    if (amount.trim() === '') return []
    const count = Number(quantity.trim())
    return [
      {
        lineId: line._id,
        amount: refundRequest.shape.amount.parse(amount),
        quantity: count > 0 ? count : undefined,
        returned: restock ? count : 0,
        shippedQuantity: line.shippedQuantity,
      },
    ]
  })
}

/** Dollars. */
export function sumRefund(lines: { amount: number }[]) {
  return toDollars(lines.reduce((cents, { amount }) => cents + toCents(amount), 0))
}
