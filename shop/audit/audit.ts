import { z } from 'zod'
import { optionalText, paging, sortField } from '#shop/fields.ts'

/** The calls that change something; action-names.ts says what people call them, which browsers of customers need not load. */
export const auditActions = [
  'makeAdmin',
  'removeAdmin',
  'addPart',
  'updatePart',
  'restockPart',
  'restockParts',
  'addDelivery',
  'receiveDelivery',
  'removeDelivery',
  'changePrices',
  'importProducts',
  'deleteProduct',
  'shipOrder',
  'shipPurchase',
  'shipItems',
  'updateTracking',
  'removeShipment',
  'cancelPurchase',
  'refundPurchase',
  'completePaymentTask',
  'markMessage',
  'replyToMessage',
  'assignMessage',
  'hideReview',
  'showReview',
  'answerReview',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditSubjects = ['part', 'order', 'user', 'message', 'review'] as const
export type AuditSubject = (typeof auditSubjects)[number]

const values = z.record(z.string(), z.unknown())

export const auditEntry = z.object({
  _id: z.string(),
  at: z.string(),
  by: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  /** The client’s network; null for changes that were not made over the network. */
  network: z.string().nullable(),
  action: z.string(),
  subjectKind: z.enum(auditSubjects),
  subjectId: z.string(),
  /** What the subject was called then. */
  subject: z.string(),
  /** The values that changed; null for what did not exist. */
  before: values.nullable(),
  after: values.nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

/** `q` searches the subject and the admin. */
export const auditQuery = paging.extend({
  q: optionalText(100),
  subjectKind: z.enum(auditSubjects, `subjectKind must be one of ${auditSubjects.join(', ')}`).optional(),
  subjectId: optionalText(64),
  action: z.enum(auditActions, 'action must be the name of a call that changes something').optional(),
  sort: sortField(['added']),
})
export type AuditQuery = z.output<typeof auditQuery>
