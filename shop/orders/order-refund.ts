import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { maxLines } from './order.ts'
import { refundRequest } from './purchase.ts'

const refundedLine = refundRequest.pick({ amount: true, returned: true, shippedQuantity: true }).extend({
  lineId: requiredText('lineId is required', 64),
})

/** One refund at the payment provider, for any items of an order. */
export const orderRefundRequest = z.object({
  lines: z
    .array(refundedLine, 'Must be a list of lines')
    .min(1, 'Choose at least one item to refund')
    .max(maxLines, `An order can have at most ${maxLines} items`),
  reason: refundRequest.shape.reason,
})
export type OrderRefundRequest = z.output<typeof orderRefundRequest>
