import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** A substring pattern for `ilike`, with wildcards escaped. */
export function likePattern(text: string) {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Each is compared with every row, and short ones fit into a search by the dozen; further words are ignored. */
const maxWords = 8

function splitWords(q: string): string[] {
  return [...new Set(q.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, maxWords)
}

/** Each word of `q` occurs in the text, without regard to case and accents. */
export function matchesWords(text: SQLWrapper, q: string) {
  // Not a condition for each word: Postgres would fold the text again for each.
  return matchesAll(
    sql`fold(${text}) like`,
    splitWords(q).map((word) => sql`fold(${likePattern(word)})`),
  )
}

/** For a text that is stored folded. A condition for each word, so that a trigram index finds them. */
export function matchesFoldedWords(folded: SQLWrapper, q: string) {
  return and(...splitWords(q).flatMap((word) => matchesFolded(folded, word)))
}

/** An email address by what precedes its domain, which most customers may share: the index would be read for all of them. */
function matchesFolded(folded: SQLWrapper, word: string): SQL[] {
  const [beforeDomain] = /^[^@]{3,}@(?=.)/.exec(word) ?? []
  const isLike = (text: string) => sql`${folded} like fold(${likePattern(text)})`
  return beforeDomain ? [isLike(beforeDomain), sql`strpos(${folded}, fold(${word})) > 0`] : [isLike(word)]
}

/** Like `matchesWords`, but with regard to accents. */
export function containsWords(text: SQLWrapper, q: string) {
  return matchesAll(
    sql`${text} ilike`,
    splitWords(q).map((word) => sql`${likePattern(word)}`),
  )
}

function matchesAll(operation: SQL, patterns: SQL[]) {
  return patterns.length > 0 ? sql`${operation} all (array[${sql.join(patterns, sql`, `)}])` : undefined
}
