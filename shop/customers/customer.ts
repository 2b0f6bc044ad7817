import { z } from 'zod'
import { savedAddress } from '#shop/addresses/address.ts'
import { customerTaxStatus } from '#shop/charges/tax-status.ts'
import { requiredText } from '#shop/fields.ts'
import { message } from '#shop/messages/message.ts'
import { user } from '#shop/users/user.ts'

export const note = z.object({
  _id: z.string(),
  text: z.string(),
  by: z.object({ name: z.string(), email: z.string() }),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
})
export type Note = z.output<typeof note>

export const linkReasons = ['linked', 'same phone number', 'same name and address'] as const

/** Another account, perhaps of the same person. */
export const customerLink = user.pick({ _id: true, email: true, name: true }).extend({
  reason: z.enum(linkReasons),
})
export type CustomerLink = z.output<typeof customerLink>

/** An invoice or a credit note. */
export const customerFile = z.object({
  _id: z.string(),
  kind: z.enum(['invoice', 'credit note']),
  number: z.string(),
  issuedAt: z.string(),
  /** The id of the order, and that of the document in it. */
  orderId: z.string(),
  document: z.string(),
})
export type CustomerFile = z.output<typeof customerFile>

/** An account as admins see it. Amounts are in dollars. */
export const customer = user.extend({
  createdAt: z.string(),
  phoneNumber: z.string().nullable(),
  orders: z.int(),
  firstOrderAt: z.string().nullable(),
  lastOrderAt: z.string().nullable(),
  /** Paid, without what was refunded or withdrawn by a bank. */
  paid: z.number(),
  refunded: z.number(),
  addresses: z.array(savedAddress),
  tags: z.array(z.string()),
  /** Newest first, at most 100. */
  notes: z.array(note),
  links: z.array(customerLink),
  /** The latest 10, and how many there are. */
  messages: z.array(message),
  messageCount: z.int(),
  /** The latest 20, and how many there are. */
  files: z.array(customerFile),
  fileCount: z.int(),
  taxStatus: customerTaxStatus,
})
export type Customer = z.output<typeof customer>

export const noteForm = z.object({ text: requiredText('Note is required', 2_000) })
export type NoteForm = z.output<typeof noteForm>

export const tagForm = z.object({
  tag: requiredText('Tag is required', 40).overwrite((tag) => tag.replace(/\s+/g, ' ')),
})

/** An account by its email address or its id. */
export const linkForm = z.object({ other: requiredText('Email is required', 254) })
