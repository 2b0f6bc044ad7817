import { and, arrayContains, asc, desc, eq, gte, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { parts, pictures, type Queries } from '#db/schema.ts'
import { type Fields, ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { active } from './active.server.ts'
import { maxStock, type Part, type PartChange, type PartForm, type RestockForm } from './part.ts'
import { type PartSearch, readSearch } from './search.server.ts'
import { stockChanged } from './stock.ts'

export async function listParts({ db }: Shop, query: PartSearch = {}): Promise<Page<Part>> {
  const { where, orderBy } = await readSearch(db, query)
  return readPage(db, parts, { where, orderBy, limit: query.limit, page: query.page })
}

export async function readPart({ db }: { db: Queries }, id: string): Promise<Part> {
  const [part] = await db
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), active))
  if (!part) throw new ShopError('missing', 'There is no such part.')
  return part
}

/** The ids of the first parts, and nothing else: there may be many. */
export async function listPartIds({ db }: Pick<Shop, 'db'>, most: number): Promise<string[]> {
  const rows = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(active)
    .orderBy(asc(parts.number))
    .limit(most)
  return rows.map(({ _id }) => _id)
}

/** What somebody who looks at a part may want too: at most four of its category or brand, those in stock first. */
export function relatedParts({ db }: Pick<Shop, 'db'>, { _id, brand, category }: Part): Promise<Part[]> {
  const sameCategory = category ? eq(parts.category, category) : undefined
  const sameBrand = brand ? eq(parts.brand, brand) : undefined
  const akin = or(sameCategory, sameBrand)
  if (!akin) return Promise.resolve([])
  return db
    .select()
    .from(parts)
    .where(and(active, ne(parts._id, _id), akin))
    .orderBy(
      desc(gte(parts.availableQuantity, parts.minQuantity)),
      desc(sameCategory ?? akin),
      asc(parts.number),
    )
    .limit(4)
}

/** Throws 'invalid' for a picture that no upload answered and 'conflict' for a name that another live part has. */
export async function addPart(shop: Shop, admin: Pick<Member, '_id'>, form: PartForm, key?: string) {
  await checkPictures(shop, form)
  return idempotent(shop.db, { userId: admin._id, call: 'addPart', key, body: form }, async (tx) => {
    const [added] = await tx
      .insert(parts)
      .values(row(form))
      .onConflictDoNothing()
      .returning({ _id: parts._id })
    if (!added) throw nameTaken(form)
    return { insertedId: added._id }
  })
}

/** Throws as addPart does, 'missing' for a part that is not in the shop, 'conflict' when its stock changed meanwhile. */
export async function updatePart(
  shop: Shop,
  admin: Pick<Member, '_id'>,
  id: string,
  change: PartChange,
  key?: string,
): Promise<{ modifiedCount: number }> {
  const { availableQuantityBefore: seen, ...form } = change
  await checkPictures(shop, form)
  return idempotent(
    shop.db,
    { userId: admin._id, call: 'updatePart', key, body: { id, change } },
    async (tx) => {
      const changed = await tx
        .update(parts)
        .set(row(form))
        .where(
          and(eq(parts._id, id), active, seen === undefined ? undefined : eq(parts.availableQuantity, seen)),
        )
        .returning({ _id: parts._id })
        .catch((error) => {
          throw isUniqueViolation(error) ? nameTaken(form) : error
        })
      if (changed.length > 0) return { modifiedCount: changed.length }

      const message = stockChanged(await readPart({ db: tx }, id))
      throw new ShopError('conflict', message, { fields: { availableQuantity: [message] } })
    },
  )
}

/**
 * Adds what has arrived to the stock as it is at that moment, and answers what it is then. Throws 'missing' for a part
 * that is not in the shop and 'invalid' beyond a million.
 */
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
        .where(and(eq(parts._id, id), active, lte(parts.availableQuantity, maxStock - arrived)))
        .returning({ availableQuantity: parts.availableQuantity })
      if (restocked) return restocked

      const { availableQuantity } = await readPart({ db: tx }, id)
      const message = `There are ${availableQuantity} already, and room for 1,000,000`
      throw new ShopError('invalid', message, { fields: { arrived: [message] } })
    },
  )
}

/** Takes a part off the shop. Its row stays for the orders that name it, so an unpaid one can still be paid. */
export async function deleteProduct({ db }: Shop, id: string): Promise<{ deletedCount: number }> {
  const [part] = await db.select({ _id: parts._id }).from(parts).where(eq(parts._id, id))
  if (!part) throw new ShopError('missing', 'There is no such part.')
  const deleted = await db
    .update(parts)
    .set({ deletedAt: new Date().toISOString() })
    .where(and(eq(parts._id, id), active))
    .returning({ _id: parts._id })
  return { deletedCount: deleted.length }
}

function row({ brand = '', category = '', ...form }: PartForm) {
  return { ...form, brand, category }
}

async function checkPictures(shop: Shop, { image, views = [] }: PartForm) {
  const message = 'Please upload the picture first'
  const fields: Fields = {}
  if (!(await isOurs(shop, image))) fields.image = [message]
  for (const view of views) {
    if (!(await isOurs(shop, view))) fields.views = [message]
  }
  if (fields.image || fields.views) throw new ShopError('invalid', message, { fields })
}

/** Whether an upload answered this picture, or a part in the shop shows it. */
async function isOurs({ db }: Shop, url: string) {
  const [uploaded] = await db
    .select()
    .from(pictures)
    .where(and(eq(pictures.url, url), isNull(pictures.removedAt)))
  if (uploaded) return true
  const shows = or(eq(parts.image, url), arrayContains(parts.views, [url]))
  const [shown] = await db.select({ _id: parts._id }).from(parts).where(and(active, shows)).limit(1)
  return shown !== undefined
}

function nameTaken({ name }: PartForm) {
  const message = `Another part is named ${name}`
  return new ShopError('conflict', message, { fields: { name: [message] } })
}

function isUniqueViolation(error: { code?: string; cause?: { code?: string } }) {
  return (error.cause?.code ?? error.code) === '23505'
}
