import { z } from 'zod'
import {
  emailAddress,
  optionalText,
  paging,
  personName,
  phoneNumber,
  publicPaging,
  requiredText,
  searchText,
  sortField,
} from '#shop/fields.ts'

const messageText = requiredText('Message is required', 5_000)

export const messageForm = z.object({
  name: personName,
  email: emailAddress('Email is required', 'Provide a valid email'),
  phone: phoneNumber('Phone is required'),
  message: messageText,
})
export type MessageForm = z.output<typeof messageForm>

/** About an order, by its customer or, to the customer, by an admin. */
export const orderQuestion = z.object({
  message: messageText,
  /** Ids of items of the order; none for all of it. */
  items: z
    .array(requiredText('Item is required', 64), 'Must be a list of items')
    .max(100, 'At most 100 items')
    .default([]),
})
export type OrderQuestion = z.output<typeof orderQuestion>

export const message = messageForm.extend({
  _id: z.string(),
  /** An order may have any. */
  phone: z.string(),
  createdAt: z.string(),
  /** When it or the latest reply was written. */
  latestAt: z.string(),
  /** When an admin answered it or marked it as answered; null while it is new. */
  answeredAt: z.string().nullable(),
  /** The admin who answers it. */
  assignee: z.object({ email: z.string(), name: z.string() }).nullable(),
  /** The name of the admin who wrote it to the customer; null when the customer did. */
  startedBy: z.string().nullable(),
  /** What it is about. */
  order: z.object({ _id: z.string(), number: z.string() }).nullable(),
})
export type Message = z.output<typeof message>

/** `q` searches word prefixes in all fields except the phone number. */
export const messageQuery = paging.extend({
  q: searchText,
  status: z.enum(['new', 'answered'], 'status must be new or answered').optional(),
  /** The email address of an admin. */
  assignee: optionalText(254),
  sort: sortField(['latest', 'added', 'name']),
})
export type MessageQuery = z.output<typeof messageQuery>

export const myMessageQuery = publicPaging

export const messageAnswered = z.object({ answered: z.boolean('answered must be true or false') })
