import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { message } from './message.ts'

const reply = z.object({
  _id: z.string(),
  createdAt: z.string(),
  /** The name of the admin or the customer. */
  by: z.string(),
  fromCustomer: z.boolean(),
  text: z.string(),
})
export type Reply = z.output<typeof reply>

const item = z.object({ _id: z.string(), parts: z.string(), quantity: z.int() })

export const conversation = message.extend({
  /** Oldest first. */
  replies: z.array(reply),
  /** Which items of the order it is about; none for all of it. */
  items: z.array(item),
  /** The account that wrote it, or the one with its address. */
  customerId: z.string().nullable(),
})
export type Conversation = z.output<typeof conversation>

/** As its customer reads it: the names of admins are that of the shop. */
export const myConversation = conversation
  .pick({
    _id: true,
    createdAt: true,
    latestAt: true,
    answeredAt: true,
    name: true,
    email: true,
    message: true,
    startedBy: true,
    order: true,
    items: true,
    replies: true,
  })
  /** Whether the shop wrote something that its customer has not seen. */
  .extend({ unread: z.boolean() })
export type MyConversation = z.output<typeof myConversation>

export const myMessage = myConversation.omit({ items: true, replies: true })
export type MyMessage = z.output<typeof myMessage>

export const myMessageList = z.object({
  rows: z.array(myMessage),
  total: z.int(),
  /** How many conversations are unread, on all pages. */
  unread: z.int(),
})
export type MyMessageList = z.output<typeof myMessageList>

/** How many replies were shown: while there is a newer one, the conversation stays unread. */
export const seenReplies = z.object({ replies: z.int('Must be a number of replies').min(0) })

export const replyForm = z.object({
  text: requiredText('Reply is required', 5_000),
  /** How many replies were read: after another one, this one is not sent. */
  seen: z.int('Must be a number of replies').min(0).optional(),
})
export type ReplyForm = z.output<typeof replyForm>

/** Of a customer, who may always write. */
export const myReplyForm = replyForm.omit({ seen: true })
export type MyReplyForm = z.output<typeof myReplyForm>

/** The email address of an admin; null for nobody. */
export const assignment = z.object({
  assignee: z.string('Choose an admin').max(254, 'Choose an admin').nullable(),
})
