import {
  and,
  arrayContains,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { executeRows } from '#db/rows.ts'
import { parts, pictures, type Queries } from '#db/schema.ts'
import { type Fields, ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatCount } from '#shop/money.ts'
import { readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { lowestQuantityColumn } from './facets.server.ts'
import { notDeleted } from './not-deleted.server.ts'
import type {
  Part,
  PartChange,
  PartForm,
  PartLookup,
  PartSuggestions,
  PartSummary,
  RestockForm,
} from './part.ts'
import { numberKey } from './part-number.ts'
import { findRuleErrors } from './quantity-rules.ts'
import { type PartSearch, readSearch } from './search.server.ts'
import { maxStock, stockChangedMessage } from './stock.ts'

export async function listParts({ db }: Shop, query: PartSearch = {}): Promise<Page<Part>> {
  const { where, orderBy } = await readSearch(db, query)
  return readPage(db, parts, { where, orderBy, limit: query.limit, page: query.page })
}

export async function readPart({ db }: { db: Queries }, id: string): Promise<Part> {
  const [part] = await db
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), notDeleted))
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  return part
}

const { description, views, brand, category, ...summaryColumns } = getTableColumns(parts)

/** Those that are for sale, in no order: with an id, a part number without regard to punctuation, or a name. */
export function lookUpParts(
  { db }: Pick<Shop, 'db'>,
  { ids = [], texts = [] }: PartLookup,
): Promise<PartSummary[]> {
  const keys = texts.map(numberKey).filter(Boolean)
  const names = texts.map((text) => sql`lower(${text})`)
  const isFound = or(
    inArray(parts._id, ids),
    keys.length > 0 ? inArray(sql`part_number_key`, keys) : undefined,
    names.length > 0 ? inArray(sql`lower(${parts.name})`, names) : undefined,
  )
  return db.select(summaryColumns).from(parts).where(and(isFound, notDeleted))
}

const idsPerPage = 10_000

/** The pages that have parts, from 1. Parts stay on their page, whatever is added or deleted. */
export async function listPartIdPages({ db }: Pick<Shop, 'db'>): Promise<number[]> {
  const rows = await executeRows<{ page: number }>(
    db,
    sql`select page from generate_series(1, (select coalesce(max(number), 0) from ${parts}) / ${idsPerPage} + 1) page
      where exists (select from ${parts} where ${and(isOnPage(sql`page`), notDeleted)})`,
  )
  return rows.map(({ page }) => Number(page))
}

export async function listPartIds({ db }: Pick<Shop, 'db'>, page: number): Promise<string[]> {
  const rows = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(and(isOnPage(sql`${page}::bigint`), notDeleted))
    .orderBy(asc(parts.number))
  return rows.map(({ _id }) => _id)
}

function isOnPage(page: SQL) {
  const start = sql`(${page} - 1) * ${idsPerPage}::bigint`
  return sql`${parts.number} >= ${start} and ${parts.number} < ${start} + ${idsPerPage}::bigint`
}

export async function listPartSuggestions({ db }: Pick<Shop, 'db'>): Promise<PartSuggestions> {
  const { brand, category } = parts
  const rows = await db.selectDistinct({ brand, category }).from(parts).where(notDeleted)
  const distinct = (values: string[]) => [...new Set(values.filter(Boolean))].sort()
  return {
    brands: distinct(rows.map((row) => row.brand)),
    categories: distinct(rows.map((row) => row.category)),
  }
}

/** At most four parts of the same category or brand, in stock first. */
export function relatedParts({ db }: Pick<Shop, 'db'>, { _id, brand, category }: Part): Promise<Part[]> {
  const sameCategory = category ? eq(parts.category, category) : undefined
  const sameBrand = brand ? eq(parts.brand, brand) : undefined
  const isRelated = or(sameCategory, sameBrand)
  if (!isRelated) return Promise.resolve([])
  return db
    .select()
    .from(parts)
    .where(and(notDeleted, ne(parts._id, _id), isRelated))
    .orderBy(
      desc(gte(parts.availableQuantity, lowestQuantityColumn)),
      desc(sameCategory ?? isRelated),
      asc(parts.number),
    )
    .limit(4)
}

/** Throws 'invalid' for a picture that was not uploaded, 'conflict' for a duplicate name or part number. */
export async function addPart(shop: Shop, admin: Pick<Member, '_id'>, form: PartForm, key?: string) {
  await checkPictures(shop, form)
  return idempotent(shop.db, { userId: admin._id, call: 'addPart', key, body: form }, async (tx) => {
    const [added] = await tx
      .insert(parts)
      .values({
        ...toRow(form),
        partNumber: form.partNumber ?? sql`next_part_number(${shop.partNumberPrefix})`,
      })
      .onConflictDoNothing()
      .returning({ _id: parts._id })
    if (!added) throw (await isNumberTaken(tx, form)) ? numberTakenError(form) : nameTakenError(form)
    return { insertedId: added._id }
  })
}

/** Throws like addPart, and 'not-found' for an unknown part, 'conflict' when the stock that is to change has changed meanwhile. */
export async function updatePart(
  shop: Shop,
  admin: Pick<Member, '_id'>,
  id: string,
  change: PartChange,
  key?: string,
): Promise<{ modifiedCount: number }> {
  // Without the stock that was seen, only a change that keeps the stock is safe: parts may have been sold meanwhile.
  const { availableQuantityBefore: stockBefore, ...form } = change
  const expectedStock = stockBefore ?? form.availableQuantity
  const { availableQuantity, ...others } = toRow(form)
  const keepsStock = stockBefore === availableQuantity
  await checkPictures(shop, form)
  return idempotent(
    shop.db,
    { userId: admin._id, call: 'updatePart', key, body: { id, change } },
    async (tx) => {
      await checkStoredRules(tx, id, form)
      const changed = await tx
        .update(parts)
        .set(keepsStock ? others : { ...others, availableQuantity })
        .where(
          and(
            eq(parts._id, id),
            notDeleted,
            keepsStock ? undefined : eq(parts.availableQuantity, expectedStock),
          ),
        )
        .returning({ _id: parts._id })
        .catch((error) => {
          if (violatedConstraint(error) === 'parts_live_part_number') throw numberTakenError(form)
          throw violatedConstraint(error) === 'parts_live_name' ? nameTakenError(form) : error
        })
      if (changed.length > 0) return { modifiedCount: changed.length }

      const message = stockChangedMessage(await readPart({ db: tx }, id))
      throw new ShopError('conflict', message, { fields: { availableQuantity: [message] } })
    },
  )
}

/** Returns the new stock. Throws 'not-found' for an unknown part, 'invalid' above `maxStock`. */
export function restockPart(
  shop: Shop,
  admin: Pick<Member, '_id'>,
  id: string,
  { arrived }: RestockForm,
  key?: string,
): Promise<{ availableQuantity: number }> {
  return idempotent(
    shop.db,
    { userId: admin._id, call: 'restockPart', key, body: { id, arrived } },
    async (tx) => {
      const [restocked] = await tx
        .update(parts)
        .set({ availableQuantity: sql`${parts.availableQuantity} + ${arrived}` })
        .where(and(eq(parts._id, id), notDeleted, lte(parts.availableQuantity, maxStock - arrived)))
        .returning({ availableQuantity: parts.availableQuantity })
      if (restocked) return restocked

      const { availableQuantity } = await readPart({ db: tx }, id)
      const message = `Enter at most ${formatCount(maxStock - availableQuantity)}: ${formatCount(availableQuantity)} are already in stock`
      throw new ShopError('invalid', message, { fields: { arrived: [message] } })
    },
  )
}

/** Soft-deletes the part, so that unpaid orders of it can still be paid. */
export async function deleteProduct({ db }: Shop, id: string): Promise<{ deletedCount: number }> {
  const [part] = await db.select({ _id: parts._id }).from(parts).where(eq(parts._id, id))
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  const deleted = await db
    .update(parts)
    .set({ deletedAt: new Date().toISOString() })
    .where(and(eq(parts._id, id), notDeleted))
    .returning({ _id: parts._id })
  return { deletedCount: deleted.length }
}

function toRow({ brand = '', category = '', ...form }: PartForm) {
  return { ...form, brand, category }
}

async function checkPictures(shop: Shop, { image, views = [] }: PartForm) {
  const message = 'Upload the photo first'
  const fields: Fields = {}
  if (!(await isInternal(shop, image))) fields.image = [message]
  for (const view of views) {
    if (!(await isInternal(shop, view))) fields.views = [message]
  }
  if (fields.image || fields.views) throw new ShopError('invalid', message, { fields })
}

async function isInternal({ db }: Shop, url: string) {
  const [uploaded] = await db
    .select()
    .from(pictures)
    .where(and(eq(pictures.url, url), isNull(pictures.removedAt)))
  if (uploaded) return true
  const isUsed = or(eq(parts.image, url), arrayContains(parts.views, [url]))
  const [usedBy] = await db.select({ _id: parts._id }).from(parts).where(and(notDeleted, isUsed)).limit(1)
  return usedBy !== undefined
}

function nameTakenError({ name }: PartForm) {
  const message = `A part named ${name} already exists. Choose another name.`
  return new ShopError('conflict', message, { fields: { name: [message] } })
}

function numberTakenError({ partNumber }: PartForm) {
  const message = `Another part already has the number ${partNumber}. Choose another number.`
  return new ShopError('conflict', message, { fields: { partNumber: [message] } })
}

async function isNumberTaken(tx: Queries, { partNumber = '' }: PartForm) {
  const hasNumber = sql`upper(${parts.partNumber}) = upper(${partNumber})`
  const [taken] = await tx.select({ _id: parts._id }).from(parts).where(and(notDeleted, hasNumber))
  return taken !== undefined
}

function violatedConstraint(error: { constraint?: string; cause?: { constraint?: string } }) {
  return (error.cause ?? error).constraint
}

/** Locks the part. Throws 'invalid' when the change contradicts a rule that it keeps, 'not-found' for an unknown part. */
async function checkStoredRules(tx: Queries, id: string, change: PartForm) {
  const [stored] = await tx
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), notDeleted))
    .for('update')
  if (!stored) throw new ShopError('not-found', 'This part doesn’t exist.')
  const {
    multiple = stored.multiple,
    cartonSize = stored.cartonSize,
    priceBreaks = stored.priceBreaks,
  } = change
  const errors = findRuleErrors({ ...change, multiple, cartonSize, priceBreaks })
  if (errors.length === 0) return
  const fields: Fields = {}
  for (const { path, message } of errors) fields[path.join('.')] = [message]
  throw new ShopError('invalid', errors[0]!.message, { fields })
}
