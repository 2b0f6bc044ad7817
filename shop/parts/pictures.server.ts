import { eq } from 'drizzle-orm'
import { pictures, users } from '#db/schema.ts'
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
    await tx.insert(pictures).values({ url }).onConflictDoNothing()
    return { success: true, data: { url } }
  })
}

async function bearer({ db }: Shop, id: string) {
  const [user] = await db.select().from(users).where(eq(users._id, id))
  if (!user) throw new ShopError('unauthenticated', 'Please sign in.')
  return user
}
