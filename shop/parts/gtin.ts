import { z } from 'zod'

const gtinMessage = 'Enter a GTIN of 8, 12, 13 or 14 digits, such as 4006381333931'
const checkDigitMessage = 'The last digit doesn’t match the others. Check the number for typos.'

/** Of what is looked into. */
const maxLength = 40

/** Empty or null for an unknown one. */
export const gtinField = z
  .preprocess(
    (value) => (typeof value === 'string' ? parseGtin(value) : value),
    z
      .string('Must be text')
      .max(maxLength, { error: gtinMessage, abort: true })
      .regex(/^(\d{8}|\d{12,14})$/, { error: gtinMessage, abort: true })
      .refine(hasCheckDigit, checkDigitMessage)
      .nullable(),
  )
  .optional()

/** The digits of `4 006381 333931`. Null for empty text. */
export function parseGtin(text: string) {
  return text.length > maxLength ? text : text.replace(/[\s-]/g, '') || null
}

/** `4 0063 8133 3931`: a spreadsheet would round a number of 14 digits, or write it with an exponent. */
export function formatGtin(digits: string) {
  const first = digits.length % 4
  const groups = [digits.slice(0, first)]
  for (let i = first; i < digits.length; i += 4) groups.push(digits.slice(i, i + 4))
  return groups.filter(Boolean).join(' ')
}

/** From the right, every other digit counts three times, the check digit once. */
function hasCheckDigit(digits: string) {
  const sum = [...digits].reverse().reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
