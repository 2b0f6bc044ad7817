import { z } from 'zod'
import {
  optionalText,
  publicPaging,
  requiredText,
  searchText,
  sortOptions,
  wholeNumber,
} from '#shop/fields.ts'
import { replacedPart } from '#shop/replacements/replacement.ts'
import { customsFacts, customsFields } from './customs.ts'
import { priceBands } from './price-bands.ts'
import { quantityLimits } from './quantity-limits.ts'
import { checkQuantityRules, priceBreak, ruleFields, stockFields } from './quantity-rules.ts'
import { maxStock } from './stock.ts'

/** Without the rules that concern several fields: a schema with these cannot be changed. */
const partFields = z.object({
  name: requiredText('Product Name is required', 120),
  shortDescription: requiredText('Short Description is required', 200),
  description: requiredText('Description is required', 5_000),
  ...stockFields,
  ...ruleFields,
  image: requiredText('Image is required', 500),
  /** Additional pictures; an update without them keeps the stored ones. */
  views: z
    .array(requiredText('Image is required', 500), 'Must be a list of photos')
    .max(7, 'At most 7 photos')
    .optional(),
  brand: optionalText(80),
  category: optionalText(80),
  ...customsFields,
})
export const partForm = partFields.superRefine(checkQuantityRules)
export type PartForm = z.output<typeof partForm>

export const restockForm = z.object({
  arrived: wholeNumber('Quantity received is required').pipe(
    z.int().min(1, 'At least 1').max(maxStock, 'At most 1,000,000'),
  ),
})
export type RestockForm = z.output<typeof restockForm>

export const restocksForm = z.object({
  arrivals: z
    .array(restockForm.extend({ partId: requiredText('Part is required', 64) }), 'Must be a list of arrivals')
    .min(1, 'Enter at least one quantity')
    .max(100, 'At most 100 parts at a time'),
})
export type RestocksForm = z.output<typeof restocksForm>

/**
 * `availableQuantityBefore`, the stock that was read, is required to change the stock: parts may have been sold since. When both are equal,
 * the stock stays as it is. `before`, the other fields as they were read: those that are the same keep what another admin stored meanwhile.
 */
export const partChangeFields = partFields.extend({
  availableQuantity: wholeNumber('Available Quantity is required').pipe(z.int().min(0, 'At least 0')),
  availableQuantityBefore: wholeNumber('Available Quantity is required').optional(),
  before: partFields.omit({ availableQuantity: true }).partial().optional(),
})

const stockChange = partChangeFields.pick({ availableQuantity: true, availableQuantityBefore: true })

/** Arguments of `refine`. What came back from cancelled orders can exceed the limit, and must not prevent other changes. */
export const stockLimit = [
  ({ availableQuantity: now, availableQuantityBefore: before }: z.output<typeof stockChange>) =>
    now <= maxStock || now === before,
  {
    path: ['availableQuantity'] as PropertyKey[],
    error: 'At most 1,000,000',
    when: ({ value }: { value: unknown }) => stockChange.safeParse(value).success,
  },
] as const

export const partChange = partChangeFields.refine(...stockLimit).superRefine(checkQuantityRules)
export type PartChange = z.output<typeof partChange>

export const part = z.object({
  _id: z.string(),
  name: z.string(),
  shortDescription: z.string(),
  description: z.string(),
  image: z.string(),
  views: z.array(z.string()),
  brand: z.string(),
  category: z.string(),
  minQuantity: z.int(),
  availableQuantity: z.int(),
  perUnitPrice: z.int(),
  partNumber: z.string(),
  multiple: z.int(),
  cartonSize: z.int().nullable(),
  priceBreaks: z.array(priceBreak),
})
export type Part = z.output<typeof part>

/** Of one part. Lists leave out what only its own page and papers show. */
export const partDetails = part.extend(customsFacts)
export type PartDetails = z.output<typeof partDetails>

/** What admins see. */
export const product = partDetails.extend({ reorderPoint: z.int().nullable() })
export type Product = z.output<typeof product>

export const partSummary = part.omit({ description: true, views: true, brand: true, category: true })
export type PartSummary = z.output<typeof partSummary>

/** A part that was looked up, the texts that are its name in another spelling, and what was looked up that it now replaces. */
export const lookedUpPart = partSummary.extend({
  named: z.array(z.string()).default([]),
  replaces: z.array(replacedPart).default([]),
})
export type LookedUpPart = z.output<typeof lookedUpPart>

/** More would hold up everybody else’s requests. */
export const idsPerLookup = 200

/** By id, or by part number or name as people write them. */
export const partLookup = z.object({
  ids: z
    .array(requiredText('Part is required', 64), 'Must be a list of ids')
    .max(idsPerLookup, `At most ${idsPerLookup} ids`)
    .optional(),
  texts: z
    .array(requiredText('Part is required', 120), 'Must be a list of texts')
    .max(400, 'At most 400 texts')
    .optional(),
})
export type PartLookup = z.output<typeof partLookup>

const partSorts = [
  'relevance',
  ...sortOptions(['added', 'name', 'price', 'minQuantity', 'availableQuantity']),
] as const

/** As `stockLabel` has them. */
export const stockLevels = ['in stock', 'low', 'sold out'] as const

/** Also those that are sold out, or at their reorder point or below. */
const productStocks = [...stockLevels, 'to reorder'] as const
const productStock = z.enum(productStocks, `stock must be one of ${productStocks.join(', ')}`).optional()

/** What admins have entered so far, in alphabetical order. */
export const partSuggestions = z.object({ brands: z.array(z.string()), categories: z.array(z.string()) })
export type PartSuggestions = z.output<typeof partSuggestions>

export const partQuery = publicPaging.extend({
  q: searchText,
  brand: optionalText(80),
  category: optionalText(80),
  price: z
    .enum(
      priceBands.map(({ key }) => key),
      `price must be one of ${priceBands.map(({ key }) => key).join(', ')}`,
    )
    .optional(),
  minQuantity: z
    .enum(
      quantityLimits.map(({ key }) => key),
      `minQuantity must be one of ${quantityLimits.map(({ key }) => key).join(', ')}`,
    )
    .optional(),
  available: z.stringbool('available must be true or false').optional(),
  stock: z.enum(stockLevels, `stock must be one of ${stockLevels.join(', ')}`).optional(),
  /** Defaults to `relevance` with a `q` and to `added` without one. */
  sort: z.enum(partSorts, `sort must be one of ${partSorts.join(', ')}`).optional(),
})
export type PartQuery = z.output<typeof partQuery>

export const productQuery = partQuery.extend({ stock: productStock })
export type ProductQuery = z.output<typeof productQuery>
