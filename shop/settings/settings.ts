import { z } from 'zod'
import { isCountry } from '#shop/addresses/countries.ts'
import { calendarDay } from '#shop/calendar-day.ts'
import { deliveryAndTax } from '#shop/charges/rates.ts'
import { emailAddress, optionalText, phoneNumber, requiredText } from '#shop/fields.ts'
import { type MailKind, mailKinds } from './mail-kinds.ts'

/** Stored as empty text when it is cleared. */
function clearable(max: number) {
  return optionalText(max).transform((text) => text ?? '')
}

function prefix() {
  return clearable(10)
    .refine((text) => /^[\p{L}\d/.-]*$/u.test(text), 'Leave out spaces and symbols other than . / -')
    .refine((text) => !/\d$/.test(text), 'The last character can’t be a digit, because the number follows it')
}

const email = emailAddress('Email address is required', 'Enter one email address')

/** Empty for the address that gets everything else. */
const recipient = z.union([z.literal(''), email])

const company = z.object({
  name: requiredText('Name is required', 80),
  address: requiredText('Address is required', 200),
  /** Of ISO 3166-1: that of addresses which name none. */
  country: z.string('Country is required').refine(isCountry, 'Choose a country'),
  phone: phoneNumber('Phone number is required'),
  email,
})

const tax = z.object({
  /** Such as `VAT ID: XX123456789`, one on each line; printed on invoices and credit notes. */
  ids: clearable(200),
})

const bank = z.object({
  /** Printed on invoices. */
  details: clearable(500),
})

/** Instead of the texts that the shop comes with; empty for those. */
const texts = z.object({ terms: clearable(15_000), returns: clearable(15_000), privacy: clearable(15_000) })

/** From Monday, 1, to Sunday, 7. */
const weekday = z.int('weekend must have numbers from 1 to 7').min(1).max(7)

const dispatch = z.object({
  workingDays: z.coerce
    .number('Enter a number of days')
    .int('Whole numbers only')
    .min(0, 'At least 0')
    .max(60, 'At most 60'),
  /** What is paid from this hour on counts as paid on the next working day. */
  cutOffHour: z.coerce
    .number('Enter an hour from 0 to 23')
    .int('Whole hours only')
    .min(0, 'Enter an hour from 0 to 23')
    .max(23, 'Enter an hour from 0 to 23'),
  weekend: z
    .array(weekday)
    .transform((days) => [...new Set(days)].sort())
    .refine((days) => days.length < 7, 'Leave at least one working day'),
  holidays: z
    .array(calendarDay('Enter a date'))
    .max(200, 'At most 200 holidays')
    .transform((days) => [...new Set(days)].sort()),
})
export type Dispatch = z.output<typeof dispatch>

/** What happens when customers cancel items that they have paid and that have not shipped. */
export const cancelRules = ['at once', 'on request'] as const

const changes = z.object({ cancelPaid: z.enum(cancelRules, 'Choose what happens') })

const numbers = z.object({ order: prefix(), invoice: prefix(), creditNote: prefix() })

/** Order numbers up to `until` have this prefix, whatever it is now. */
const formerPrefix = z.object({ prefix: z.string(), until: z.int() })

const mailText = z.object({ above: clearable(500), below: clearable(500) })

export type MailText = z.output<typeof mailText>

/** What is in the form, saved or not. */
export const mailPreviewRequest = mailText.extend({
  kind: z.enum(Object.keys(mailKinds) as [MailKind, ...MailKind[]], 'Choose an email'),
  senderName: clearable(80),
})
export type MailPreviewRequest = z.output<typeof mailPreviewRequest>

export const mailPreview = z.object({ subject: z.string(), text: z.string(), html: z.string() })
export type MailPreview = z.output<typeof mailPreview>

const mails = z.object({
  /** Empty for the company’s name. */
  senderName: clearable(80),
  ...(Object.fromEntries(Object.keys(mailKinds).map((kind) => [kind, mailText])) as Record<
    keyof typeof mailKinds,
    typeof mailText
  >),
})

const notifications = z.object({
  paidOrders: recipient,
  messages: recipient,
  disputes: recipient,
  failedRefunds: recipient,
})

/** What an admin can set, by section. */
const sections = {
  company,
  deliveryAndTax,
  tax,
  bank,
  texts,
  dispatch,
  changes,
  numbers,
  mails,
  notifications,
}
export type Section = keyof typeof sections

export const sectionNames = Object.keys(sections) as [Section, ...Section[]]

export const sectionLabels: Record<Section, string> = {
  company: 'Company',
  deliveryAndTax: 'Delivery and tax',
  tax: 'Tax IDs',
  bank: 'Bank details',
  texts: 'Terms and other texts',
  dispatch: 'Dispatch',
  changes: 'Cancelled orders',
  numbers: 'Numbers',
  mails: 'Emails',
  notifications: 'Notifications',
}

/** As the shop reads them. */
const all = z.object({
  ...sections,
  numbers: numbers.extend({ former: z.array(formerPrefix) }),
})
export type ShopSettings = z.output<typeof all>

/** `version` is 0 for a section that was never saved. */
function stored<Value extends z.ZodType>(value: Value) {
  return z.object({
    value,
    version: z.int(),
    changedAt: z.string().nullable(),
    changedBy: z.string().nullable(),
  })
}

export const storedSettings = z.object({
  company: stored(company),
  deliveryAndTax: stored(deliveryAndTax),
  tax: stored(tax),
  bank: stored(bank),
  texts: stored(texts),
  dispatch: stored(dispatch),
  changes: stored(changes),
  numbers: stored(numbers),
  mails: stored(mails),
  notifications: stored(notifications),
})
export type StoredSettings = z.output<typeof storedSettings>

const version = z.int('version is required')

/** One section with all of its fields, and the version that was read. */
export const settingsChange = z.discriminatedUnion(
  'section',
  [
    company.extend({ section: z.literal('company'), version }),
    deliveryAndTax.safeExtend({ section: z.literal('deliveryAndTax'), version }),
    tax.extend({ section: z.literal('tax'), version }),
    bank.extend({ section: z.literal('bank'), version }),
    texts.extend({ section: z.literal('texts'), version }),
    dispatch.extend({ section: z.literal('dispatch'), version }),
    changes.extend({ section: z.literal('changes'), version }),
    numbers.extend({ section: z.literal('numbers'), version }),
    mails.extend({ section: z.literal('mails'), version }),
    notifications.extend({ section: z.literal('notifications'), version }),
  ],
  `section must be one of ${Object.keys(sections).join(', ')}`,
)
export type SettingsChange = z.output<typeof settingsChange>
