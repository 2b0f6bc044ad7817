import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'

const viewLists = ['orders', 'products', 'messages', 'reviews', 'audit log'] as const
export type ViewList = (typeof viewLists)[number]

const list = z.enum(viewLists, `list must be one of ${viewLists.join(', ')}`)

export const savedView = z.object({
  _id: z.string(),
  name: z.string(),
  /** Of the list’s address, without the page. */
  query: z.string(),
})
export type SavedView = z.output<typeof savedView>

export const viewQuery = z.object({ list })

export const maxViews = 20

export const viewForm = z.object({
  list,
  name: requiredText('Name is required', 40).overwrite((name) => name.replace(/\s+/g, ' ')),
  query: requiredText('Search, filter or sort the list first', 500),
})
export type ViewForm = z.output<typeof viewForm>
