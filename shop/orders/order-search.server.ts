import { ilike, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { purchaseSearchText, purchases } from '#db/schema.ts'
import { likePattern, matchesFoldedWords } from '#shop/pagination.server.ts'

/** Shorter beginnings of an id would match too many orders. */
const minIdLength = 4

export function matchesOrderSearch(q: string): SQL | undefined {
  return or(matchesFoldedWords(purchaseSearchText, q), matchesNumber(q), matchesId(q), matchesPhone(q))
}

/** Without a `#`, two digits are more likely a size. */
function matchesNumber(q: string) {
  const [found] = /^#\d{1,15}$|^\d{3,15}$/.exec(q) ?? []
  return found ? like(sql`${purchases.number}::text`, `${found.replace('#', '')}%`) : undefined
}

function matchesId(q: string) {
  if (q.length < minIdLength) return undefined
  const beginning = likePattern(q).slice(1)
  return or(ilike(purchases._id, beginning), ilike(purchases.transactionId, beginning))
}

/** `+49 170 9876-543` and `0170 9876543` find each other: a country code of up to three digits replaces the zero. */
function matchesPhone(q: string) {
  if (!/^[\d\s()+/.-]+$/.test(q)) return undefined
  const digits = q.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length < 4) return undefined
  const stored = sql<string>`regexp_replace(${purchases.phoneNumber}, '\\D', '', 'g')`
  const isInternational = /^\s*(\+|00)/.test(q)
  const national = isInternational ? [1, 2, 3].map((length) => `0${digits.slice(length)}`) : []
  return or(like(stored, `%${digits}%`), national.length > 0 ? inArray(stored, national) : undefined)
}
