import { and, desc, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#db/rows.ts'
import { type Database, parts } from '#db/schema.ts'
import { live } from '#shop/parts/active.server.ts'
import { canBeMistyped, slipsOf, spellingsOf, typedWords } from './tokenize.ts'

/** Each word that is not known costs a few questions. */
const mostToForgive = 10

/** A query for the words of parts, as Postgres writes it: `'chain' | 'chain':*`. Nothing matches an empty one. */
type Words = string

interface Wanted {
  /** Every word, or one that it is the beginning of. */
  any: Words
  /** Every word as it is, in any of its forms. */
  whole: Words
}

export const has = (words: Words) => sql`${parts}.search @@ ${words}::tsquery`
const inName = (words: Words) => words.replace(/('[^']+'):?/g, '$1:A')

/** The name first, and there whole words first: `chain` means a chain more than a chainring. */
export function closeness({ any, whole }: Wanted): SQL[] {
  // What a description mentions in passing hardly counts.
  const rank = sql`ts_rank('{0.02, 0.1, 0.4, 1}', ${parts}.search, ${any}::tsquery)`
  return [...(whole ? [desc(has(inName(whole)))] : []), desc(has(inName(any))), desc(rank)]
}

/** Every word has to be there, or begin one that is. Where no part has them all, those are taken that come close. */
export async function understand(db: Database, q: string): Promise<{ words: Wanted; forgiven: boolean }> {
  const typed = typedWords(q).map(spellingsOf)
  const written = await writeWords(db, typed)
  const exact = allOf(written)
  const asTyped = { words: exact, forgiven: false }
  if (typed.length === 0 || typed.length > mostToForgive || (await exists(db, exact))) return asTyped

  const meant = await Promise.all(
    typed.map(async ([word = '', ...others], i) => {
      const known = written[i]!.stem === '' || (typed.length > 1 && (await exists(db, allOf([written[i]!]))))
      return known ? [word, ...others] : wordsLike(db, word)
    }),
  )
  if (meant.some((words) => words.length === 0)) return asTyped
  const near = allOf(await writeWords(db, meant))
  return { words: near, forgiven: await exists(db, near) }
}

interface Written {
  /** Finds a word in all its forms; empty for a word that means nothing, like `the`. */
  stem: Words
  /** Finds the words that begin with it. */
  begun: Words
}

/** Each word, or any of its alternatives, as a query. The words are letters and digits only. */
async function writeWords(db: Database, words: string[][]): Promise<Written[]> {
  if (words.length === 0) return []
  const values = words.map((alternatives, place) => {
    const begun = alternatives.map((word) => `${word}:*`)
    return sql`(${place}::int, ${alternatives.join(' | ')}, ${begun.join(' | ')})`
  })
  return rowsOf<Written>(
    db,
    sql`select to_tsquery('english', stem)::text as stem, to_tsquery('simple', begun)::text as begun
      from (values ${sql.join(values, sql`, `)}) as typed (place, stem, begun) order by place`,
  )
}

/** What means nothing is left out, unless nothing else was typed. */
function allOf(words: Written[]): Wanted {
  const telling = words.filter(({ stem }) => stem !== '')
  if (telling.length === 0) return { any: words.flatMap(({ begun }) => begun || []).join(' & '), whole: '' }
  return {
    any: telling.map(({ stem, begun }) => `(${stem} | ${begun})`).join(' & '),
    whole: telling.map(({ stem }) => `(${stem})`).join(' & '),
  }
}

async function exists(db: Database, { any }: Wanted): Promise<boolean> {
  // Asked for one part outright, Postgres reads them all in the hope of an early one; this way it uses the index.
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    sql`with matching as materialized (select from ${parts} where ${and(live, has(any))})
      select exists (select from matching) as found`,
  )
  return row!.found
}

/** The words of our parts that this one may be a slip of: one letter amiss if there are any, else much the same letters. */
async function wordsLike(db: Database, word: string): Promise<string[]> {
  if (!canBeMistyped(word)) return []
  const near = await wordsThat(db, sql`like`, slipsOf(word))
  const found = near.length > 0 ? near : await wordsThat(db, sql`%>`, [word])
  // `chain` finds a chainring too, but chains first.
  return found.filter((one) => !found.some((other) => other !== one && one.startsWith(other)))
}

/** The join looks each of the values up in the index, where one condition for all of them would read every word. */
async function wordsThat(db: Database, operator: SQL, values: string[]): Promise<string[]> {
  const rows = await rowsOf<{ word: string }>(
    db,
    sql`select distinct word from unnest(${sql.param(values)}::text[]) as value
      join search_words on word ${operator} value`,
  )
  return rows.map(({ word }) => word)
}
