import { ilike, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { purchaseSearchText, purchases } from '#db/schema.ts'
import { likePattern, matchesFoldedWords } from '#shop/pagination.server.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import type { Shop } from '#shop/ports.ts'
import { digitsOfOrderNumber } from './order-number.ts'

/** Shorter beginnings of an id would match too many orders. */
const minIdLength = 4

/** Shorter beginnings of a part number would match too many parts. */
const minPartNumberLength = 3

export function matchesOrderSearch(shop: Shop, q: string): SQL | undefined {
  return or(
    matchesFoldedWords(purchaseSearchText, q),
    matchesNumber(shop, q),
    matchesId(q),
    matchesPhone(q),
    matchesPartNumber(q),
  )
}

/** That of the part today, from its beginning. */
function matchesPartNumber(q: string) {
  const key = numberKey(q)
  if (key.length < minPartNumberLength) return undefined
  return sql`${purchases.partId} in (select p.id from parts p where p.part_number_key like ${`${key}%`})`
}

/** Alone, two digits are more likely a size. */
function matchesNumber(shop: Shop, q: string) {
  const digits = digitsOfOrderNumber(shop, q)
  if (digits === null || /^\d{1,2}$/.test(q)) return undefined
  return like(sql`${purchases.number}::text`, `${digits}%`)
}

function matchesId(q: string) {
  if (q.length < minIdLength) return undefined
  const beginning = likePattern(q).slice(1)
  return or(
    ilike(purchases._id, beginning),
    ilike(purchases.orderId, beginning),
    ilike(purchases.transactionId, beginning),
  )
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
