import { z } from 'zod'
import { optionalText, requiredText } from '#shop/fields.ts'

const webAddress = 'Please enter an address that starts with https://'

function isHttps(value: string) {
  const url = URL.canParse(value) ? new URL(value) : null
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

/** A picture from the web, or one of ours. */
function isPicture(value: string) {
  return isHttps(value) || /^\/images\/[\w.-]+$/.test(value)
}

export const profileForm = z.object({
  education: requiredText('Education is required'),
  address: requiredText('Address is required'),
  phoneNumber: requiredText('Phone Number is required', 30),
  photoURL: optionalText(500).refine((value) => !value || isPicture(value), webAddress),
  linkedIn: requiredText('LinkedIn is required').refine(isHttps, webAddress),
})
export type ProfileForm = z.output<typeof profileForm>

/** Empty until it is saved for the first time. */
export const profile = z.object({
  email: z.string(),
  education: z.string().nullable(),
  address: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  photoURL: z.string().nullable(),
  linkedIn: z.string().nullable(),
})
export type Profile = z.output<typeof profile>
