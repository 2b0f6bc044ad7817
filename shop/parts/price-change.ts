import { z } from 'zod'
import { optionalText, wholeNumber } from '#shop/fields.ts'
import { formatDollars, shortCurrencyName } from '#shop/money.ts'
import { productQuery } from './part.ts'
import type { PriceBreak } from './quantity.ts'
import { findRuleErrors, priceBreak, type QuantityRules } from './quantity-rules.ts'

const maxPrice = 999_999

const percent = z.preprocess(
  (value) =>
    typeof value === 'string' && /^[-+]?\d{1,3}(\.\d)?$/.test(value.trim()) ? Number(value) : value,
  z
    .number('Enter a percentage, such as 5 or -2.5')
    .min(-90, 'At least -90%')
    .max(500, 'At most 500%')
    .multipleOf(0.1, 'At most one decimal'),
) as z.ZodType<number, number | string>

const dollars = wholeNumber(() => `Enter an amount in whole ${shortCurrencyName()}, such as 2 or -1`).pipe(
  z.int().min(-maxPrice, 'At least -999,999').max(maxPrice, 'At most 999,999'),
)

/** Which parts, and by how much: exactly one of `percent` and `amount` (whole dollars). Without a filter, all parts. */
const fields = productQuery.pick({ q: true, brand: true, category: true, stock: true }).extend({
  /** Separated by commas. */
  ids: optionalText(8_000),
  percent: percent.optional(),
  amount: dollars.optional(),
})
const isOneChange = ({ percent, amount }: { percent?: unknown; amount?: unknown }) =>
  (percent === undefined) !== (amount === undefined)
const oneChange = { path: ['percent'], error: 'Enter either a percentage or an amount' }

export const priceChange = fields.refine(isOneChange, oneChange)
export type PriceChange = z.output<typeof priceChange>

export const priceChangeRequest = fields
  .extend({ digest: z.string('digest is required').max(100) })
  .refine(isOneChange, oneChange)
export type PriceChangeRequest = z.output<typeof priceChangeRequest>

const prices = z.object({ perUnitPrice: z.int(), priceBreaks: z.array(priceBreak) })
type Prices = z.output<typeof prices>

const priceChangeRow = z.object({
  _id: z.string(),
  name: z.string(),
  partNumber: z.string(),
  before: prices,
  after: prices,
  /** Before rounding to whole dollars. */
  exact: z.number(),
  /** Why the part keeps its prices. */
  problem: z.string().nullable(),
})
export type PriceChangeRow = z.output<typeof priceChangeRow>

export const pricePreview = z.object({
  /** At most 500: those with a problem, then those that change, then the others. */
  rows: z.array(priceChangeRow),
  changed: z.int(),
  /** Rounding leaves them as they are. */
  unchanged: z.int(),
  problems: z.int(),
  /** Of all changes; `changePrices` refuses any others. */
  digest: z.string(),
})
export type PricePreview = z.output<typeof pricePreview>

type Change = Pick<PriceChange, 'percent' | 'amount'>

/** Prices are whole dollars: half a dollar rounds up. */
export function changePart(
  part: QuantityRules & Prices,
  change: Change,
): Omit<PriceChangeRow, '_id' | 'name' | 'partNumber'> {
  const { perUnitPrice, priceBreaks } = part
  const before = { perUnitPrice, priceBreaks }
  const after = {
    perUnitPrice: Math.round(exactPrice(perUnitPrice, change)),
    priceBreaks: priceBreaks.map(({ quantity, unitPrice }): PriceBreak => {
      return { quantity, unitPrice: Math.round(exactPrice(unitPrice, change)) }
    }),
  }
  const problem = findProblem(part, after)
  return { before, after: problem ? before : after, exact: exactPrice(perUnitPrice, change), problem }
}

/** In tenths of a percent, so that it is exact to a cent of a cent. */
function exactPrice(price: number, { percent, amount = 0 }: Change) {
  return percent === undefined ? price + amount : (price * (1_000 + Math.round(percent * 10))) / 1_000
}

function findProblem(part: QuantityRules, after: Prices): string | null {
  const lowest = after.priceBreaks.at(-1)?.unitPrice ?? after.perUnitPrice
  if (lowest < 1) return `A price would be less than ${formatDollars(1)}.`
  if (after.perUnitPrice > maxPrice) return `The price would be more than ${formatDollars(maxPrice)}.`
  const [error] = findRuleErrors({ ...part, ...after })
  return error ? 'Two price breaks would have the same price. Edit this part by itself.' : null
}
