import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { maxStock } from '#shop/parts/stock.ts'
import { maxBasketItems } from './items.ts'

export const maxSavedLists = 50

export const listName = requiredText('Name is required', 80)

const savedItem = z.object({
  partId: requiredText('Part is required', 64),
  quantity: z.int('Whole numbers only').min(1, 'At least 1').max(maxStock, 'At most 1,000,000'),
})
export type SavedItem = z.output<typeof savedItem>

export const savedListForm = z.object({
  name: listName,
  items: z
    .array(savedItem, 'Must be a list of items')
    .min(1, 'Choose at least one part')
    .max(maxBasketItems, 'At most 1,000 items'),
  /** Replaces the list of this name; else that is refused. */
  replace: z.boolean('replace must be true or false').optional(),
})
export type SavedListForm = z.output<typeof savedListForm>

export const savedList = z.object({
  _id: z.string(),
  name: z.string(),
  /** With the name of each part, for parts that are no longer for sale. */
  items: z.array(savedItem.extend({ name: z.string() })),
})
export type SavedList = z.output<typeof savedList>

export const savedListSummary = z.object({
  _id: z.string(),
  name: z.string(),
  itemCount: z.int(),
  changedAt: z.string(),
})
export type SavedListSummary = z.output<typeof savedListSummary>
