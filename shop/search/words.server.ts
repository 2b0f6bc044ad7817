import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { executeRows } from '#db/driver/rows.ts'
import type { Queries } from '#db/schema.ts'

/** A row of cut_words(), which also makes the words of what is searched. */
export interface CutWord {
  word: string
  stem: string
  /** Means little, such as “the”. */
  light: boolean
  /** How it belongs together with the next word. */
  joint: 'glued' | 'near' | 'joined' | null
  /** What stands between them as one word. */
  glue: '' | '.'
}

export interface SearchText {
  words: CutWord[]
  /** As fold_text() writes it. */
  folded: string
  /** That of a part with this name. */
  nameKey: string
}

/** It depends on the text alone. */
const known = new LRUCache<string, SearchText>({ max: 1_000 })

export async function readSearchText(db: Queries, q: string): Promise<SearchText> {
  const before = known.get(q)
  if (before) return before
  const [found] = await executeRows<Omit<SearchText, 'words'> & { words: (CutWord & { place: number })[] }>(
    db,
    // Postgres text cannot contain NUL, but a URL can.
    sql`select fold_text(q) as folded, name_key(q) as "nameKey",
        (select coalesce(json_agg(cut order by place), '[]') from cut_words(q) as cut) as words
      from (select ${q.replaceAll('\0', ' ')}::text as q) as typed`,
  )
  const { words: all, ...text } = found!
  const words = all.filter(({ place }) => place < firstSign)
  // Signs are searched for when there is nothing else.
  const read = { ...text, words: words.length > 0 ? words : all }
  known.set(q, read)
  return read
}

/** Places of signs are counted from here. */
const firstSign = 20_000
