import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { message } from './message.ts'

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

export const replyForm = z.object({
  text: requiredText('Reply is required', 5_000),
  /** How many replies were read: after another one, this one is not sent. */
  seen: z.int('Must be a number of replies').min(0).optional(),
})
export type ReplyForm = z.output<typeof replyForm>

/** The email address of an admin; null for nobody. */
export const assignment = z.object({
  assignee: z.string('Choose an admin').max(254, 'Choose an admin').nullable(),
})
