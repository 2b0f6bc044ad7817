import { desc, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import type { Database } from '#db/schema.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import { followNumbers } from '#shop/replacements/replacements.server.ts'
import { addReplacing, type PartNumbers, parsePartNumbers } from './part-numbers.ts'
import { findSynonyms } from './synonyms.server.ts'
import { buildTerms, type Term } from './terms.ts'
import { matchAll, matchAny, type TsQuery, termQuery } from './ts-query.ts'
import { allowsTypo, typoPatterns } from './typos.ts'
import { readSearchText, type SearchText } from './words.server.ts'

/** Each unknown term costs several queries. */
const maxFuzzyTerms = 8

export type FindSynonyms = typeof findSynonyms

const matches = (query: TsQuery) => sql`part_words.words @@ ${query}::tsquery`

/** Finds in `part_words` part numbers, and parts that match every term; if there are none, those that match similar terms. */
export async function parseQuery(db: Database, q: string, find = findSynonyms) {
  const { text, numbers, terms } = await readTerms(db, q, find)
  const similar = await findSimilarTerms(db, terms, numbers)
  return search(text, similar ?? terms, numbers, similar !== undefined)
}

/** Without similar terms. */
export async function parseExactly(db: Database, q: string, find = findSynonyms) {
  const { text, numbers, terms } = await readTerms(db, q, find)
  return search(text, terms, numbers, false)
}

async function readTerms(db: Database, q: string, find: FindSynonyms) {
  const text = await readSearchText(db, q)
  const [numbers, synonyms] = await Promise.all([readPartNumbers(db, text), find(db, text.words)])
  return { text, numbers, terms: buildTerms(text.words, synonyms) }
}

/** Those of parts that are replaced lead to the parts that replace them. */
async function readPartNumbers(db: Database, { folded }: SearchText): Promise<PartNumbers> {
  const numbers = parsePartNumbers(folded)
  const replaced = await followNumbers(db, numbers.keys)
  return addReplacing(
    numbers,
    replaced.map(({ byNumber }) => numberKey(byNumber)),
  )
}

/** Of `part_words`: parts that have every term in their name, brand or category. */
export async function matchesNames(db: Database, q: string): Promise<SQL> {
  const { words } = await readSearchText(db, q)
  const required = buildTerms(words, await findSynonyms(db, words)).filter(({ light }) => !light)
  return matches(matchAll(required.map((term) => termQuery(term, { weight: 'AB' }))))
}

function search(text: SearchText, terms: Term[], numbers: PartNumbers, isFuzzy: boolean) {
  return {
    textCondition: matches(wordsOrNumbers(terms, numbers)),
    byRelevance: relevance(text, terms, numbers),
    isFuzzy,
  }
}

function wordsOrNumbers(terms: Term[], { wholes, endings, beginnings }: PartNumbers): TsQuery {
  const required = terms.filter(({ light }) => !light)
  return matchAny([matchAll(required.map((term) => termQuery(term))), ...wholes, ...endings, ...beginnings])
}

/** Part numbers rank first, then names, and exact matches above beginnings: for `chain`, a chain before a chainring. */
function relevance(
  { nameKey }: SearchText,
  terms: Term[],
  { wholes, endings, beginnings }: PartNumbers,
): SQL[] {
  const tier = (query: TsQuery) => (query ? [desc(matches(query))] : [])
  const required = terms.filter(({ light }) => !light)
  const inName = (some: Term[], only?: 'wholes') =>
    matchAll(some.map((term) => termQuery(term, { weight: 'A', only })))
  const ranked = matchAll(required.map((term) => termQuery(term, { ranked: true })))
  return [
    ...tier(matchAny(wholes)),
    desc(sql`part_words.name_key = ${nameKey}`),
    ...tier(matchAny(endings)),
    ...tier(matchAny(beginnings)),
    ...tier(inName(terms, 'wholes')),
    desc(sql`starts_with(part_words.name_key, ${nameKey})`),
    ...tier(inName(terms)),
    ...(required.length < terms.length
      ? [...tier(inName(required, 'wholes')), ...tier(inName(required))]
      : []),
    // The lowest weight is for the description.
    ...(ranked ? [desc(sql`ts_rank('{0.02, 0.1, 0.4, 1}', part_words.words, ${ranked}::tsquery)`)] : []),
  ]
}

/** None when parts have all terms or a number, or when none has similar ones. */
async function findSimilarTerms(
  db: Database,
  terms: Term[],
  numbers: PartNumbers,
): Promise<Term[] | undefined> {
  const required = terms.filter(({ light }) => !light)
  const hasEnough = required.length > 0 && required.length <= maxFuzzyTerms
  if (!hasEnough || (await exists(db, wordsOrNumbers(terms, numbers)))) return
  const similar = await Promise.all(
    terms.map(async (term): Promise<Term> => {
      const isKnown = term.light || (required.length > 1 && (await exists(db, termQuery(term))))
      return isKnown ? term : { ...term, beginnings: await similarWords(db, term.word), wholes: [] }
    }),
  )
  if (similar.some(({ beginnings }) => beginnings.length === 0)) return
  const query = matchAll(similar.filter(({ light }) => !light).map((term) => termQuery(term)))
  return (await exists(db, query)) ? similar : undefined
}

async function exists(db: Database, query: TsQuery): Promise<boolean> {
  // Materialized, because for a plain `exists` Postgres chooses a sequential scan over the index.
  const [row] = await executeRows<{ found: boolean }>(
    db,
    sql`with matching as materialized (select from part_words where ${matches(query)})
      select exists (select from matching) as found`,
  )
  return row!.found
}

/** Words of parts within one typo or, if there are none, with similar trigrams. */
async function similarWords(db: Database, word: string): Promise<string[]> {
  if (!allowsTypo(word)) return []
  const oneTypo = await matchingWords(db, sql`like`, typoPatterns(word))
  const found = oneTypo.length > 0 ? oneTypo : await matchingWords(db, sql`%>`, [word])
  // Words with another result as prefix are redundant: `chain` matches chainring too.
  return found.filter((one) => !found.some((other) => other !== one && one.startsWith(other)))
}

/** A join uses the index for each value; a single condition for all would scan every word. */
async function matchingWords(db: Database, operator: SQL, values: string[]): Promise<string[]> {
  const rows = await executeRows<{ word: string }>(
    db,
    sql`select distinct word from unnest(${sql.param(values)}::text[]) as value
      join search_words on word ${operator} value`,
  )
  return rows.map(({ word }) => word)
}
