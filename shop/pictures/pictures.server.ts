import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import {
  type Database,
  drawings,
  orderLines,
  parts,
  pictures,
  profiles,
  type Queries,
  replacements,
  reviews,
  users,
} from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { findResponse, idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readToken, signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'

/** A same-origin upload URL, valid for one picture and ten minutes. */
export async function createUpload(shop: Shop, admin: Member): Promise<{ url: string }> {
  const key = await signToken(shop, 'upload', await findUser(shop, admin._id))
  return { url: `/images/upload?key=${key}` }
}

/** Returns the upload id. Throws 'unauthenticated' unless the key is valid and its owner still a signed-in admin. */
export async function checkUploadKey(shop: Shop, key: string): Promise<string> {
  const token = await readToken(shop, 'upload', key)
  const user = token && (await findUser(shop, token._id))
  if (user?.role === 'admin' && user.tokenVersion === token?.tokenVersion) return token.tokenId
  throw new ShopError('unauthenticated', 'This upload key has expired. Request a new one.')
}

/** Idempotent per upload key. Throws 'conflict' for a second picture, and like `Images.store`. */
export async function uploadPicture({ db, images }: Shop, file: Blob, key?: string) {
  const conflictMessage = 'This upload key was already used for another photo. Request a new one.'
  const request = { userId: '', call: 'uploadPicture', key, body: await computeDigest(file), conflictMessage }
  // Checked first, because the picture is stored outside the transaction.
  const storedResponse = await findResponse<{ success: true; data: { url: string } }>(db, request)
  if (storedResponse) return storedResponse
  const url = await images.store(file)
  await images.prepareVariants(url)
  return idempotent(db, request, async (tx) => {
    await recordPicture(tx, url)
    return { success: true as const, data: { url } }
  })
}

/** Resets the age, so that a purge does not remove a picture that is about to be used. */
export async function recordPicture(db: Queries, url: string) {
  const createdAt = new Date().toISOString()
  await db
    .insert(pictures)
    .values({ url, createdAt })
    .onConflictDoUpdate({ target: pictures.url, set: { createdAt, removedAt: null } })
}

async function computeDigest(file: Blob) {
  const hash = createHash('sha256')
  for await (const chunk of file.stream()) hash.update(chunk)
  return hash.digest('hex')
}

const hour = 60 * 60 * 1000

/** Safe to run concurrently. Marks pictures first and deletes an hour later, when concurrent writes have committed. */
export async function deleteUnusedPictures({ db, images }: Pick<Shop, 'db' | 'images'>, now = Date.now()) {
  const hoursAgo = (hours: number) => new Date(now - hours * hour).toISOString()
  const used = await usedPictures(db, now)
  const rows = await db.select().from(pictures)
  const revived = rows.filter(({ url, removedAt }) => removedAt && used.has(url))
  const unused = rows.filter(({ url }) => !used.has(url))

  for (const isBatch of batches(revived)) await db.update(pictures).set({ removedAt: null }).where(isBatch)
  for (const isBatch of batches(unused)) {
    await db
      .update(pictures)
      .set({ removedAt: new Date(now).toISOString() })
      .where(and(isBatch, isNull(pictures.removedAt), lt(pictures.createdAt, hoursAgo(24))))
    await db.delete(pictures).where(and(isBatch, lt(pictures.removedAt, hoursAgo(1))))
  }
  const remaining = await db.select({ url: pictures.url }).from(pictures)
  await images.deleteUnused(new Set([...used, ...remaining.map(({ url }) => url)]), new Date(hoursAgo(24)))
}

/** Conditions: a query of Postgres has at most 65,535 parameters. */
function batches(rows: { url: string }[], size = 5_000) {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) =>
    inArray(
      pictures.url,
      rows.slice(i * size, (i + 1) * size).map(({ url }) => url),
    ),
  )
}

/** Includes pictures of parts that were deleted within 30 days before `now`, that an order references, or that are replaced. */
export async function usedPictures(db: Database, now = Date.now()): Promise<Set<string>> {
  const longAgo = new Date(now - 30 * 24 * hour).toISOString()
  const rows = await executeRows<{ url: string }>(
    db,
    sql`with kept as (
        select image, views from ${parts}
        where ${parts.deletedAt} is null or ${parts.deletedAt} > ${longAgo}
          or exists (select from ${orderLines} where ${orderLines.partId} = ${parts._id})
          or exists (select from ${replacements} where ${replacements.partId} = ${parts._id})
      )
      select url from (
        select image as url from kept union select unnest(views) from kept
        union select photo_url from ${profiles} union select photo_url from ${users}
        union select image from ${reviews} union select image from ${drawings}
      ) as shown where url is not null`,
  )
  return new Set(rows.map(({ url }) => url))
}

async function findUser({ db }: Shop, id: string) {
  const [user] = await db.select().from(users).where(eq(users._id, id))
  if (!user) throw new ShopError('unauthenticated', 'Please sign in.')
  return user
}
