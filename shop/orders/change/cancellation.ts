import { z } from 'zod'
import { optionalText, requiredText } from '#shop/fields.ts'
import { maxLines } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeShipped } from '#shop/orders/status.ts'
import { cancelRules } from '#shop/settings/settings.ts'

export const cancellationForm = z.object({
  /** Ids of items, each of which is cancelled as a whole. */
  lines: z
    .array(requiredText('Item is required', 64), 'Must be a list of ids')
    .min(1, 'Select at least one item')
    .max(maxLines, `At most ${maxLines} items at a time`),
  reason: optionalText(500),
})
export type CancellationForm = z.output<typeof cancellationForm>

/** What came of it: `requested` by the rule `on request`. */
export const cancellationResult = z.object({ outcome: z.enum(['refunded', 'refund pending', 'requested']) })
export type CancellationResult = z.output<typeof cancellationResult>

/** One that an admin has not answered yet. */
export const cancellationRequest = z.object({
  _id: z.string(),
  createdAt: z.string(),
  reason: z.string().nullable(),
  lineIds: z.array(z.string()),
})
export type CancellationRequest = z.output<typeof cancellationRequest>

export const cancellations = z.object({
  rule: z.enum(cancelRules),
  requests: z.array(cancellationRequest),
})
export type Cancellations = z.output<typeof cancellations>

export const cancellationDecision = z
  .object({
    decision: z.enum(['refund', 'decline'], 'decision must be refund or decline'),
    /** For the customer, who is declined. */
    message: optionalText(1_000),
  })
  .refine(({ decision, message }) => decision === 'refund' || message !== undefined, {
    error: 'Message is required',
    path: ['message'],
  })
export type CancellationDecision = z.output<typeof cancellationDecision>

/** Whether a customer can cancel an item that is paid: until some of it has shipped, and while nothing else happens to its money. */
export function canCancelPaid(line: Purchase) {
  return canBeShipped(line) && line.shippedQuantity === 0 && line.refundPending === 0 && line.disputed === 0
}
