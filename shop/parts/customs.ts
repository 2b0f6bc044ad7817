import { z } from 'zod'
import { isCountry } from '#shop/addresses/countries.ts'
import { gtinField } from './gtin.ts'
import { weightField } from './weight.ts'

/** Of the rates of VAT. Which rate each has is not said here. */
export const taxClasses = ['standard', 'reduced', 'zero'] as const
export type TaxClass = (typeof taxClasses)[number]

const hsCodeMessage = 'Enter 6 to 10 digits, such as 8714.91 30'

/** Of what is looked into. */
const maxLength = 40

/** What a form may leave out: then a new part has the standard tax class and the rest unknown, and a change keeps what is stored. */
export const customsFields = {
  weight: weightField,
  taxClass: z.enum(taxClasses, `Tax class must be one of ${taxClasses.join(', ')}`).optional(),
  /** Empty or null for an unknown one. */
  origin: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toUpperCase() || null : value),
      z.string('Must be text').refine(isCountry, 'Enter a country code such as DE or TW').nullable(),
    )
    .optional(),
  /** Empty or null for an unknown one. */
  hsCode: z
    .preprocess(
      (value) => (typeof value === 'string' ? parseHsCode(value) : value),
      z
        .string('Must be text')
        .max(maxLength, { error: hsCodeMessage, abort: true })
        .regex(/^\d{6,10}$/, hsCodeMessage)
        .nullable(),
    )
    .optional(),
  gtin: gtinField,
}

/** The country of origin is ISO 3166-1 alpha-2, the HS code and the GTIN digits; null is unknown. */
export const customsFacts = {
  /** In grams, of one piece. */
  weight: z.int().nullable(),
  taxClass: z.enum(taxClasses),
  origin: z.string().nullable(),
  hsCode: z.string().nullable(),
  gtin: z.string().nullable(),
}

/** The digits of `8714.91 30`. Null for empty text. */
export function parseHsCode(text: string) {
  return text.length > maxLength ? text : text.replace(/[\s.-]/g, '') || null
}

/** `8714 91 30`. A spreadsheet would take `8714.90` for a number, and drop its last digit. */
export function formatHsCode(digits: string) {
  return [digits.slice(0, 4), ...(digits.slice(4).match(/\d{1,2}/g) ?? [])].join(' ')
}
