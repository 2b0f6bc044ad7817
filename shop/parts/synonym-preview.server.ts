import type { Shop } from '#shop/ports.ts'
import type { FindSynonyms } from '#shop/search/query.server.ts'
import type { SynonymPreview, SynonymPreviewRequest } from '#shop/search/synonym.ts'
import { findSynonyms, readSynonym } from '#shop/search/synonyms.server.ts'
import { findParts } from './search.server.ts'

const shown = 6

/** What is found now, and with the synonym. Throws 'invalid' like `addSynonym`. */
export async function previewSynonym(
  shop: Pick<Shop, 'db'>,
  { phrase, terms, q = phrase }: SynonymPreviewRequest,
): Promise<SynonymPreview> {
  const typed = await readSynonym(shop.db, { phrase, terms: terms ?? phrase.split(/\s+/).join(' and ') })
  const withTyped: FindSynonyms = async (db, words) => {
    const others = (await findSynonyms(db, words)).filter((one) => one.phrase !== typed.phrase)
    return terms === undefined ? others : [...others, typed]
  }
  const [before, after] = await Promise.all([find(shop, q), find(shop, q, withTyped)])
  return { before, after }
}

async function find(shop: Pick<Shop, 'db'>, q: string, findSynonyms?: FindSynonyms) {
  const { total, rows } = await findParts(shop, { q, limit: shown }, findSynonyms)
  return { total, parts: rows.map(({ _id, partNumber, name }) => ({ _id, partNumber, name })) }
}
