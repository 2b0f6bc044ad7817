import { desc, type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { executeRows } from '#db/driver/rows.ts'
import type { Database } from '#db/schema.ts'
import { allowsTypo, parseTerms, type Term, typoPatterns } from './tokenize.ts'

/** Each unknown term costs several queries. */
const maxFuzzyTerms = 8

const minNumberBeginning = 3

/** A Postgres tsquery such as `'chain' | 'chain':*`; an empty one matches nothing. */
type TsQuery = string

interface TextQuery {
  /** What it matches. */
  prefix: TsQuery
  /** Matches the same, and ranks whole words above prefixes. */
  ranked: TsQuery
  exact: TsQuery
}

interface NumberQuery {
  whole: TsQuery
  /** Absent for a short one. */
  beginning?: TsQuery
}

const matches = (query: TsQuery) => sql`part_search.search @@ ${query}::tsquery`
const inName = (query: TsQuery) => query.replace(/('[^']+'):?/g, '$1:A')
const wordsOrNumber = (words: TextQuery, number: NumberQuery | undefined) =>
  [words.prefix, number?.beginning ?? number?.whole]
    .filter(Boolean)
    .map((query) => `(${query})`)
    .join(' | ')

/** Part numbers rank first, then names, and exact matches above prefixes: for `chain`, a chain before a chainring. */
function relevance(number: NumberQuery | undefined, { prefix, ranked, exact }: TextQuery): SQL[] {
  const tiers = [number?.whole, number?.beginning, exact && inName(exact), prefix && inName(prefix)]
  // The lowest weight is for the description.
  const rank = sql`ts_rank('{0.02, 0.1, 0.4, 1}', part_search.search, ${ranked}::tsquery)`
  return [...tiers.flatMap((tier) => (tier ? desc(matches(tier)) : [])), ...(prefix ? [desc(rank)] : [])]
}

/** Finds in `part_search` part numbers, and parts that match every term; if there are none, those that match similar terms. */
export async function parseQuery(db: Database, q: string) {
  const number = parsePartNumber(q)
  const { words, isFuzzy } = await parseWords(db, q, number)
  return search(number, words, isFuzzy)
}

/** Without similar terms. */
export async function parseExactly(db: Database, q: string) {
  return search(parsePartNumber(q), allOf(await buildTermQueries(db, parseTerms(q))), false)
}

function search(number: NumberQuery | undefined, words: TextQuery, isFuzzy: boolean) {
  return {
    textCondition: matches(wordsOrNumber(words, number)),
    byRelevance: relevance(number, words),
    isFuzzy,
  }
}

/** A part number without its punctuation, or its beginning, as `part_search` has it. */
function parsePartNumber(q: string): NumberQuery | undefined {
  const key = q.replace(/[\s./-]/g, '').toUpperCase()
  if (!/^[A-Z0-9]{1,40}$/.test(key)) return
  const whole = `'#${key}'`
  // Shorter beginnings would precede what the words of the query find.
  return key.length < minNumberBeginning ? { whole } : { whole, beginning: `${whole}:*` }
}

/** Requires every term, exactly or as a prefix. Falls back to similar terms when no part has them all or the number. */
async function parseWords(db: Database, q: string, number: NumberQuery | undefined) {
  const terms = parseTerms(q)
  const termQueries = await buildTermQueries(db, terms)
  const exact = allOf(termQueries)
  const exactQuery = { words: exact, isFuzzy: false }
  const hasEnough = terms.length > 0 && terms.length <= maxFuzzyTerms
  if (!hasEnough || (await exists(db, wordsOrNumber(exact, number)))) return exactQuery

  const corrected = await Promise.all(
    terms.map(async (term, i): Promise<Term> => {
      const isKnown =
        termQueries[i]!.stem === '' ||
        (terms.length > 1 && (await exists(db, allOf([termQueries[i]!]).prefix)))
      return isKnown ? term : { words: await similarWords(db, term.words[0]!) }
    }),
  )
  if (corrected.some(({ words }) => words.length === 0)) return exactQuery
  const fuzzy = allOf(await buildTermQueries(db, corrected))
  return { words: fuzzy, isFuzzy: await exists(db, fuzzy.prefix) }
}

interface TermQuery {
  stem: TsQuery
  prefix: TsQuery
}

/** They depend on the terms alone. */
const knownQueries = new LRUCache<string, TermQuery[]>({ max: 1_000 })

async function buildTermQueries(db: Database, terms: Term[]): Promise<TermQuery[]> {
  if (terms.length === 0) return []
  const key = JSON.stringify(terms)
  const known = knownQueries.get(key)
  if (known) return known
  const queries = await readTermQueries(db, terms)
  knownQueries.set(key, queries)
  return queries
}

/** Each term matches any of its alternatives, which must be letters and digits only. */
function readTermQueries(db: Database, terms: Term[]): Promise<TermQuery[]> {
  const values = terms.map(({ words, whole = [] }, place) => {
    const prefixes = words.map((word) => `${word}:*`)
    return sql`(${place}::int, ${[...words, ...whole].join(' | ')}, ${prefixes.join(' | ')})`
  })
  return executeRows<TermQuery>(
    db,
    sql`select to_tsquery('english', stem)::text as stem, to_tsquery('simple', prefix)::text as prefix
      from (values ${sql.join(values, sql`, `)}) as terms (place, stem, prefix) order by place`,
  )
}

/** Ignores stop words unless there are no other terms. */
function allOf(terms: TermQuery[]): TextQuery {
  const significant = terms.filter(({ stem }) => stem !== '')
  if (significant.length === 0) {
    const prefix = terms.flatMap(({ prefix }) => prefix || []).join(' & ')
    return { prefix, ranked: prefix, exact: '' }
  }
  const join = (queryOf: (term: TermQuery) => TsQuery) =>
    significant.map((term) => `(${queryOf(term)})`).join(' & ')
  return {
    prefix: join(({ stem, prefix }) => [...stemsBesides(prefix, stem), prefix].join(' | ')),
    ranked: join(({ stem, prefix }) => `${stem} | ${prefix}`),
    exact: join(({ stem }) => stem),
  }
}

/** Those that no prefix matches: with them, Postgres would read the index twice, and expect twice as many parts. */
function stemsBesides(prefix: TsQuery, stem: TsQuery): TsQuery[] {
  const prefixes = lexemes(prefix)
  return lexemes(stem)
    .filter((one) => !prefixes.some((beginning) => one.startsWith(beginning)))
    .map((one) => `'${one}'`)
}

const lexemes = (query: TsQuery) => [...query.matchAll(/'([^']+)'/g)].map(([, word]) => word!)

async function exists(db: Database, query: TsQuery): Promise<boolean> {
  // Materialized, because for a plain `exists` Postgres chooses a sequential scan over the index.
  const [row] = await executeRows<{ found: boolean }>(
    db,
    sql`with matching as materialized (select from part_search where ${matches(query)})
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
