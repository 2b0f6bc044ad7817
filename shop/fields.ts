import { z } from 'zod'

/** Text that has to be there: trimmed, and at most `most` characters long. */
export function requiredText(message: string, most = 300) {
  return z.string(message).trim().min(1, message).max(most, `At most ${most} characters`)
}

/** Text that may be left out; what is empty counts as absent. */
export function optionalText(most = 300) {
  const text = z.string('Text only').trim().max(most, `At most ${most} characters`)
  return z
    .union([text, z.null()], 'Text only')
    .transform((value) => value || undefined)
    .optional()
}

/** A whole number as a JSON number or as digits typed into a field; never rounded, never guessed. */
export function wholeNumber(required: string): z.ZodType<number, number | string> {
  const number = z.number({ error: ({ input }) => (input === undefined ? required : 'Whole numbers only') })
  return z.preprocess(readNumber, number.int('Whole numbers only')) as z.ZodType<number, number | string>
}

function readNumber(value: unknown) {
  if (value === null) return undefined
  if (typeof value !== 'string') return value
  const digits = value.trim()
  if (digits === '') return undefined
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : digits
}

/** An email address as the HTML standard has it, trimmed and lower-case. */
export function emailAddress(required: string, wrong: string) {
  return z
    .string(required)
    .trim()
    .min(1, required)
    .max(254, wrong)
    .toLowerCase()
    .regex(z.regexes.html5Email, wrong)
}

/** What a person is called. */
export const personName = requiredText('Name is required', 80)

export function isHttps(value: string) {
  const url = URL.canParse(value) ? new URL(value) : null
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

export const webAddress = 'Please enter an address that starts with https://'

/** A picture of a person: one from the web, or one of ours. */
export const picture = z
  .string(webAddress)
  .max(500, 'At most 500 characters')
  .refine((value) => isHttps(value) || /^\/images\/[\w.-]+$/.test(value), webAddress)

/** How a list is cut into pages; without `limit` it is everything. */
export const paging = z.object({
  limit: z.coerce.number('limit is a number').int().min(1).max(1000).optional(),
  page: z.coerce.number('page is a number').int().min(1).max(1_000_000).default(1),
})
export type Paging = z.output<typeof paging>

/** A key to sort by, or its reverse. */
export type Sort<Key extends string> = Key | `-${Key}`

/** Each key upwards, and downwards with a `-` before it. */
export function sortsOf<const Key extends string>(keys: readonly Key[]) {
  return keys.flatMap((key): Sort<Key>[] => [key, `-${key}`])
}

/** What a list may be sorted by. It may be left out. */
export function sorting<const Key extends string>(keys: readonly Key[]) {
  const sorts = sortsOf(keys)
  return z.enum(sorts, `sort is one of ${sorts.join(', ')}`).optional()
}

/** One page of a longer list. */
export interface Page<Row> {
  rows: Row[]
  total: number
}
