import { z } from 'zod'
import { emailAddress } from '#shop/fields.ts'

export const invitationForm = z.object({ email: emailAddress('Email is required', 'Provide a valid email') })

/** One that can still be accepted. */
export const invitation = z.object({
  _id: z.string(),
  email: z.string(),
  /** The name of the admin. */
  by: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type Invitation = z.output<typeof invitation>

/** What the link shows before anybody has signed in. */
export const invitee = z.object({ email: z.string() })

/** `waiting` is for the confirmation of the account's email address. */
export const acceptance = z.object({ outcome: z.enum(['admin', 'waiting']) })
export type Acceptance = z.output<typeof acceptance>
