import { z } from 'zod'
import { paging, requiredText, searchText, sortField } from '#shop/fields.ts'

/** What is searched for instead of a phrase: terms that must all match, each by one of its words. */
export interface SearchedPhrase {
  phrase: string
  terms: string[][]
}

export const maxPhraseWords = 4
export const [maxTerms, maxAlternatives] = [6, 12]

/** Phrases match with and without a plural s. */
export const singular = (word: string) => word.replace(/s$/, '')

/** As `formatTerms` writes them. */
const termsText = requiredText('Enter what to search for', 300)
const phrase = requiredText('Enter what customers type', 60)

export const synonymForm = z.object({ phrase, terms: termsText })
export type SynonymForm = z.output<typeof synonymForm>

export const synonym = z.object({ _id: z.string(), phrase: z.string(), terms: z.string() })
export type Synonym = z.output<typeof synonym>

export const synonymQuery = paging.extend({ q: searchText, sort: sortField(['added', 'phrase']) })
export type SynonymQuery = z.output<typeof synonymQuery>

/** Without `terms`: as if there was no synonym for the phrase. `q` is the phrase unless given. */
export const synonymPreviewRequest = z.object({ phrase, terms: termsText.optional(), q: searchText })
export type SynonymPreviewRequest = z.output<typeof synonymPreviewRequest>

const foundParts = z.object({
  total: z.int(),
  /** The first ones. */
  parts: z.array(z.object({ _id: z.string(), partNumber: z.string(), name: z.string() })),
})

export const synonymPreview = z.object({ before: foundParts, after: foundParts })
export type SynonymPreview = z.output<typeof synonymPreview>

export const emptySearch = z.object({ _id: z.string(), text: z.string(), count: z.int(), lastOn: z.string() })
export type EmptySearch = z.output<typeof emptySearch>

export const emptySearchQuery = paging.extend({ q: searchText, sort: sortField(['count', 'lastOn']) })
export type EmptySearchQuery = z.output<typeof emptySearchQuery>

/** Such as `brake and disc or rotor`. */
export function formatTerms(terms: string[][]): string {
  return terms.map((words) => words.join(' or ')).join(' and ')
}

export function parseTerms(text: string): string[][] {
  const split = (text: string, separator: RegExp) =>
    text
      .split(separator)
      .map((one) => one.trim())
      .filter(Boolean)
  const spaced = text.toLowerCase().replaceAll('\n', ';').replace(/\s+/g, ' ')
  return split(spaced, / and |;/).map((term) => split(term, / or |,/))
}
