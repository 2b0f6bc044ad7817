import { z } from 'zod'
import {
  httpsUrlMessage,
  isHttps,
  optionalText,
  phoneNumber,
  pictureUrl,
  requiredText,
} from '#shop/fields.ts'

export const profileForm = z.object({
  education: requiredText('Education is required'),
  address: requiredText('Address is required'),
  phoneNumber: phoneNumber('Phone Number is required'),
  photoURL: optionalText(500).pipe(pictureUrl.optional()),
  linkedIn: requiredText('LinkedIn is required').refine(isHttps, httpsUrlMessage),
})
export type ProfileForm = z.output<typeof profileForm>

/** The name is stored by the identity provider. */
export const nameForm = z.object({ displayName: requiredText('Display Name is required', 80) })
export type NameForm = z.output<typeof nameForm>

/** The fields of the form are null until the first save. */
export const profile = z.object({
  email: z.string(),
  emailConfirmedAt: z.string().nullable(),
  education: z.string().nullable(),
  address: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  photoURL: z.string().nullable(),
  linkedIn: z.string().nullable(),
})
export type Profile = z.output<typeof profile>
