import { desc, sql } from 'drizzle-orm'
import { emptySearches, type Queries } from '#db/schema.ts'
import { findDay } from '#shop/dates.ts'
import type { Page } from '#shop/fields.ts'
import { countBounded, defaultLimit, orderBy } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from './match-words.server.ts'
import type { EmptySearch, EmptySearchQuery } from './synonym.ts'
import { readSearchText } from './words.server.ts'

const maxTexts = 1_000
const maxTextLength = 100

/** Those searched for most often first, unless they are sorted otherwise. */
export async function listEmptySearches(
  { db, timeZone }: Pick<Shop, 'db' | 'timeZone'>,
  { q, sort = '-count', limit = defaultLimit, page = 1 }: Partial<EmptySearchQuery> = {},
): Promise<Page<EmptySearch>> {
  const where = q === undefined ? sql`true` : matchesFoldedWords(sql`${emptySearches.text}`, q)
  const columns = { added: emptySearches.number, count: emptySearches.count, lastOn: emptySearches.lastAt }
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(emptySearches)
      .where(where)
      .orderBy(...orderBy(columns, sort), desc(emptySearches.lastAt))
      .limit(limit)
      .offset((page - 1) * limit),
    countBounded(db, sql`select from ${emptySearches} where ${where}`),
  ])
  return {
    rows: rows.map(({ _id, text, count, lastAt }) => ({
      _id,
      text,
      count,
      lastOn: findDay(lastAt, timeZone),
    })),
    total,
  }
}

/** Counts a text that found nothing. What looks like a person’s data is left out, and so are robots, as far as they say so. */
export async function recordEmptySearch(db: Queries, q: string, userAgent: string | null): Promise<void> {
  if (looksPersonal(q) || /bot|crawl|spider|slurp/i.test(userAgent ?? '')) return
  const { folded } = await readSearchText(db, q)
  const text = folded.trim().replace(/\s+/g, ' ').slice(0, maxTextLength)
  if (text.length < 2) return
  // The catalogue searches while people type: what they have typed before was not meant.
  await db.execute(sql`
    with begun as (
      select id from ${emptySearches} where starts_with(${text}, text) and text <> ${text}
        and last_at > now() - interval '10 seconds' and length(text) > 1
    ), gone as (
      delete from ${emptySearches} using begun where ${emptySearches._id} = begun.id and count = 1
    ), fewer as (
      update ${emptySearches} set count = count - 1 from begun where ${emptySearches._id} = begun.id and count > 1
    )
    insert into ${emptySearches} as stored (id, text, last_at) values (${crypto.randomUUID()}, ${text}, now())
    on conflict (text) do update set count = stored.count + 1, last_at = now()`)
  await db.execute(sql`
    delete from ${emptySearches} where id in (
      select id from ${emptySearches} order by last_at desc offset ${maxTexts}
    )`)
}

/** An email address or a phone number. */
function looksPersonal(text: string) {
  return text.includes('@') || /^\s*\+?\d[\d\s()./-]{6,}$/.test(text)
}
