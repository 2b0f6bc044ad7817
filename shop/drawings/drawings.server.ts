import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { drawings, hotspots, parts, type Queries } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { changedMeanwhile, type Fields, ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { checkUploaded } from '#shop/parts/edit.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import type { Shop } from '#shop/ports.ts'
import type { Drawing, DrawingChange, DrawingForm, ListedDrawing } from './drawing.ts'

export function listDrawings({ db }: { db: Queries }): Promise<ListedDrawing[]> {
  const { _id, title, image, revision, changedAt } = drawings
  const count = sql<number>`(select count(distinct part_id)::integer from ${hotspots} where drawing_id = ${drawings}.id)`
  return db
    .select({ _id, title, image, revision, changedAt, parts: count })
    .from(drawings)
    .orderBy(asc(drawings.title), asc(drawings.number))
}

/** Those that show a part. */
export function listDrawingsOf({ db }: { db: Queries }, partId: string) {
  const shows = db.select({ id: hotspots.drawingId }).from(hotspots).where(eq(hotspots.partId, partId))
  return db
    .select({ _id: drawings._id, title: drawings.title })
    .from(drawings)
    .where(inArray(drawings._id, shows))
    .orderBy(asc(drawings.title), asc(drawings.number))
}

export async function readDrawing({ db }: { db: Queries }, id: string): Promise<Drawing> {
  const [row] = await db.select().from(drawings).where(eq(drawings._id, id))
  if (!row) throw missing()
  const spots = await db
    .select()
    .from(hotspots)
    .innerJoin(parts, eq(parts._id, hotspots.partId))
    .where(eq(hotspots.drawingId, id))
    .orderBy(asc(hotspots.number))
  const { _id, title, image, revision, changedAt } = row
  return {
    _id,
    title,
    image,
    revision,
    changedAt,
    hotspots: spots.map(({ hotspots: { drawingId, ...spot }, parts: { partNumber, name, deletedAt } }) => ({
      ...spot,
      partNumber,
      name,
      deleted: deletedAt !== null,
    })),
  }
}

/** With the parts that are for sale, in no order. */
export async function readDrawingWithParts({ db }: Pick<Shop, 'db'>, id: string) {
  const read = await readDrawing({ db }, id)
  const ids = read.hotspots.map(({ partId }) => partId)
  const shown = await db
    .select()
    .from(parts)
    .where(and(inArray(parts._id, ids), notDeleted))
  return { drawing: read, parts: shown }
}

/** Throws 'invalid' for a picture that was not uploaded, and for numbers that no part has. */
export async function addDrawing(shop: Shop, admin: Actor, form: DrawingForm, key?: string) {
  await checkUploaded(shop, form.image)
  return idempotent(shop.db, { userId: admin._id, call: 'addDrawing', key, body: form }, async (tx) => {
    const ids = await findPartIds(tx, form)
    const { title, image } = form
    const [added] = await tx
      .insert(drawings)
      .values({ title, image, changedAt: new Date().toISOString() })
      .returning({ _id: drawings._id })
    await writeHotspots(tx, added!._id, form, ids)
    const change = { kind: 'drawing', id: added!._id, subject: title, after: toValues(form) } as const
    await recordChange(tx, admin, { action: 'addDrawing', ...change })
    return { insertedId: added!._id }
  })
}

/** Throws like addDrawing, 'not-found', and 'conflict' when it has changed since it was read. */
export async function updateDrawing(
  shop: Shop,
  admin: Actor,
  id: string,
  { revision, ...form }: DrawingChange,
) {
  await checkUploaded(shop, form.image)
  return shop.db.transaction(async (tx) => {
    const ids = await findPartIds(tx, form)
    const [locked] = await tx.select().from(drawings).where(eq(drawings._id, id)).for('update')
    if (!locked) throw missing()
    if (locked.revision !== revision) throw new ShopError('conflict', changedMeanwhile())
    const before = await readDrawing({ db: tx }, id)
    const { title, image } = form
    await tx
      .update(drawings)
      .set({ title, image, revision: revision + 1, changedAt: new Date().toISOString() })
      .where(eq(drawings._id, id))
    await tx.delete(hotspots).where(eq(hotspots.drawingId, id))
    await writeHotspots(tx, id, form, ids)
    const values = { before: toValues(before), after: toValues(form) }
    await recordChange(tx, admin, { action: 'updateDrawing', kind: 'drawing', id, subject: title, ...values })
    return { modifiedCount: 1 }
  })
}

export async function deleteDrawing({ db }: Shop, admin: Actor, id: string) {
  return db.transaction(async (tx) => {
    const [locked] = await tx.select().from(drawings).where(eq(drawings._id, id)).for('update')
    if (!locked) return { deletedCount: 0 }
    const before = await readDrawing({ db: tx }, id)
    await tx.delete(drawings).where(eq(drawings._id, id))
    const change = { kind: 'drawing', id, subject: before.title, before: toValues(before) } as const
    await recordChange(tx, admin, { action: 'deleteDrawing', ...change })
    return { deletedCount: 1 }
  })
}

/** In the order of the form. */
async function findPartIds(tx: Queries, form: DrawingForm): Promise<string[]> {
  const keys = form.hotspots.map(({ partNumber }) => numberKey(partNumber))
  const rows = await tx
    .select({ _id: parts._id, partNumber: parts.partNumber })
    .from(parts)
    .where(and(inArray(sql`part_number_key`, keys), notDeleted))
  const ids = new Map(rows.map(({ _id, partNumber }) => [numberKey(partNumber), _id]))
  const fields: Fields = {}
  for (const [i, { partNumber }] of form.hotspots.entries())
    if (!ids.has(keys[i]!)) fields[`hotspots.${i}.partNumber`] = [`No part has the number ${partNumber}.`]
  const [first] = Object.values(fields)
  if (first) throw new ShopError('invalid', first[0]!, { fields })
  return keys.map((key) => ids.get(key)!)
}

async function writeHotspots(tx: Queries, drawingId: string, form: DrawingForm, ids: string[]) {
  const rows = form.hotspots.map(({ x, y, quantity }, i) => ({
    number: i + 1,
    partId: ids[i]!,
    x,
    y,
    quantity,
  }))
  await tx.insert(hotspots).values(rows.map((row) => ({ drawingId, ...row })))
}

function toValues({ title, image, hotspots: spots }: DrawingForm | Drawing) {
  return {
    title,
    image,
    hotspots: spots.map(({ partNumber, quantity }, i) => `${i + 1}: ${quantity} × ${partNumber}`),
  }
}

function missing() {
  return new ShopError('not-found', 'This drawing doesn’t exist.')
}
