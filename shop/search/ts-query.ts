import type { Term } from './terms.ts'

/** A Postgres tsquery such as `'chain' | 'chain':*`; an empty one matches nothing. */
export type TsQuery = string

interface Options {
  /** Only words with one of these weights. */
  weight?: 'A' | 'AB'
  /** What was typed is the whole word, or its stem. */
  only?: 'wholes' | undefined
  /** Words that a beginning finds, too, count more. */
  ranked?: boolean
}

export function termQuery(
  { word, beginnings, wholes }: Term,
  { weight, only, ranked }: Options = {},
): TsQuery {
  // One of several words has no ends that the index knows.
  const isWhole = only === 'wholes' && word !== ''
  if (isWhole) return matchAny([...beginnings, ...wholes].map((lexeme) => lexemeQuery(lexeme, weight ?? '')))
  // With both, Postgres would read the index twice, and expect twice as many parts.
  const others = ranked ? wholes : wholes.filter((whole) => !beginnings.some((one) => whole.startsWith(one)))
  return matchAny([
    ...others.map((lexeme) => lexemeQuery(lexeme, weight ?? '')),
    ...beginnings.map((lexeme) => lexemeQuery(lexeme, `*${weight ?? ''}`)),
  ])
}

export function lexemeQuery(lexeme: string, flags = ''): TsQuery {
  const quoted = `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return flags ? `${quoted}:${flags}` : quoted
}

export const matchAll = (queries: TsQuery[]): TsQuery => queries.map((query) => `(${query})`).join(' & ')
export const matchAny = (queries: TsQuery[]): TsQuery =>
  [...new Set(queries)]
    .filter(Boolean)
    .map((query) => (query.includes(' ') ? `(${query})` : query))
    .join(' | ')
