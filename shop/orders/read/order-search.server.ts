import { between, desc, eq, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import {
  type Database,
  invoices,
  orders,
  parts,
  purchaseSearchText,
  purchases,
  type Queries,
  shipments,
} from '#db/schema.ts'
import { digitsOfOrderNumber } from '#shop/orders/order-number.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import type { Shop } from '#shop/ports.ts'
import { likePattern, matchesFoldedWords } from '#shop/search/match-words.server.ts'
import { matchesNames } from '#shop/search/query.server.ts'

/** Shorter beginnings of an id would match too many orders. */
const minIdLength = 4

/** Shorter beginnings of a part number would match too many parts. */
const minPartNumberLength = 3

/** Shorter beginnings of tracking numbers are more likely order numbers. */
const minTrackingLength = 6

/** Parts, and phone, tracking and invoice numbers that match are looked up first, at most so many: a condition on them alone can use an index. */
const maxFound = 1_000

/** A condition on rows of `purchases`, each alternative of which an index of order_lines finds. */
export async function matchesOrderSearch(shop: Shop, q: string): Promise<SQL | undefined> {
  const [partIds, namedIds, ...foundOrders] = await Promise.all([
    findPartIds(shop.db, q),
    findPartIdsByName(shop.db, q),
    findOrderIdsByPhone(shop.db, q),
    findOrderIdsByTracking(shop.db, q),
    findOrderIdsByInvoice(shop.db, q),
  ])
  const orderIds = foundOrders.flat()
  return or(
    matchesFoldedWords(purchaseSearchText, q),
    matchesNumber(shop, q),
    matchesId(q),
    partIds.length + namedIds.length > 0 ? inArray(purchases.partId, [...partIds, ...namedIds]) : undefined,
    orderIds.length > 0 ? inArray(purchases.orderId, orderIds) : undefined,
  )
}

/** By the part number of today, from its beginning. */
async function findPartIds(db: Queries, q: string): Promise<string[]> {
  const key = numberKey(q)
  if (key.length < minPartNumberLength) return []
  const rows = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(like(sql`part_number_key`, `${key}%`))
    .limit(maxFound)
  return rows.map(({ _id }) => _id)
}

/** A word in more names is looked for in the text of the lines instead. */
const maxNamed = 300

/** As the catalogue finds the part by its name of today, however it is written. */
async function findPartIdsByName(db: Database, q: string): Promise<string[]> {
  const rows = await executeRows<{ id: string }>(
    db,
    sql`select part_id as id from part_words where ${await matchesNames(db, q)} limit ${maxNamed + 1}`,
  )
  return rows.length > maxNamed ? [] : rows.map(({ id }) => id)
}

const maxDigits = 15

/** Alone, two digits are more likely a size. */
function matchesNumber(shop: Shop, q: string) {
  const digits = digitsOfOrderNumber(shop, q)
  if (digits === null || digits.startsWith('0') || /^\d{1,2}$/.test(q)) return undefined
  const ranges = Array.from({ length: maxDigits + 1 - digits.length }, (_, more) => {
    const first = Number(digits) * 10 ** more
    return between(purchases.number, first, first + 10 ** more - 1)
  })
  return or(...ranges)
}

/** Of an order, an item or a transaction. */
function matchesId(q: string) {
  if (q.length < minIdLength) return undefined
  const beginning = likePattern(q).slice(1)
  if (/^[a-z]+_/i.test(q)) return like(purchases.transactionId, beginning)
  if (!/^[\da-f-]+$/i.test(q)) return undefined
  const lowerCase = beginning.toLowerCase()
  return or(like(purchases._id, lowerCase), like(purchases.orderId, lowerCase))
}

/** `+49 170 9876-543` and `0170 9876543` find each other: a country code of up to three digits replaces the zero. */
async function findOrderIdsByPhone(db: Queries, q: string): Promise<string[]> {
  if (!/^[\d\s()+/.-]+$/.test(q)) return []
  const digits = q.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length < 4) return []
  const stored = sql<string>`regexp_replace(${orders.phoneNumber}, '\\D', '', 'g')`
  const isInternational = /^\s*(\+|00)/.test(q)
  const national = isInternational ? [1, 2, 3].map((length) => `0${digits.slice(length)}`) : []
  const rows = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(or(like(stored, `%${digits}%`), ...national.map((number) => eq(stored, number))))
    .orderBy(desc(orders.number))
    .limit(maxFound)
  return rows.map(({ _id }) => _id)
}

/** From its beginning, without regard to case, spaces and dashes. */
async function findOrderIdsByTracking(db: Queries, q: string): Promise<string[]> {
  const number = q.replace(/[ -]/g, '').toUpperCase()
  if (number.length < minTrackingLength || !/^[\dA-Z]+$/.test(number)) return []
  const rows = await db
    .select({ _id: shipments.orderId })
    .from(shipments)
    .where(beginsWith(trackingNumberKey, number))
    .limit(maxFound)
  return rows.map(({ _id }) => _id)
}

/** From the beginning of the number of an invoice or a credit note, with its prefix. */
async function findOrderIdsByInvoice(db: Queries, q: string): Promise<string[]> {
  const number = q.trim().toLowerCase()
  if (number.length < minIdLength || !/\d/.test(number)) return []
  const rows = await db
    .select({ _id: invoices.orderId })
    .from(invoices)
    .where(beginsWith(invoiceNumberKey, number))
    .limit(maxFound)
  return rows.map(({ _id }) => _id)
}

function beginsWith(key: SQL, text: string) {
  return like(key, likePattern(text).slice(1))
}

/** As an index has each. */
export const trackingNumberKey = sql`translate(upper(${shipments.trackingNumber}), ' -', '')`
export const invoiceNumberKey = sql`lower(${invoices.prefix} || ${invoices.number})`
