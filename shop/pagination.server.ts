import { and, asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable, PgView } from 'drizzle-orm/pg-core'
import type { Queries } from '#db/schema.ts'
import type { Page, Paging, Sort } from './fields.ts'

interface PageQuery extends Partial<Paging> {
  where?: SQL | undefined
  orderBy: SQL[]
}

const defaultLimit = 100

export async function readPage<Source extends PgTable | PgView>(
  db: Queries,
  source: Source,
  { where, orderBy, limit = defaultLimit, page = 1 }: PageQuery,
) {
  const query = db
    .select()
    .from<PgTable>(source as PgTable)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset((page - 1) * limit)
  const rows = (await query) as Source['$inferSelect'][]
  return { rows, total: await db.$count(source, where) } satisfies Page<unknown>
}

/** Uses `added` as the tie-breaker in the same direction, so that one index on both columns serves both directions. */
export function orderBy<Key extends string>(
  columns: Record<Key | 'added', SQLWrapper>,
  sort: Sort<Key | 'added'> | undefined,
  fallback: Sort<Key | 'added'> = '-added',
): SQL[] {
  const requested = sort ?? fallback
  const direction = requested.startsWith('-') ? desc : asc
  const key = requested.replace(/^-/, '') as Key | 'added'
  return [...new Set([columns[key], columns.added])].map((column) => direction(column))
}

/** A substring pattern for `ilike`, with wildcards escaped. */
export function likePattern(text: string) {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Each word of `q` occurs in the text, without regard to case and accents. */
export function matchesWords(text: SQLWrapper, q: string) {
  const words = q.split(/\s+/).filter(Boolean)
  return and(...words.map((word) => sql`fold(${text}) like fold(${likePattern(word)})`))
}
