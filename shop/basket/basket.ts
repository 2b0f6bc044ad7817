import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { part } from '#shop/parts/part.ts'
import { maxPriceBreaks } from '#shop/parts/quantity-rules.ts'
import { maxStock } from '#shop/parts/stock.ts'
import { maxBasketItems } from './items.ts'

const shownTerms = part.pick({ perUnitPrice: true, minQuantity: true, multiple: true }).extend({
  priceBreaks: z
    .array(part.shape.priceBreaks.element)
    .max(maxPriceBreaks, `At most ${maxPriceBreaks} price breaks`),
})

const basketEntry = z.object({
  partId: requiredText('Part is required', 64),
  quantity: z.int('Whole numbers only').min(1, 'At least 1').max(maxStock, 'At most 1,000,000'),
  seen: shownTerms,
})
export type BasketEntry = z.output<typeof basketEntry>

/** In the order in which the parts were added. */
export const basket = z.object({ items: z.array(basketEntry.extend({ name: z.string() })) })
export type Basket = z.output<typeof basket>

const items = z
  .array(basketEntry, 'Must be a list of items')
  .min(1, 'Choose at least one part')
  .max(maxBasketItems, 'At most 1,000 items')

export const basketAddition = z.object({ items })

export const basketChange = z.object({
  items,
  /** Keeps the larger quantity of a part that is in the basket: what a visitor had chosen joins it, however often this is sent. */
  join: z.boolean('join must be true or false').optional(),
})
export type BasketChange = z.output<typeof basketChange>
