import { z } from 'zod'
import {
  emailAddress,
  optionalText,
  paging,
  personName,
  phoneNumber,
  requiredText,
  searchText,
  sortField,
} from '#shop/fields.ts'

export const messageForm = z.object({
  name: personName,
  email: emailAddress('Email is required', 'Provide a valid email'),
  phone: phoneNumber('Phone is required'),
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
  q: searchText,
  status: z.enum(['new', 'answered'], 'status must be new or answered').optional(),
  /** The email address of an admin. */
  assignee: optionalText(254),
  sort: sortField(['added', 'name']),
})
export type MessageQuery = z.output<typeof messageQuery>

export const messageAnswered = z.object({ answered: z.boolean('answered must be true or false') })
