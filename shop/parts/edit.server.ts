import { and, arrayContains, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { drawings, parts, pictures, type Queries, replacements, stockAlerts } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { findDay } from '#shop/dates.ts'
import { changedMeanwhile, type Fields, ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { notDeleted } from './not-deleted.server.ts'
import type { PartChange, PartForm } from './part.ts'
import { readPart } from './parts.server.ts'
import { findRuleErrors } from './quantity-rules.ts'
import { stockChangedMessage } from './stock.ts'

/** Throws 'invalid' for a picture that was not uploaded, 'conflict' for a duplicate name or part number. */
export async function addPart(shop: Shop, admin: Actor, form: PartForm, key?: string) {
  await checkPictures(shop, form)
  return idempotent(shop.db, { userId: admin._id, call: 'addPart', key, body: form }, async (tx) => {
    const [added] = await tx
      .insert(parts)
      .values({
        ...toRow(form),
        partNumber: form.partNumber ?? sql`next_part_number(${shop.partNumberPrefix})`,
      })
      .returning()
      .catch((error) => refuseTaken(error, form))
    await recordChange(tx, admin, { ...ofPart(added!), action: 'addPart', after: editedFields(added!) })
    return { insertedId: added!._id }
  })
}

/** Throws like addPart, and 'not-found' for an unknown part, 'conflict' when the stock or a field that is to change has changed meanwhile. */
export async function updatePart(
  shop: Shop,
  admin: Actor,
  id: string,
  change: PartChange,
  key?: string,
): Promise<{ modifiedCount: number }> {
  // Without the stock that was seen, only a change that keeps the stock is safe: parts may have been sold meanwhile.
  const { availableQuantityBefore: stockBefore, before: seen = {}, ...form } = change
  const expectedStock = stockBefore ?? form.availableQuantity
  const keepsStock = stockBefore === form.availableQuantity
  await checkPictures(shop, form)
  return idempotent(
    shop.db,
    { userId: admin._id, call: 'updatePart', key, body: { id, change } },
    async (tx) => {
      const before = await lockPart(tx, id)
      const { availableQuantity, ...others } = mergeChanges(before, toRow(form), seen)
      checkStoredRules(before, { ...others, availableQuantity })
      const [changed] = await tx
        .update(parts)
        .set(keepsStock ? others : { ...others, availableQuantity })
        .where(
          and(
            eq(parts._id, id),
            notDeleted,
            keepsStock ? undefined : eq(parts.availableQuantity, expectedStock),
          ),
        )
        .returning()
        .catch((error) => refuseTaken(error, form))
      if (changed) {
        const values = { before: editedFields(before), after: editedFields(changed) }
        await recordChange(tx, admin, { ...ofPart(changed), action: 'updatePart', ...values })
        return { modifiedCount: 1 }
      }

      const message = stockChangedMessage(await readPart({ db: tx }, id))
      throw new ShopError('conflict', message, { fields: { availableQuantity: [message] } })
    },
  )
}

/** Soft-deletes the part, so that unpaid orders of it can still be paid. */
export async function deleteProduct(
  { db, timeZone }: Pick<Shop, 'db' | 'timeZone'>,
  admin: Actor,
  id: string,
): Promise<{ deletedCount: number }> {
  const [part] = await db.select({ _id: parts._id }).from(parts).where(eq(parts._id, id))
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  return db.transaction(async (tx) => {
    const [deleted] = await tx
      .update(parts)
      .set({ deletedAt: new Date().toISOString() })
      .where(and(eq(parts._id, id), notDeleted))
      .returning()
    if (!deleted) return { deletedCount: 0 }
    // It never comes back.
    await tx.delete(stockAlerts).where(eq(stockAlerts.partId, id))
    const today = findDay(Date.now(), timeZone)
    const isPlanned = and(eq(replacements.partId, id), gt(replacements.startsOn, today))
    await tx.update(replacements).set({ startsOn: today }).where(isPlanned)
    await recordChange(tx, admin, {
      ...ofPart(deleted),
      action: 'deleteProduct',
      before: editedFields(deleted),
    })
    return { deletedCount: 1 }
  })
}

function ofPart({ _id, name }: { _id: string; name: string }) {
  return { kind: 'part', id: _id, subject: name } as const
}

/** What admins can change: `number` counts parts, and `version` their changes. */
function editedFields({ _id, number, version, createdAt, deletedAt, ...fields }: typeof parts.$inferSelect) {
  return fields
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

/** Throws 'invalid' for a picture that was not uploaded. */
export async function checkUploaded(shop: Shop, image: string) {
  const message = 'Upload the picture first'
  if (!(await isInternal(shop, image)))
    throw new ShopError('invalid', message, { fields: { image: [message] } })
}

async function isInternal({ db }: Shop, url: string) {
  const [uploaded] = await db
    .select()
    .from(pictures)
    .where(and(eq(pictures.url, url), isNull(pictures.removedAt)))
  if (uploaded) return true
  if ((await db.$count(drawings, eq(drawings.image, url))) > 0) return true
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

function refuseTaken(error: { constraint?: string; cause?: { constraint?: string } }, form: PartForm): never {
  const { constraint } = error.cause ?? error
  if (constraint === 'parts_live_part_number') throw numberTakenError(form)
  if (constraint === 'parts_live_name' || constraint === 'part_words_name') throw nameTakenError(form)
  throw error
}

/** Throws 'not-found' for an unknown part. */
async function lockPart(tx: Queries, id: string) {
  const [stored] = await tx
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), notDeleted))
    .for('update')
  if (!stored) throw new ShopError('not-found', 'This part doesn’t exist.')
  return stored
}

/** Keeps what is stored of fields that are as they were `seen`. Throws 'conflict' for others that have changed meanwhile. */
function mergeChanges<Row extends PartForm>(
  stored: typeof parts.$inferSelect,
  row: Row,
  seen: NonNullable<PartChange['before']>,
): Row {
  const fields: Fields = {}
  const merged = Object.entries(row).map(([name, value]) => {
    const [now, before] = [stored[name as keyof typeof stored], seen[name as keyof typeof seen]]
    if (!(name in seen)) return [name, value]
    if (isSame(value, before)) return [name, now]
    const known = typeof now === 'string' || typeof now === 'number' ? now : undefined
    if (!isSame(now, before) && !isSame(now, value)) fields[name] = [changedMeanwhile(known)]
    return [name, value]
  })
  const [message] = Object.values(fields)[0] ?? []
  if (message)
    throw new ShopError('conflict', 'Another admin changed this part while you were editing it.', { fields })
  return Object.fromEntries(merged) as Row
}

/** Of values that are stored as JSON or text. */
function isSame(value: unknown, other: unknown) {
  return JSON.stringify(value ?? '') === JSON.stringify(other ?? '')
}

/** Throws 'invalid' when the change contradicts a rule that it keeps. */
function checkStoredRules(stored: typeof parts.$inferSelect, change: PartForm) {
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
