import { z } from 'zod'

export const paymentTask = z.object({
  _id: z.string(),
  kind: z.enum([
    'refund rejected',
    'refunded twice',
    'refund failed',
    'unsupported currency',
    'dispute',
    'cancellation requested',
    'inquiry',
    'tax not recorded',
  ]),
  /** The provider’s id of the payment, refund or dispute, or the shop’s own id of the refund, the asked-for cancellation or the document. */
  reference: z.string(),
  detail: z.string(),
  createdAt: z.string(),
  /** The id of the order’s first item. */
  purchase: z.string(),
  number: z.string(),
  name: z.string(),
  parts: z.string(),
})
export type PaymentTask = z.output<typeof paymentTask>

/** `refunded`: of a refund that failed, that the customer has the money another way, which counts as refunded. */
export const taskResolution = z
  .object({ refunded: z.boolean('refunded must be true or false').optional() })
  .default({})
export type TaskResolution = z.output<typeof taskResolution>

/** `keyProblem`: why the card provider does not accept the shop's key. */
export const paymentHealth = z.object({ keyProblem: z.string().nullable() })
