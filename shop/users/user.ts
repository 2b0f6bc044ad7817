import { z } from 'zod'
import { emailAddress, optionalText, paging, personName, sorting } from '#shop/fields.ts'

export const user = z.object({ _id: z.string(), email: z.string(), role: z.enum(['admin', 'customer']) })
export type User = z.output<typeof user>

/** Who is making a call. */
export interface Member extends User {
  name: string
  photoURL: string | null
}

/** `q` finds in name and email. */
export const userQuery = paging.extend({
  q: optionalText(100),
  role: z.enum(['admin', 'customer'], 'role is admin or customer').optional(),
  sort: sorting(['added', 'email', 'role']),
})
export type UserQuery = z.output<typeof userQuery>

const email = emailAddress('Email is required', 'Provide a valid email')
const password = 'Must be 6 characters or longer'
const newPassword = 'Password required Minimum 6 characters...'

export const loginForm = z.object({
  email,
  password: z.string().min(1, 'Password is required').min(6, password).max(128, 'At most 128 characters'),
})

const chosenPassword = {
  password: z.string().min(1, 'Password is required').min(6, newPassword).max(128, 'At most 128 characters'),
  confirmPassword: z.string().min(1, 'Confirm Password is required'),
}

const matching = {
  path: ['confirmPassword'],
  message: 'Your Password did not matched!',
  when: () => true,
}

function isConfirmed({ password, confirmPassword }: { password: string; confirmPassword: string }) {
  return password === confirmPassword || confirmPassword === ''
}

export const registrationForm = z
  .object({
    name: personName,
    email: emailAddress('Email is required', 'Please provide a valid email...'),
    ...chosenPassword,
  })
  .refine(isConfirmed, matching)

export const newPasswordForm = z.object(chosenPassword).refine(isConfirmed, matching)

/** How two addresses are compared. */
export function sameEmail(a: string, b: string) {
  return normalEmail(a) === normalEmail(b)
}

export function normalEmail(email: string) {
  return email.trim().toLowerCase()
}
