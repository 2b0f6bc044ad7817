import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { executeRows } from '#db/driver/rows.ts'
import { profiles, reviews, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { isPicturePath } from '#shop/fields.ts'
import { pictureTypeMessage } from '#shop/pictures/picture.ts'
import { recordPicture } from '#shop/pictures/pictures.server.ts'
import type { Shop } from '#shop/ports.ts'
import { networkLimits, type RateLimit, widerNetwork, withRateLimits } from '#shop/rate-limits.server.ts'
import { log } from '#telemetry/log.ts'

/** Each copy holds up to 10 MB in memory. */
const copyLimit = pLimit(8)
const maxQueued = 16
const batch = 30
const externalBatch = 300
/** Leaves the other slots to My Profile. */
const jobLimit = pLimit(2)
/** Photos are shown at 160 pixels at most; browsers with dense screens want twice as many. */
export const photoSide = 320
const hour = 60 * 60

const notLoaded =
  'We couldn’t load a photo from this link. Use a public https:// link to a JPEG, PNG or WebP photo of up to 10 MB.'

/** The address from which browsers may load the picture; null for one that is not the shop's or its image host's. */
export function ownPictureUrl(
  { origin, imageOrigin }: Pick<Shop, 'origin' | 'imageOrigin'>,
  url: string | null,
): string | null {
  if (!url) return null
  const address = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  const isOwn =
    isPicturePath(address) ||
    isIllustration(address) ||
    (imageOrigin !== null && address.startsWith(`${imageOrigin}/`))
  return isOwn ? address : null
}

/** The demo's reviewers have one. */
function isIllustration(address: string) {
  return /^\/illustrations\/[\w-]+\.svg$/.test(address)
}

/**
 * Copies a picture of another host and returns the copy's URL. `network` is null for a photo that came with a sign-in. Throws
 * 'invalid', 'rate-limited' or 'unavailable'.
 */
export async function importPhoto(
  shop: Shop,
  { userId, network }: { userId: string; network: string | null },
  source: string,
): Promise<string> {
  const own = ownPictureUrl(shop, source)
  if (own) return own
  return withRateLimits(shop, photoLimits(userId, network), () =>
    withSlot(`by ${userId}`, 2, () =>
      withSlot(`from ${network && (widerNetwork(network) ?? network)}`, 4, () => copyPicture(shop, source)),
    ),
  )
}

/** Failed attempts count, too: they reach the other host. */
function photoLimits(userId: string, network: string | null): RateLimit[] {
  const ofNetwork = (max: number, seconds: number) =>
    networkLimits(network!, { max, seconds, counts: 'all' }, (name) => `photo:${seconds}:from:${name}`)
  return [
    ...(network ? [...ofNetwork(200, 24 * hour), ...ofNetwork(40, hour)] : []),
    { keys: [`photo:by:${userId}`], max: 20, seconds: hour, counts: 'all' },
  ]
}

const slots = new Map<string, number>()

/** Slow hosts of one client must not keep the photos of others waiting. */
async function withSlot<T>(client: string, max: number, work: () => Promise<T>): Promise<T> {
  const taken = slots.get(client) ?? 0
  if (taken >= max) throw busyError()
  slots.set(client, taken + 1)
  try {
    return await work()
  } finally {
    const left = slots.get(client)! - 1
    if (left > 0) slots.set(client, left)
    else slots.delete(client)
  }
}

async function copyPicture({ db, images, download }: Shop, source: string): Promise<string> {
  if (copyLimit.pendingCount >= maxQueued) throw busyError()
  return copyLimit(async () => {
    const url = await download(source)
      .then((picture) => images.store(picture, { photoSide }))
      .catch(throwNotLoaded)
    await recordPicture(db, url)
    return url
  })
}

function busyError() {
  return new ShopError('unavailable', 'We’re still loading other photos. Try again in a moment.', {
    retryAfter: 10,
  })
}

function throwNotLoaded(error: Error): never {
  if (!(error instanceof ShopError && error.code === 'invalid')) throw error
  const [reason = pictureTypeMessage] = error.fields?.image ?? []
  // What is no photo may be a page of a private network: nothing is said about it.
  const message = reason === pictureTypeMessage ? notLoaded : reason
  throw new ShopError('invalid', message, { fields: { photoURL: [message] } })
}

/** Copies the photos that came with a sign-in. One that fails is tried again after the next sign-in. */
export async function copySignInPhotos(shop: Shop) {
  const waiting = await shop.db
    .select({ _id: users._id, source: users.photoSource })
    .from(users)
    .where(and(isNotNull(users.photoSource), isNull(users.photoURL)))
    // Not the oldest first: some accounts with slow hosts would delay all others.
    .orderBy(sql`random()`)
    .limit(batch)
  await jobLimit.map(waiting, async ({ _id, source }) => {
    // The user may choose another photo meanwhile.
    const update = (values: Partial<typeof users.$inferInsert>, isUnchanged: SQL) =>
      shop.db
        .update(users)
        .set(values)
        .where(and(eq(users._id, _id), isUnchanged, isNull(users.photoURL)))
    // First, so that a picture that ends the process does not end it at each start.
    await update({ photoSource: null }, eq(users.photoSource, source!))
    const photoURL = await nullIfRefused(importPhoto(shop, { userId: _id, network: null }, source!))
    if (photoURL === null) return
    await update({ photoSource: source, ...(photoURL && { photoURL }) }, isNull(users.photoSource))
  })
}

/** Copies photos of other hosts that were saved by an earlier release, and removes those that cannot be loaded. */
export async function replaceForeignPhotos(shop: Shop) {
  const { db } = shop
  const rows = await executeRows<{ source: string }>(
    db,
    sql`select photo_url as source from ${users} where photo_url like 'http%'
      union select photo_url from ${profiles} where photo_url like 'http%'
      union select image from ${reviews} where image like 'http%'`,
  )
  const external = rows.map(({ source }) => source).filter((url) => ownPictureUrl(shop, url) !== url)
  await jobLimit.map(external.slice(0, externalBatch), async (source) => {
    const url = ownPictureUrl(shop, source) ?? (await nullIfRefused(copyPicture(shop, source)))
    if (url !== undefined) await replacePhoto(shop, source, url)
  })
}

async function replacePhoto({ db }: Shop, source: string, url: string | null) {
  const photoSource = url && source
  await db.update(users).set({ photoURL: url, photoSource }).where(eq(users.photoURL, source))
  await db.update(profiles).set({ photoURL: url }).where(eq(profiles.photoURL, source))
  await db.update(reviews).set({ image: url }).where(eq(reviews.image, source))
}

/** Null when the photo was refused; undefined when the next run should try again. */
async function nullIfRefused(copy: Promise<string>): Promise<string | null | undefined> {
  try {
    return await copy
  } catch (error) {
    if (error instanceof ShopError) return error.code === 'unavailable' ? undefined : null
    log.error({ err: error }, 'could not store a photo')
    return undefined
  }
}
