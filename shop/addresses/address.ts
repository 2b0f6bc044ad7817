import { z } from 'zod'
import { optionalName, phoneNumber, requiredText } from '#shop/fields.ts'

/** Per user. */
export const maxAddresses = 20

export const addressForm = z.object({
  /** The account's name if absent. */
  recipient: optionalName(80),
  company: optionalName(120),
  address: requiredText('Address is required'),
  phoneNumber: phoneNumber('Phone Number is required').refine(
    (phone) => phone.replace(/[\s+()./-]/g, '').length <= 11,
    'Phone Number must be 11 digit.',
  ),
})
export type AddressForm = z.output<typeof addressForm>

/** As in a form: empty text for what is not entered. */
export interface Delivery {
  /** Empty for the account's name. */
  recipient: string
  company: string
  address: string
  phoneNumber: string
}

/** To be saved if `asked`, or if the user has none, when there are fewer than `max`. */
export interface OrderAddress extends Delivery {
  asked: boolean
  max: number
}

export const savedAddress = z.object({
  _id: z.string(),
  /** Empty for the account's name. */
  recipient: z.string(),
  company: z.string(),
  address: z.string(),
  phoneNumber: z.string(),
  isDefault: z.boolean(),
})
export type SavedAddress = z.output<typeof savedAddress>

/** Its lines, without those that are blank. */
export function splitAddress(address: string): string[] {
  return address
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** On one line, without the phone number: `Spoke & Sons, 4 Canal Street, Bremen`. */
export function describeAddress({ recipient, company, address }: Omit<Delivery, 'phoneNumber'>) {
  return [recipient, company, ...splitAddress(address)].filter(Boolean).join(', ')
}

/** Apart from spaces around the texts. */
export function isSameDelivery(a: Delivery, b: Delivery) {
  return deliveryFields.every((field) => a[field].trim() === b[field].trim())
}

const deliveryFields = ['recipient', 'company', 'address', 'phoneNumber'] as const
