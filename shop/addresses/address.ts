import { z } from 'zod'
import { optionalName, phoneNumber, requiredText } from '#shop/fields.ts'
import {
  completeDestination,
  destinationFields,
  destinationForm,
  findDestinationProblems,
  listDestination,
  type StoredDestination,
} from './destination.ts'

/** Per user. */
export const maxAddresses = 20

const fields = z.object({
  /** The account's name if absent. */
  recipient: optionalName(80),
  company: optionalName(120),
  ...destinationForm,
  /** The street, or all of it. */
  address: requiredText('Address is required'),
  phoneNumber: phoneNumber('Phone Number is required').refine(
    (phone) => phone.replace(/[\s+()./-]/g, '').length <= 11,
    'Phone Number must be 11 digit.',
  ),
})

export type AddressForm = z.output<typeof fields>

/** Without a country, postcode and region are checked where the shop's country is known. */
export const addressForm = fields
  .refine((form) => findProblem(form, 'postcode') === undefined, findRefusal('postcode'))
  .refine((form) => findProblem(form, 'region') === undefined, findRefusal('region'))
  .overwrite((form) => (form.country ? { ...form, ...formatDestination(form, form.country) } : form))

type Checked = 'postcode' | 'region'

function findProblem(form: Partial<AddressForm>, field: Checked) {
  return form.country ? findDestinationProblems(form, form.country)[field] : undefined
}

function findRefusal(field: Checked) {
  return {
    path: [field],
    error: ({ input }: { input?: unknown }) => findProblem(input as Partial<AddressForm>, field),
    // Also while other fields are wrong.
    when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
  }
}

function formatDestination(form: AddressForm, country: string) {
  const { region, postcode, town } = completeDestination(form, country)
  return { region: region ?? undefined, postcode: postcode ?? undefined, town: town ?? undefined }
}

/** As in a form: empty text for what is not entered. */
export interface Delivery {
  /** Empty for the account's name. */
  recipient: string
  company: string
  country: string
  address: string
  postcode: string
  town: string
  region: string
  phoneNumber: string
}

/** A saved address, or the one of an order. */
export type StoredDelivery = Pick<Delivery, 'recipient' | 'company' | 'address' | 'phoneNumber'> &
  Partial<StoredDestination>

/** Where an order goes, without the rest of it. */
export function pickDelivery(order: Required<StoredDelivery>): Required<StoredDelivery> {
  const { recipient, company, country, region, postcode, town, address, phoneNumber } = order
  return { recipient, company, country, region, postcode, town, address, phoneNumber }
}

/** To be saved if `asked`, or if the user has none, when there are fewer than `max`. */
export interface OrderAddress extends StoredDelivery {
  asked: boolean
  max: number
}

export const savedAddress = z.object({
  _id: z.string(),
  /** Empty for the account's name. */
  recipient: z.string(),
  company: z.string(),
  ...destinationFields,
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

/** The street, then postcode and town in the order of the country, which is named if it is not `home`. */
export function listAddress(
  delivery: Omit<StoredDelivery, 'recipient' | 'company' | 'phoneNumber'>,
  home: string | null,
) {
  return [...splitAddress(delivery.address), ...listDestination(delivery, home)]
}

/** On one line, without the phone number: `Spoke & Sons, 4 Canal Street, 28195 Bremen`. */
export function describeAddress(delivery: Omit<StoredDelivery, 'phoneNumber'>, home: string | null) {
  return [delivery.recipient, delivery.company, ...listAddress(delivery, home)].filter(Boolean).join(', ')
}

/** As in a form. What names no country is in the shop's, `home`. */
export function toDeliveryInput(stored: StoredDelivery, home: string): Delivery {
  const { recipient, company, country, address, postcode, town, region, phoneNumber } = stored
  return {
    recipient,
    company,
    country: country || home,
    address,
    postcode: postcode ?? '',
    town: town ?? '',
    region: region ?? '',
    phoneNumber,
  }
}

/** Apart from spaces around the texts. */
export function isSameDelivery(a: Delivery, b: Delivery) {
  return deliveryFields.every((field) => a[field].trim() === b[field].trim())
}

export const deliveryFields = [
  'recipient',
  'company',
  'country',
  'address',
  'postcode',
  'town',
  'region',
  'phoneNumber',
] as const
