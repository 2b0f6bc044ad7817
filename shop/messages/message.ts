import { z } from 'zod'
import { emailAddress, optionalText, paging, personName, requiredText, sortField } from '#shop/fields.ts'

export const messageForm = z.object({
  name: personName,
  email: emailAddress('Email is required', 'Provide a valid email'),
  phone: requiredText('Phone is required', 30),
  message: requiredText('Message is required', 5_000),
})
export type MessageForm = z.output<typeof messageForm>

export const message = messageForm.extend({
  _id: z.string(),
  createdAt: z.string(),
  /** When an admin answered it or marked it as answered; null while it is new. */
  answeredAt: z.string().nullable(),
  /** The admin who answers it. */
  assignee: z.object({ email: z.string(), name: z.string() }).nullable(),
})
export type Message = z.output<typeof message>

/** `q` searches word prefixes in all fields except the phone number. */
export const messageQuery = paging.extend({
  q: optionalText(100),
  status: z.enum(['new', 'answered'], 'status must be new or answered').optional(),
  /** The email address of an admin. */
  assignee: optionalText(254),
  sort: sortField(['added', 'name']),
})
export type MessageQuery = z.output<typeof messageQuery>

const reply = z.object({
  _id: z.string(),
  createdAt: z.string(),
  /** The name of the admin. */
  by: z.string(),
  text: z.string(),
})
export type Reply = z.output<typeof reply>

export const conversation = message.extend({
  /** Oldest first. */
  replies: z.array(reply),
  /** Whether the address belongs to an account. */
  isCustomer: z.boolean(),
})
export type Conversation = z.output<typeof conversation>

export const replyForm = z.object({ text: requiredText('Reply is required', 5_000) })
export type ReplyForm = z.output<typeof replyForm>

/** The email address of an admin; null for nobody. */
export const assignment = z.object({
  assignee: z.string('Choose an admin').max(254, 'Choose an admin').nullable(),
})

export const messageAnswered = z.object({ answered: z.boolean('answered must be true or false') })
