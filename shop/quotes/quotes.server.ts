import { createHash, randomBytes } from 'node:crypto'
import { and, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { orders, parts, type Queries, quotes } from '#db/schema.ts'
import { recordChange } from '#shop/audit/record.server.ts'
import { readPricing } from '#shop/charges/pricing.server.ts'
import { findDay } from '#shop/dates.ts'
import { changedMeanwhile, type Fields, ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { countBounded, defaultLimit, orderBy } from '#shop/pagination.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { quantityError } from '#shop/parts/quantity.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from '#shop/search/match-words.server.ts'
import type { Member } from '#shop/users/user.ts'
import { quoteEmail } from './emails.ts'
import {
  type Quote,
  type QuoteChange,
  type QuoteForm,
  type QuoteLine,
  type QuoteQuery,
  type QuoteState,
  sumQuote,
} from './quote.ts'
import { withTerms } from './terms.ts'

type Settings = Pick<Shop, 'db' | 'timeZone' | 'settings'>
type QuoteRow = typeof quotes.$inferSelect & { orderNumber: number | null }

const hasOrder = sql`exists (select from ${orders} where ${orders._id} = ${quotes._id})`

/** Newest first unless it is sorted otherwise. */
export async function listQuotes(shop: Settings, query: Partial<QuoteQuery> = {}): Promise<Page<Quote>> {
  const { q, state, sort, limit = defaultLimit, page = 1 } = query
  const where = and(
    q === undefined ? undefined : matchesFoldedWords(sql`${quotes}.search_text`, q),
    state && stateConditions(shop)[state],
  )
  const columns = { added: quotes.number, name: sql`lower(${quotes.name})`, total: quotes.total }
  const [rows, total] = await Promise.all([
    selectQuotes(shop.db)
      .where(where)
      .orderBy(...orderBy(columns, sort))
      .limit(limit)
      .offset((page - 1) * limit),
    countBounded(shop.db, sql`select from ${quotes} where ${where ?? sql`true`}`),
  ])
  return { rows: rows.map((row) => toQuote(shop, row)), total }
}

/** Throws 'not-found'. */
export async function readQuote(shop: Settings, id: string): Promise<Quote> {
  return toQuote(shop, await findQuote(shop.db, eq(quotes._id, id)))
}

/** A draft. Throws 'invalid', naming each line, for a part that is gone and for a quantity below the minimum, unless that is allowed. */
export function addQuote({ db }: Shop, admin: Member, form: QuoteForm, key?: string) {
  return idempotent(db, { userId: admin._id, call: 'addQuote', key, body: form }, async (tx) => {
    const values = await checkQuote(tx, form)
    const [added] = await tx
      .insert(quotes)
      .values({ ...values, createdBy: admin._id })
      .returning()
    await recordQuote(tx, admin, added!, { action: 'addQuote', after: describeQuote(values) })
    return { insertedId: added!._id }
  })
}

/** Throws like `addQuote`, and 'conflict' when it is no longer a draft, or not the version that was read. */
export function updateQuote(
  { db }: Shop,
  admin: Member,
  id: string,
  { version, ...form }: QuoteChange,
): Promise<{ modifiedCount: number }> {
  return db.transaction(async (tx) => {
    const before = await lockQuote(tx, id)
    if (before.sentAt !== null)
      throw new ShopError('conflict', 'This quote was sent, so it can’t be changed.')
    if (before.version !== version) throw new ShopError('conflict', changedMeanwhile())
    const values = await checkQuote(tx, form)
    await tx
      .update(quotes)
      .set({ ...values, version: version + 1 })
      .where(eq(quotes._id, id))
    const [was, is] = [describeQuote(before), describeQuote(values)]
    await recordQuote(tx, admin, before, { action: 'updateQuote', before: was, after: is })
    return { modifiedCount: 1 }
  })
}

/** Emails the link. Throws 'conflict' when it was sent, its date is over, or a part is gone or has a greater minimum by now. */
export async function sendQuote(shop: Shop, admin: Member, id: string): Promise<{ modifiedCount: number }> {
  const pricing = await readPricing(shop)
  return shop.db.transaction(async (tx) => {
    const row = await lockQuote(tx, id)
    if (row.withdrawnAt !== null) throw new ShopError('conflict', 'This quote was withdrawn.')
    if (row.sentAt !== null) return { modifiedCount: 0 }
    if (row.validUntil < findDay(Date.now(), shop.timeZone))
      throw new ShopError('conflict', 'The date of this quote is over. Choose another one, then send it.')
    await checkQuote(tx, { ...row, note: row.note ?? undefined })
    const token = randomBytes(32).toString('base64url')
    const sent = { sentAt: new Date().toISOString(), tokenHash: hashToken(token), version: row.version + 1 }
    await tx.update(quotes).set(sent).where(eq(quotes._id, id))
    await recordQuote(tx, admin, row, { action: 'sendQuote', after: { sentTo: row.email, total: row.total } })
    await shop.mail.send(quoteEmail(shop, { ...row, url: `${shop.origin}/quote/${token}`, pricing }), tx)
    return { modifiedCount: 1 }
  })
}

/** A draft, too. Throws 'conflict' once it was accepted, and while it is. */
export function withdrawQuote(shop: Shop, admin: Member, id: string): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const row = await lockQuote(tx, id)
    if (row.orderNumber !== null)
      throw new ShopError(
        'conflict',
        `The customer has accepted this quote: order #${formatOrderNumber(shop, row.orderNumber)}.`,
      )
    if (row.acceptingUntil !== null && row.acceptingUntil > new Date().toISOString())
      throw new ShopError('conflict', 'The customer is accepting this quote right now. Reload the page.')
    if (row.withdrawnAt !== null) return { modifiedCount: 0 }
    await tx
      .update(quotes)
      .set({ withdrawnAt: new Date().toISOString(), version: row.version + 1 })
      .where(eq(quotes._id, id))
    await recordQuote(tx, admin, row, { action: 'withdrawQuote', before: { total: row.total } })
    return { modifiedCount: 1 }
  })
}

/** The link of a quote that was sent. Throws 'not-found'. */
export function findQuoteOfLink(db: Queries, token: string): Promise<QuoteRow> {
  return findQuote(db, eq(quotes.tokenHash, hashToken(token)))
}

export function toQuote(shop: Pick<Shop, 'timeZone' | 'settings'>, row: QuoteRow): Quote {
  const orderNumber = row.orderNumber === null ? null : formatOrderNumber(shop, row.orderNumber)
  return { ...row, state: findState(shop, row), orderNumber }
}

/** Like `stateConditions`. */
export function findState({ timeZone }: Pick<Shop, 'timeZone'>, row: QuoteRow): QuoteState {
  if (row.orderNumber !== null) return 'accepted'
  if (row.withdrawnAt !== null) return 'withdrawn'
  if (row.sentAt === null) return 'draft'
  return row.validUntil < findDay(Date.now(), timeZone) ? 'expired' : 'sent'
}

function stateConditions({ timeZone }: Pick<Shop, 'timeZone'>): Record<QuoteState, SQL> {
  const isOpen = and(isNotNull(quotes.sentAt), isNull(quotes.withdrawnAt), sql`not ${hasOrder}`)
  const isOver = sql`${quotes.validUntil} < ${findDay(Date.now(), timeZone)}::date`
  return {
    draft: and(isNull(quotes.sentAt), isNull(quotes.withdrawnAt))!,
    sent: and(isOpen, sql`not ${isOver}`)!,
    accepted: hasOrder,
    expired: and(isOpen, isOver)!,
    withdrawn: and(isNotNull(quotes.withdrawnAt), sql`not ${hasOrder}`)!,
  }
}

function selectQuotes(db: Queries) {
  return db
    .select({ ...getTableColumns(quotes), orderNumber: orders.number })
    .from(quotes)
    .leftJoin(orders, eq(orders._id, quotes._id))
}

async function findQuote(db: Queries, isWanted: SQL): Promise<QuoteRow> {
  const [row] = await selectQuotes(db).where(isWanted)
  if (!row) throw quoteNotFoundError()
  return row
}

export async function lockQuote(tx: Queries, id: string): Promise<QuoteRow> {
  await tx.select({ _id: quotes._id }).from(quotes).where(eq(quotes._id, id)).for('update')
  return findQuote(tx, eq(quotes._id, id))
}

/** With the names of its parts. */
async function checkQuote(
  tx: Queries,
  form: QuoteForm | (Omit<QuoteForm, 'lines'> & { lines: QuoteLine[] }),
) {
  const { email, name, validUntil, note = null, belowMinimum, lines } = form
  const wanted = lines.map(({ partId }) => partId)
  const found = await tx
    .select()
    .from(parts)
    .where(and(sql`${parts._id} = any(${sql.param(wanted)}::text[])`, notDeleted))
  const fields: Fields = {}
  const named = lines.map((line, i) => {
    const part = found.find(({ _id }) => _id === line.partId)
    // Stock is checked when the quote is accepted.
    const quoted = part && withTerms({ ...part, availableQuantity: line.quantity }, { ...line, belowMinimum })
    const problem = quoted ? quantityError(quoted, line.quantity) : 'This part is no longer for sale.'
    if (problem) fields[`lines.${i}.quantity`] = [problem]
    const { partId, quantity, unitPrice } = line
    return { partId, parts: part?.name ?? '', quantity, unitPrice }
  })
  const [[message] = []] = Object.values(fields) as string[][]
  if (message !== undefined) throw new ShopError('invalid', message, { fields })
  return { email, name, validUntil, note, belowMinimum, lines: named, total: sumQuote(named) }
}

interface Recorded {
  action: 'addQuote' | 'updateQuote' | 'sendQuote' | 'withdrawQuote'
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

function recordQuote(
  tx: Queries,
  admin: Member,
  { _id: id, number }: Pick<QuoteRow, '_id' | 'number'>,
  change: Recorded,
) {
  return recordChange(tx, admin, { kind: 'quote', id, subject: `Quote ${number}`, ...change })
}

type Described = Pick<QuoteRow, 'email' | 'name' | 'validUntil' | 'note' | 'belowMinimum'> & {
  lines: QuoteLine[]
}

function describeQuote({ email, name, validUntil, note, belowMinimum, lines }: Described) {
  const items = lines.map((line) => `${describeLine(line)} at ${formatDollars(line.unitPrice)}`)
  return { email, name, validUntil, note, belowMinimum, items }
}

/** The token itself is not stored, so that a copy of the database accepts nothing. */
function hashToken(token: string) {
  return createHash('sha256').update(token).digest('hex')
}

export function quoteNotFoundError() {
  return new ShopError('not-found', 'This quote doesn’t exist.')
}
