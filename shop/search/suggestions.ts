import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { maxSearchLength } from './length.ts'

export const suggestionQuery = z.object({ q: requiredText('Enter what to search for', maxSearchLength) })
export type SuggestionQuery = z.output<typeof suggestionQuery>

/** For what somebody is typing: parts, the best first, and the categories of those that are found. */
export const suggestions = z.object({
  parts: z.array(z.object({ _id: z.string(), name: z.string(), partNumber: z.string() })),
  categories: z.array(z.object({ name: z.string(), count: z.int() })),
})
export type FoundSuggestions = z.output<typeof suggestions>
