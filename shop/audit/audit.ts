import { z } from 'zod'
import { optionalText, paging, searchText, sortField } from '#shop/fields.ts'

/** By the call that made the change, or took data out of the shop. */
export const auditActions = {
  makeAdmin: 'Made admin',
  removeAdmin: 'Removed admin',
  addPart: 'Added part',
  updatePart: 'Changed part',
  restockPart: 'Received stock',
  restockParts: 'Received stock',
  addDelivery: 'Added expected delivery',
  receiveDelivery: 'Received delivery',
  removeDelivery: 'Removed expected delivery',
  changePrices: 'Changed price',
  importProducts: 'Imported part',
  deleteProduct: 'Deleted part',
  replacePart: 'Set replacement',
  removeReplacement: 'Removed replacement',
  addAttribute: 'Added attribute',
  updateAttribute: 'Changed attribute',
  moveAttribute: 'Moved attribute',
  deleteAttribute: 'Deleted attribute',
  updateSpecifications: 'Changed specifications',
  importPartData: 'Imported part data',
  saveInterface: 'Saved interface',
  removeInterface: 'Removed interface',
  uploadModel: 'Uploaded model',
  deleteModel: 'Deleted model',
  addPartDocument: 'Added document',
  deletePartDocument: 'Deleted document',
  addDrawing: 'Added drawing',
  updateDrawing: 'Changed drawing',
  deleteDrawing: 'Deleted drawing',
  shipOrder: 'Shipped items',
  shipPurchase: 'Shipped item',
  shipOrders: 'Shipped items',
  updateTracking: 'Changed tracking',
  saveTracking: 'Changed tracking',
  removeShipment: 'Took shipment back',
  undoShipments: 'Took shipment back',
  cancelPurchase: 'Cancelled item',
  cancelOrder: 'Cancelled order',
  addQuote: 'Added quote',
  updateQuote: 'Changed quote',
  sendQuote: 'Sent quote',
  withdrawQuote: 'Withdrew quote',
  decideCancellation: 'Answered cancellation',
  changeDelivery: 'Changed delivery address',
  refundPurchase: 'Refunded item',
  refundOrder: 'Refunded items',
  completePaymentTask: 'Completed payment task',
  markMessage: 'Marked message',
  replyToMessage: 'Replied to message',
  writeAboutOrder: 'Wrote to customer',
  assignMessage: 'Assigned message',
  addCustomerNote: 'Added note',
  updateCustomerNote: 'Changed note',
  deleteCustomerNote: 'Deleted note',
  tagCustomer: 'Added tag',
  untagCustomer: 'Removed tag',
  decideTaxStatus: 'Checked tax details',
  linkCustomers: 'Linked account',
  unlinkCustomers: 'Unlinked account',
  inviteAdmin: 'Invited admin',
  withdrawInvitation: 'Withdrew invitation',
  acceptInvitation: 'Accepted invitation',
  addSynonym: 'Added synonym',
  updateSynonym: 'Changed synonym',
  deleteSynonym: 'Deleted synonym',
  hideReview: 'Hid review',
  showReview: 'Showed review again',
  answerReview: 'Answered review',
  updateSettings: 'Changed settings',
  exportOrders: 'Exported orders',
  exportSelectedOrders: 'Exported selected orders',
  exportProducts: 'Exported products',
  exportPartData: 'Exported part data',
  exportSelectedProducts: 'Exported selected products',
  exportMessages: 'Exported messages',
  exportAuditLog: 'Exported the audit log',
  exportPayments: 'Exported payments',
  exportUsers: 'Exported users',
} as const
export type AuditAction = keyof typeof auditActions

/** Of calls that there are no more. */
const formerActions: Record<string, string> = { shipItems: 'Shipped items' }

export function describeAction(action: string): string {
  return auditActions[action as AuditAction] ?? formerActions[action] ?? action
}

const auditSubjects = [
  'part',
  'attribute',
  'order',
  'user',
  'message',
  'review',
  'invitation',
  'export',
  'quote',
  'drawing',
  'settings',
  'search',
] as const
export type AuditSubject = (typeof auditSubjects)[number]

/** By field. Not `z.record`, which every page with a form would load. */
const values = z.object({}).catchall(z.unknown())

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

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

/** Those that people read as the same change. */
export function sameActions(action: AuditAction): AuditAction[] {
  return actions.filter((other) => auditActions[other] === auditActions[action])
}

/** `q` searches the subject and the admin. */
export const auditQuery = paging.extend({
  q: searchText,
  subjectKind: z.enum(auditSubjects, `subjectKind must be one of ${auditSubjects.join(', ')}`).optional(),
  subjectId: optionalText(64),
  action: z.enum(actions, 'action must be the name of a call that changes something').optional(),
  sort: sortField(['added']),
})
export type AuditQuery = z.output<typeof auditQuery>
