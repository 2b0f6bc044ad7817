import { z } from 'zod'

export const paymentTask = z.object({
  _id: z.string(),
  kind: z.enum(['refund refused', 'refund failed', 'unknown currency', 'dispute']),
  /** The provider's id of the payment, refund or dispute. */
  reference: z.string(),
  detail: z.string(),
  createdAt: z.string(),
  /** The order's id. */
  purchase: z.string(),
  name: z.string(),
  parts: z.string(),
})
export type PaymentTask = z.output<typeof paymentTask>

export const paymentTaskList = z.object({
  /** Why the card provider does not accept the shop's key. */
  keyProblem: z.string().nullable(),
  rows: z.array(paymentTask),
})
export type PaymentTaskList = z.output<typeof paymentTaskList>
