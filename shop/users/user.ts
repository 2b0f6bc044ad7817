import { z } from 'zod'
import { emailAddress, optionalText, paging, personName, searchText, sortField } from '#shop/fields.ts'

export const user = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['admin', 'customer']),
  /** Null until the email is confirmed. */
  emailConfirmedAt: z.string().nullable(),
})
export type User = z.output<typeof user>

/** With what admins have tagged a customer with. */
export const listedUser = user.extend({ tags: z.array(z.string()) })
export type ListedUser = z.output<typeof listedUser>

export interface Member extends User {
  photoURL: string | null
  /** Ends all access tokens when it changes. */
  tokenVersion: number
  /** Changes with all that orders are composed from. */
  version: number
  /** As in shop/charges/tax-status.ts; null for customers without a VAT ID or an exemption. */
  taxStatus: object | null
  /** Null without a saved delivery address. */
  defaultAddressId: string | null
  /** Where the request comes from. */
  network?: string
  /** Was read up to a minute ago. */
  isRecalled?: boolean
}

export const confirmationToken = z.object({ token: z.string('The token is required').max(100) })

export const userQuery = paging.extend({
  q: searchText,
  role: z.enum(['admin', 'customer'], 'role must be admin or customer').optional(),
  tag: optionalText(40),
  /** Those whose VAT ID or exemption nobody has checked. */
  tax: z.enum(['to check'], 'tax must be to check').optional(),
  sort: sortField(['added', 'email', 'role']),
})
export type UserQuery = z.output<typeof userQuery>

const email = emailAddress('Email is required', 'Provide a valid email')
const passwordMessage = 'Must be 6 characters or longer'
const newPasswordMessage = 'Password required Minimum 6 characters...'

export const loginForm = z.object({
  email,
  password: z
    .string()
    .min(1, 'Password is required')
    .min(6, passwordMessage)
    .max(128, 'At most 128 characters'),
})

const passwordFields = {
  password: z
    .string()
    .min(1, 'Password is required')
    .min(6, newPasswordMessage)
    .max(128, 'At most 128 characters'),
  confirmPassword: z.string().min(1, 'Confirm Password is required'),
}

const mismatch = {
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
    ...passwordFields,
  })
  .refine(isConfirmed, mismatch)

export const newPasswordForm = z.object(passwordFields).refine(isConfirmed, mismatch)

export function sameEmail(a: string, b: string) {
  return normalizeEmail(a) === normalizeEmail(b)
}

export function normalizeEmail(email: string) {
  return email.trim().toLowerCase()
}
