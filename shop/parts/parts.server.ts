import { and, asc, desc, eq, gte, ilike, isNull, type SQL } from 'drizzle-orm'
import { parts, pictures } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { once } from '#shop/once.server.ts'
import { containing, readPage } from '#shop/pages.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { Part, PartChange, PartForm, PartQuery } from './part.ts'

const live = isNull(parts.deletedAt)

const order = {
  added: asc(parts.number),
  name: asc(parts.name),
  price: asc(parts.perUnitPrice),
  '-price': desc(parts.perUnitPrice),
} as const satisfies Record<PartQuery['sort'], SQL>

export function listParts({ db }: Shop, query: Partial<PartQuery> = {}): Promise<Page<Part>> {
  const { q, brand, category, available, sort = 'added', limit, page } = query
  const where = and(
    live,
    q ? ilike(parts.name, containing(q)) : undefined,
    brand ? eq(parts.brand, brand) : undefined,
    category ? eq(parts.category, category) : undefined,
    available ? gte(parts.availableQuantity, parts.minQuantity) : undefined,
  )
  return readPage(db, parts, { where, orderBy: [order[sort], asc(parts.number)], limit, page })
}

export async function readPart({ db }: Pick<Shop, 'db'>, id: string): Promise<Part> {
  const [part] = await db
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), live))
  if (!part) throw new ShopError('missing', 'There is no such part.')
  return part
}

/** Throws 'invalid' for a picture that no upload answered and 'conflict' for a name that another live part has. */
export async function addPart(shop: Shop, admin: Pick<Member, '_id'>, form: PartForm, key?: string) {
  await checkPicture(shop, form.image)
  return once(shop.db, { who: admin._id, call: 'addPart', key, body: form }, async (tx) => {
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
  id: string,
  change: PartChange,
): Promise<{ modifiedCount: number }> {
  const { availableQuantityBefore: seen, ...form } = change
  await checkPicture(shop, form.image)
  const changed = await shop.db
    .update(parts)
    .set(row(form))
    .where(and(eq(parts._id, id), live, seen === undefined ? undefined : eq(parts.availableQuantity, seen)))
    .returning({ _id: parts._id })
    .catch((error) => {
      throw isUniqueViolation(error) ? nameTaken(form) : error
    })
  if (changed.length > 0) return { modifiedCount: changed.length }

  const { availableQuantity } = await readPart(shop, id)
  const message = `The stock changed meanwhile: it is ${availableQuantity} now.`
  throw new ShopError('conflict', message, { fields: { availableQuantity: [message] } })
}

/** Takes a part off the shop. Its row stays for the orders that name it, so an unpaid one can still be paid. */
export async function deleteProduct({ db }: Shop, id: string): Promise<{ deletedCount: number }> {
  const [part] = await db.select({ _id: parts._id }).from(parts).where(eq(parts._id, id))
  if (!part) throw new ShopError('missing', 'There is no such part.')
  const deleted = await db
    .update(parts)
    .set({ deletedAt: new Date().toISOString() })
    .where(and(eq(parts._id, id), live))
    .returning({ _id: parts._id })
  return { deletedCount: deleted.length }
}

function row({ brand = '', category = '', ...form }: PartForm) {
  return { ...form, brand, category }
}

async function checkPicture({ db }: Shop, url: string) {
  const [uploaded] = await db.select().from(pictures).where(eq(pictures.url, url))
  if (uploaded) return
  const [shown] = await db.select({ _id: parts._id }).from(parts).where(eq(parts.image, url)).limit(1)
  if (shown) return
  const message = 'Please upload the picture first'
  throw new ShopError('invalid', message, { fields: { image: [message] } })
}

function nameTaken({ name }: PartForm) {
  const message = `Another part is named ${name}`
  return new ShopError('conflict', message, { fields: { name: [message] } })
}

function isUniqueViolation(error: { code?: string; cause?: { code?: string } }) {
  return (error.cause?.code ?? error.code) === '23505'
}
