import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { partModels, type parts, type Queries } from '#db/schema.ts'
import { recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { checkModel } from './check-model.server.ts'
import { largeModel, type ModelUpload, maxModelBytes, type PartModel } from './model.ts'

const columns = {
  hash: partModels.hash,
  size: partModels.size,
  triangles: partModels.triangles,
  uploadedAt: partModels.uploadedAt,
}

export async function findModel(db: Queries, partId: string): Promise<PartModel | null> {
  const [model] = await db.select(columns).from(partModels).where(eq(partModels.partId, partId))
  return model ?? null
}

export async function readModel({ db }: Pick<Shop, 'db'>, partId: string) {
  return { model: await findModel(db, partId) }
}

/** Null when no part has it any more. */
export async function readModelFile({ db }: Pick<Shop, 'db'>, hash: string): Promise<Uint8Array | null> {
  const [model] = await db
    .select({ file: partModels.file })
    .from(partModels)
    .where(eq(partModels.hash, hash))
    .limit(1)
  return model?.file ?? null
}

/** Replaces the one that the part has. Throws 'invalid' for what is no model, and 'not-found'. */
export async function uploadModel(shop: Shop, admin: Member, { part: partId, file: base64 }: ModelUpload) {
  await readPart(shop, partId)
  const file = new Uint8Array(Buffer.from(base64, 'base64'))
  if (file.length > maxModelBytes)
    throw new ShopError('too-large', largeModel, { fields: { file: [largeModel] } })
  const model = { ...describeModelFile(file), triangles: await checkModel(file) }
  return shop.db.transaction(async (tx) => {
    const part = await readPart({ db: tx }, partId)
    const before = await findModel(tx, partId)
    if (before?.hash === model.hash) return { model: before }
    const row = { ...model, file, uploadedAt: new Date().toISOString() }
    await tx
      .insert(partModels)
      .values({ partId, ...row })
      .onConflictDoUpdate({ target: partModels.partId, set: row })
    await recordChange(tx, admin, {
      action: 'uploadModel',
      ...modelSubject(part),
      before: before && toValues(before),
      after: toValues(model),
    })
    return { model: { ...model, uploadedAt: row.uploadedAt } }
  })
}

export async function deleteModel(shop: Shop, admin: Member, partId: string) {
  return shop.db.transaction(async (tx) => {
    const part = await readPart({ db: tx }, partId)
    const [removed] = await tx.delete(partModels).where(eq(partModels.partId, partId)).returning(columns)
    if (!removed) return { deletedCount: 0 }
    await recordChange(tx, admin, { action: 'deleteModel', ...modelSubject(part), before: toValues(removed) })
    return { deletedCount: 1 }
  })
}

export function describeModelFile(file: Uint8Array) {
  return { hash: createHash('sha256').update(file).digest('hex'), size: file.length }
}

function modelSubject({ _id, name }: Pick<typeof parts.$inferSelect, '_id' | 'name'>) {
  return { kind: 'part', id: _id, subject: name } as const
}

function toValues({ size, triangles }: Pick<PartModel, 'size' | 'triangles'>) {
  return { size, triangles }
}
