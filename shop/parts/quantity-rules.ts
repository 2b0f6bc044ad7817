import { z } from 'zod'
import { optionalText, wholeNumber } from '#shop/fields.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import { lowestQuantity, type PriceBreak } from './quantity.ts'
import { maxStock } from './stock.ts'

export const maxPriceBreaks = 10

const count = (required: string, min: number) =>
  wholeNumber(required).pipe(z.int().min(min, `At least ${min}`).max(maxStock, 'At most 1,000,000'))

const dollars = wholeNumber('Price is required').pipe(
  z.int().min(1, 'At least 1').max(999_999, 'At most 999,999'),
)

function emptyOr(number: ReturnType<typeof count>) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
      number.nullable(),
    )
    .optional()
}

/** What every form of a part has. */
export const stockFields = {
  minQuantity: count('Minimum Quantity is required', 1),
  availableQuantity: count('Available Quantity is required', 0),
  perUnitPrice: dollars,
}

/** What a form may leave out: then a new part gets a generated number and no rules, and a change keeps the stored ones. */
export const ruleFields = {
  /** Letter case and, in searches, punctuation do not matter. */
  partNumber: optionalText(40).refine(
    (typed) => typed === undefined || /^(?=.*[A-Za-z0-9])[A-Za-z0-9./-]+$/.test(typed),
    'Use only A to Z, digits, dashes, dots and slashes',
  ),
  multiple: count('Enter a whole number. Use 1 to allow any quantity from the minimum up.', 1).optional(),
  /** Empty or null for none. */
  cartonSize: emptyOr(count('Enter a carton size, or leave it empty', 2)),
  /** Empty or null for none; admins only. */
  reorderPoint: emptyOr(count('Enter a quantity, or leave it empty', 0)),
  priceBreaks: z
    .array(
      z.object({ quantity: count('Quantity is required', 1), unitPrice: dollars }),
      'Must be a list of price breaks',
    )
    .max(maxPriceBreaks, `At most ${maxPriceBreaks} price breaks`)
    .optional(),
}

export const priceBreak = z.object({ quantity: z.int(), unitPrice: z.int() })

export interface QuantityRules {
  minQuantity: number
  perUnitPrice: number
  multiple?: number | undefined
  cartonSize?: number | null | undefined
  priceBreaks?: PriceBreak[] | undefined
}

interface RuleError {
  path: (string | number)[]
  message: string
}

/** Rules of which no quantity could satisfy all, or that would never apply. */
export function findRuleErrors({
  multiple = 1,
  cartonSize,
  priceBreaks = [],
  ...part
}: QuantityRules): RuleError[] {
  const errors: RuleError[] = []
  const lowest = lowestQuantity({ ...part, multiple })
  if (lowest > maxStock)
    errors.push({
      path: ['multiple'],
      message: `With this minimum and multiple, the smallest possible order is ${formatCount(lowest)}, but at most ${formatCount(maxStock)} can be in stock. Choose a smaller multiple.`,
    })
  if (cartonSize && cartonSize % multiple !== 0)
    errors.push({ path: ['cartonSize'], message: `Must be a multiple of ${formatCount(multiple)}` })
  for (const [i, { quantity, unitPrice }] of priceBreaks.entries()) {
    const previous = priceBreaks[i - 1]
    const above = previous?.quantity ?? lowest
    const below = previous?.unitPrice ?? part.perUnitPrice
    const quantityMessage =
      quantity <= above
        ? `Must be more than ${formatCount(above)}`
        : quantity % multiple !== 0
          ? `Must be a multiple of ${formatCount(multiple)}`
          : undefined
    if (quantityMessage) errors.push({ path: ['priceBreaks', i, 'quantity'], message: quantityMessage })
    if (unitPrice >= below)
      errors.push({
        path: ['priceBreaks', i, 'unitPrice'],
        message: `Must be less than ${formatDollars(below)}`,
      })
  }
  return errors
}

export function checkQuantityRules(rules: QuantityRules, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>) {
  for (const { path, message } of findRuleErrors(rules)) addIssue({ code: 'custom', path, message })
}
