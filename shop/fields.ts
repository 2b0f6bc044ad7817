import { z } from 'zod'
import { formatDollars, shortCurrencyName, toCents, toDollars } from '#shop/money.ts'
import { maxSearchLength } from './search/length.ts'

/**
 * Well-formed Unicode, which Postgres needs. Without control characters other than tabs and line ends, without those that change the direction of the text around them, and
 * with at most 8 marks on a letter: normalising takes time that grows with their square.
 */
function plainText(message: string) {
  return z
    .string(message)
    .overwrite((text) =>
      text
        .toWellFormed()
        .replace(/(?![\t\r\n])[\p{Bidi_Control}\p{Cc}]/gu, '')
        .replace(/(\p{M}{8})\p{M}+/gu, '$1'),
    )
    .trim()
}

/** Letters of some scripts that show nothing. */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}\p{M}\u{2800}\u{fffc}\u{13441}\u{13442}\u{1d159}]/gu

/** Aborts: Zod would go on with the checks after it, which take time over long text. */
const tooLong = (max: number, error = `At most ${max} characters`) => ({ error, abort: true })

export function requiredText(message: string, max = 300) {
  return plainText(message)
    .min(1, message)
    .max(max, tooLong(max))
    .refine((text) => text === '' || isVisible(text), message)
}

function isVisible(text: string) {
  return text.replace(invisible, '') !== ''
}

/** Empty text counts as absent. */
export function optionalText(max = 300) {
  // Not aborting: the union would call a text that is too long no text.
  const text = plainText('Text only').max(max, `At most ${max} characters`)
  return z
    .union([text, z.null()], 'Must be text')
    .transform((value) => value || undefined)
    .optional()
}

/** What a list is searched for. */
export const searchText = optionalText(maxSearchLength)

/** On one line. Text that shows nothing counts as absent. */
export function optionalName(max: number) {
  return optionalText(max)
    .transform((name) => (name && isVisible(name) ? name.replace(/\s+/g, ' ') : undefined))
    .optional()
}

export const maxInteger = 2_147_483_647

/** Accepts a JSON number or a string of digits; never rounds. */
export function wholeNumber(required: string | (() => string)): z.ZodType<number, number | string> {
  const explain = typeof required === 'string' ? () => required : required
  const number = z.number({ error: ({ input }) => (input === undefined ? explain() : 'Whole numbers only') })
  return z.preprocess(
    (value) => readNumber(value, /^-?\d{1,15}$/),
    number
      .int('Whole numbers only')
      .max(maxInteger, 'This number is too large')
      .min(-maxInteger, 'This number is too small'),
  ) as z.ZodType<number, number | string>
}

function describeAmount() {
  return `Enter an amount in ${shortCurrencyName()}, such as 12.50`
}

/** Accepts a JSON number or a string; never rounds. */
export function dollarAmount(required: string): z.ZodType<number, number | string> {
  return z.preprocess(
    (value) => readNumber(value, /^-?\d{1,10}(\.\d{1,2})?$/),
    z
      .number({ error: ({ input }) => (input === undefined ? required : describeAmount()) })
      .positive({ error: () => `Amount must be more than ${formatDollars(0)}` })
      .max(maxInteger / 100, 'This number is too large')
      .refine((amount) => toDollars(toCents(amount)) === amount, { error: describeAmount }),
  ) as z.ZodType<number, number | string>
}

function readNumber(value: unknown, pattern: RegExp) {
  if (value === null) return undefined
  if (typeof value !== 'string') return value
  const digits = value.trim()
  if (digits === '') return undefined
  return pattern.test(digits) ? Number(digits) : digits
}

const maxEmailLength = 254

/**
 * What the HTML standard and the sign-in provider both accept, trimmed and in lower case. An international domain is as browsers send
 * it that convert what is typed: one address is one account in all of them.
 */
export function emailAddress(required: string, invalid: string) {
  return z
    .string(required)
    .trim()
    .min(1, required)
    .max(maxEmailLength, tooLong(maxEmailLength, invalid))
    .overwrite(toAsciiDomain)
    .toLowerCase()
    .refine((email) => explainEmail(email, invalid) === null, {
      error: ({ input }) => explainEmail(`${input}`, invalid) ?? invalid,
    })
}

function toAsciiDomain(email: string) {
  const at = email.lastIndexOf('@') + 1
  const url = `http://${email.slice(at)}`
  const isInternational = /^[^\s/?#:@\\%[\]]+$/.test(email.slice(at)) && /[^\p{ASCII}]/u.test(email.slice(at))
  return at > 0 && isInternational && URL.canParse(url) ? email.slice(0, at) + new URL(url).hostname : email
}

/** Null for a valid address. */
function explainEmail(email: string, invalid: string) {
  const name = email.slice(0, email.lastIndexOf('@'))
  if (/[^\p{ASCII}]/u.test(name)) return 'Before the @, use characters without accents, such as a to z'
  if (!z.regexes.html5Email.test(email)) return invalid
  if (z.regexes.email.test(email)) return null
  if (/[^\w.'+-]/.test(name)) return 'Before the @, use only a to z, 0 to 9 and . _ + -'
  return 'Enter an email like ada@example.com'
}

/** Of any country; it has a digit at least. */
export function phoneNumber(required: string) {
  return requiredText(required, 30).refine(
    (phone) => phone === '' || /\p{Nd}/u.test(phone),
    'Enter a phone number with digits, such as +1 555 0100',
  )
}

export const personName = requiredText('Name is required', 80).overwrite((name) => name.replace(/\s+/g, ' '))

/** Image hosts redirect to signed addresses, which are long. */
const maxUrlLength = 4_000

export function isHttps(value: string) {
  if (value.length > maxUrlLength) return false
  // `new URL` also accepts `https:evil`.
  const url = /^https:\/\/[^\s/\\][^\s\\]*$/i.test(value) && URL.canParse(value) ? new URL(value) : null
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

export const httpsUrlMessage = 'Enter a link that starts with https://'

/** The URL of a user's picture, on the web or kept by the shop. */
export const pictureUrl = z
  .string(httpsUrlMessage)
  .max(500, tooLong(500))
  .refine((value) => isHttps(value) || isPicturePath(value), httpsUrlMessage)

export function isPicturePath(value: string) {
  return /^\/images\/\w[\w-]*\.(webp|jpe?g|png|avif)$/.test(value)
}

export const paging = z.object({
  limit: z.coerce.number('limit must be a number').int().min(1).max(1000).optional(),
  page: z.coerce.number('page must be a number').int().min(1).max(1_000_000).default(1),
})
export type Paging = z.output<typeof paging>

export const publicPaging = paging.extend({
  limit: z.coerce.number('limit must be a number').int().min(1).max(100).optional(),
})

export type Sort<Key extends string> = Key | `-${Key}`

/** Each key ascending and, with a `-` prefix, descending. */
export function sortOptions<const Key extends string>(keys: readonly Key[]) {
  return keys.flatMap((key): Sort<Key>[] => [key, `-${key}`])
}

export function sortField<const Key extends string>(keys: readonly Key[]) {
  const sorts = sortOptions(keys)
  return z.enum(sorts, `sort must be one of ${sorts.join(', ')}`).optional()
}

export interface Page<Row> {
  rows: Row[]
  total: number
}

/** A list of any length, of which only one batch of rows is in memory. */
export interface RowStream<Row> {
  batches: AsyncIterable<Row[]>
  total: number
}

/** A file of any length, of which only one chunk is in memory. */
export interface FileStream {
  name: string
  type: string
  chunks: AsyncIterable<string | Uint8Array<ArrayBuffer>>
}
