import { createHash } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, lt, notInArray, sql } from 'drizzle-orm'
import { rowsOf } from '#db/rows.ts'
import { type Database, orders, parts, pictures, profiles, reviews, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { findResponse, idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readToken, signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'

/** Where an admin may send one picture within ten minutes: an address on this origin. */
export async function createUpload(shop: Shop, admin: Member): Promise<{ url: string }> {
  const key = await signToken(shop, 'upload', await bearer(shop, admin._id))
  return { url: `/images/upload?key=${key}` }
}

/** The id of the upload. Throws 'unauthenticated' unless the key is current and its holder an admin who is signed in still. */
export async function checkUploadKey(shop: Shop, key: string): Promise<string> {
  const holder = await readToken(shop, 'upload', key)
  const user = holder && (await bearer(shop, holder._id))
  if (user?.role === 'admin' && user.tokenVersion === holder?.tokenVersion) return holder.tokenId
  throw new ShopError('unauthenticated', 'This upload key is not valid any more.')
}

/**
 * Takes one picture for each upload key; the same one again is answered as before. Throws 'invalid' for what is not a
 * picture, 'conflict' for a second one, and as whoever keeps the pictures does.
 */
export async function uploadPicture({ db, images }: Shop, file: Blob, key?: string) {
  const conflictMessage = 'Another picture was uploaded with this key. Please ask for a new one.'
  const claim = { userId: '', call: 'uploadPicture', key, body: await digestOf(file), conflictMessage }
  // Kept first, since no transaction waits for whoever keeps them; a key that was used up is found out before that.
  const before = await findResponse<{ success: true; data: { url: string } }>(db, claim)
  if (before) return before
  const url = await images.store(file)
  await images.prepareVariants(url)
  return idempotent(db, claim, async (tx) => {
    // One that is uploaded again is as good as new: nobody sweeps it away under whoever is about to use it.
    const createdAt = new Date().toISOString()
    await tx
      .insert(pictures)
      .values({ url, createdAt })
      .onConflictDoUpdate({ target: pictures.url, set: { createdAt, removedAt: null } })
    return { success: true as const, data: { url } }
  })
}

async function digestOf(file: Blob) {
  const hash = createHash('sha256')
  for await (const chunk of file.stream()) hash.update(chunk)
  return hash.digest('hex')
}

const hour = 60 * 60 * 1000

/**
 * Removes the pictures that were uploaded more than a day ago and that nobody uses, in two steps: first they are marked,
 * and no part can show them from then on; an hour later, when a part that was being added at that moment counts, their
 * files go. Several processes may do it at once.
 */
export async function deleteUnusedPictures({ db, images }: Pick<Shop, 'db' | 'images'>, now = Date.now()) {
  const before = (hours: number) => new Date(now - hours * hour).toISOString()
  const shown = await shownPictures(db, now)
  const unused = (await db.select().from(pictures)).filter(({ url }) => !shown.has(url)).map(({ url }) => url)

  await db
    .update(pictures)
    .set({ removedAt: null })
    .where(and(notInArray(pictures.url, unused), isNotNull(pictures.removedAt)))
  await db
    .update(pictures)
    .set({ removedAt: new Date(now).toISOString() })
    .where(and(inArray(pictures.url, unused), isNull(pictures.removedAt), lt(pictures.createdAt, before(24))))
  await db.delete(pictures).where(and(inArray(pictures.url, unused), lt(pictures.removedAt, before(1))))
  const kept = await db.select({ url: pictures.url }).from(pictures)
  await images.deleteUnused(new Set([...shown, ...kept.map(({ url }) => url)]), new Date(before(24)))
}

/**
 * Every picture that something shows, with those of parts that went off the shop less than 30 days before `now` or that an order
 * names: somebody may want to see them again.
 */
async function shownPictures(db: Database, now: number): Promise<Set<string>> {
  const longAgo = new Date(now - 30 * 24 * hour).toISOString()
  const rows = await rowsOf<{ url: string }>(
    db,
    sql`with kept as (
        select image, views from ${parts}
        where ${parts.deletedAt} is null or ${parts.deletedAt} > ${longAgo}
          or exists (select from ${orders} where ${orders.partId} = ${parts._id})
      )
      select url from (
        select image as url from kept union select unnest(views) from kept
        union select photo_url from ${profiles} union select photo_url from ${users}
        union select image from ${reviews}
      ) as shown where url is not null`,
  )
  return new Set(rows.map(({ url }) => url))
}

async function bearer({ db }: Shop, id: string) {
  const [user] = await db.select().from(users).where(eq(users._id, id))
  if (!user) throw new ShopError('unauthenticated', 'Please sign in.')
  return user
}
