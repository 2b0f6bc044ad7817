import { and, eq, sql } from 'drizzle-orm'
import { rowsOf } from '#db/rows.ts'
import { type Database, parts, pictures, profiles, reviews, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { once } from '#shop/once.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readToken, signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'

/** Where an admin may send one picture within ten minutes: an address on this origin. */
export async function createUpload(shop: Shop, admin: Member): Promise<{ url: string }> {
  const key = await signToken(shop, 'upload', await bearer(shop, admin._id))
  return { url: `/images/upload?key=${key}` }
}

/** The id of the upload. Throws 'unauthenticated' unless the key is current and its holder is an admin still. */
export async function checkUploadKey(shop: Shop, key: string): Promise<string> {
  const holder = await readToken(shop, 'upload', key)
  if (holder && (await bearer(shop, holder._id)).role === 'admin') return holder.tokenId
  throw new ShopError('unauthenticated', 'This upload key is not valid any more.')
}

/** Takes one picture for each upload key. Throws 'invalid' for what is not one, 'conflict' for a second one. */
export async function uploadPicture(shop: Shop, file: Blob, key?: string) {
  const url = await shop.images.store(await file.bytes())
  return once(shop.db, { who: '', call: 'uploadPicture', key, body: url }, async (tx) => {
    // One that is uploaded again is as good as new: nobody sweeps it away under whoever is about to use it.
    const createdAt = new Date().toISOString()
    await tx
      .insert(pictures)
      .values({ url, createdAt })
      .onConflictDoUpdate({ target: pictures.url, set: { createdAt } })
    return { success: true, data: { url } }
  })
}

const day = 24 * 60 * 60 * 1000

/**
 * Removes the pictures that were uploaded more than a day ago and that nobody uses, in two sweeps: the first one takes
 * them off the list of uploads, so that no part can show them from then on, and the next one takes their files. A part
 * that was being added at the moment of the first is there by the second, and counts.
 */
export async function sweepPictures({ db, images }: Pick<Shop, 'db' | 'images'>, now = Date.now()) {
  const before = new Date(now - day)
  const shown = await shownPictures(db)
  const uploaded = await db.select().from(pictures)
  await images.sweep(new Set([...shown, ...uploaded.map(({ url }) => url)]), before)

  const old = uploaded.filter(({ url, createdAt }) => !shown.has(url) && new Date(createdAt) < before)
  for (const { url, createdAt } of old) {
    // Not one that was uploaded again meanwhile.
    await db.delete(pictures).where(and(eq(pictures.url, url), eq(pictures.createdAt, createdAt)))
  }
}

/** Every picture that something shows, parts included that are off the shop: orders lead to them. */
async function shownPictures(db: Database): Promise<Set<string>> {
  const rows = await rowsOf<{ url: string }>(
    db,
    sql`select url from (
        select image as url from ${parts} union select unnest(views) from ${parts}
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
