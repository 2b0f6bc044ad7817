import { z } from 'zod'

/** A ton. */
const maxWeight = 1_000_000

/** Of what is looked into. */
const maxLength = 40

const weightMessage = 'Enter a weight such as 200 g or 0.2 kg'

/** In whole grams, also from text with a unit. Empty or null for an unknown one. */
export const weightField = z
  .preprocess(
    (value) => (typeof value === 'string' ? parseWeight(value) : value),
    z
      .number(weightMessage)
      .int('Whole grams only')
      .min(1, 'At least 1 g')
      .max(maxWeight, 'At most 1,000,000 g')
      .nullable(),
  )
  .optional()

/** Of `200`, `200 g`, `0.2 kg` and `0,2 kg`. Null for empty text, and other text as it is. */
export function parseWeight(text: string) {
  if (text.length > maxLength) return text
  const typed = text.trim().toLowerCase()
  if (typed === '') return null
  const [, grams] = /^(\d{1,9})(?:\s?g)?$/.exec(typed) ?? []
  if (grams) return Number(grams)
  // In some countries 1,250 kg is more than a ton, in others little more than a kilogram.
  if (/^[1-9]\d*,\d{3}\s?kg$/.test(typed)) return text
  const [, kilograms, fraction = ''] = /^(\d{1,6})(?:[.,](\d{1,3}))?\s?kg$/.exec(typed) ?? []
  return kilograms ? Number(kilograms + fraction.padEnd(3, '0')) : text
}

const kilograms = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3, useGrouping: false })
const aboutKilograms = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** `745 g`, `1.96 kg`: exact. */
export function formatWeight(grams: number) {
  return grams < 1_000 ? `${grams} g` : `${kilograms.format(grams / 1_000)} kg`
}

/** `about 12.4 kg`, for what is packed and weighed again. */
export function formatAboutWeight(grams: number) {
  return `about ${grams < 1_000 ? `${grams} g` : `${aboutKilograms.format(grams / 1_000)} kg`}`
}
