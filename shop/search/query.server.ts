import { and, desc, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#db/rows.ts'
import { type Database, parts } from '#db/schema.ts'
import { active } from '#shop/parts/active.server.ts'
import { allowsTypo, spellingVariants, tokenize, typoPatterns } from './tokenize.ts'

/** Each word that is not known costs a few questions. */
const maxFuzzyWords = 10

/** A query for the words of parts, as Postgres writes it: `'chain' | 'chain':*`. Nothing matches an empty one. */
type TsQuery = string

interface TextQuery {
  /** Every word, or one that it is the beginning of. */
  prefix: TsQuery
  /** Every word as it is, in any of its forms. */
  exact: TsQuery
}

export const matches = (words: TsQuery) => sql`${parts}.search @@ ${words}::tsquery`
const inName = (words: TsQuery) => words.replace(/('[^']+'):?/g, '$1:A')

/** The name first, and there whole words first: `chain` means a chain more than a chainring. */
export function relevance({ prefix: any, exact: whole }: TextQuery): SQL[] {
  // What a description mentions in passing hardly counts.
  const rank = sql`ts_rank('{0.02, 0.1, 0.4, 1}', ${parts}.search, ${any}::tsquery)`
  return [...(whole ? [desc(matches(inName(whole)))] : []), desc(matches(inName(any))), desc(rank)]
}

/** Every word has to be there, or begin one that is. Where no part has them all, those are taken that come close. */
export async function parseQuery(db: Database, q: string): Promise<{ words: TextQuery; isFuzzy: boolean }> {
  const typed = tokenize(q).map(spellingVariants)
  const written = await wordQueries(db, typed)
  const exact = allOf(written)
  const asTyped = { words: exact, isFuzzy: false }
  if (typed.length === 0 || typed.length > maxFuzzyWords || (await exists(db, exact))) return asTyped

  const meant = await Promise.all(
    typed.map(async ([word = '', ...others], i) => {
      const known = written[i]!.stem === '' || (typed.length > 1 && (await exists(db, allOf([written[i]!]))))
      return known ? [word, ...others] : similarWords(db, word)
    }),
  )
  if (meant.some((words) => words.length === 0)) return asTyped
  const near = allOf(await wordQueries(db, meant))
  return { words: near, isFuzzy: await exists(db, near) }
}

interface WordQuery {
  /** Finds a word in all its forms; empty for a word that means nothing, like `the`. */
  stem: TsQuery
  /** Finds the words that begin with it. */
  begun: TsQuery
}

/** Each word, or any of its alternatives, as a query. The words are letters and digits only. */
async function wordQueries(db: Database, words: string[][]): Promise<WordQuery[]> {
  if (words.length === 0) return []
  const values = words.map((alternatives, place) => {
    const begun = alternatives.map((word) => `${word}:*`)
    return sql`(${place}::int, ${alternatives.join(' | ')}, ${begun.join(' | ')})`
  })
  return rowsOf<WordQuery>(
    db,
    sql`select to_tsquery('english', stem)::text as stem, to_tsquery('simple', begun)::text as begun
      from (values ${sql.join(values, sql`, `)}) as typed (place, stem, begun) order by place`,
  )
}

/** What means nothing is left out, unless nothing else was typed. */
function allOf(words: WordQuery[]): TextQuery {
  const telling = words.filter(({ stem }) => stem !== '')
  if (telling.length === 0)
    return { prefix: words.flatMap(({ begun }) => begun || []).join(' & '), exact: '' }
  return {
    prefix: telling.map(({ stem, begun }) => `(${stem} | ${begun})`).join(' & '),
    exact: telling.map(({ stem }) => `(${stem})`).join(' & '),
  }
}

async function exists(db: Database, { prefix: any }: TextQuery): Promise<boolean> {
  // Asked for one part outright, Postgres reads them all in the hope of an early one; this way it uses the index.
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    sql`with matching as materialized (select from ${parts} where ${and(active, matches(any))})
      select exists (select from matching) as found`,
  )
  return row!.found
}

/** The words of our parts that this one may be a slip of: one letter amiss if there are any, else much the same letters. */
async function similarWords(db: Database, word: string): Promise<string[]> {
  if (!allowsTypo(word)) return []
  const near = await matchingWords(db, sql`like`, typoPatterns(word))
  const found = near.length > 0 ? near : await matchingWords(db, sql`%>`, [word])
  // `chain` finds a chainring too, but chains first.
  return found.filter((one) => !found.some((other) => other !== one && one.startsWith(other)))
}

/** The join looks each of the values up in the index, where one condition for all of them would read every word. */
async function matchingWords(db: Database, operator: SQL, values: string[]): Promise<string[]> {
  const rows = await rowsOf<{ word: string }>(
    db,
    sql`select distinct word from unnest(${sql.param(values)}::text[]) as value
      join search_words on word ${operator} value`,
  )
  return rows.map(({ word }) => word)
}
