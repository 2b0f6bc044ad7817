import type { Shop } from '#shop/ports.ts'
import type { FoundSuggestions, SuggestionQuery } from '#shop/search/suggestions.ts'
import { findParts } from './search.server.ts'

const [maxParts, maxCategories] = [5, 3]

export async function suggestParts(
  shop: Pick<Shop, 'db'>,
  { q }: SuggestionQuery,
): Promise<FoundSuggestions> {
  const { rows, facets } = await findParts(shop, { q, limit: maxParts })
  return {
    parts: rows.map(({ _id, name, partNumber }) => ({ _id, name, partNumber })),
    categories: facets.category.slice(0, maxCategories).map(({ value: name, count }) => ({ name, count })),
  }
}
