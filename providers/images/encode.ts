import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { ShopError } from '#shop/errors.ts'
import { type PictureFormat, wrongPicture } from '#shop/parts/picture.ts'

const taken = ['Jpeg', 'Png', 'Webp', 'Heif']
const maxPixels = 50_000_000
/** A picture is kept no wider and no higher than this, in pixels. */
const maxSide = 1_600
const timeout = { seconds: 10 }
/** Each picture that is being worked on takes a core, and pages want one too. */
const maxConcurrent = 2
const maxQueued = 200

// For this whole process: whatever a file pretends to be, no other decoder ever sees it.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: taken.map((format) => `VipsForeignLoad${format}Buffer`) })
sharp.cache(false)
sharp.concurrency(1)

export const formats: Record<PictureFormat, { type: string; encode: (picture: Sharp) => Sharp }> = {
  avif: { type: 'image/avif', encode: (picture) => picture.avif({ quality: 50, effort: 2 }) },
  webp: { type: 'image/webp', encode: (picture) => picture.webp({ quality: 78 }) },
  jpg: {
    type: 'image/jpeg',
    encode: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
  },
}

const limit = pLimit(maxConcurrent)

/** Does one piece of work on pictures as soon as there is room for it. Throws 'unavailable' when too many wait already. */
export function inPictureQueue<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount < maxQueued) return limit(work)
  throw busy()
}

function busy() {
  return new ShopError('unavailable', 'There are many pictures on their way. Please try again in a moment.', {
    retryAfter: 5,
  })
}

/**
 * What came in as a picture, decoded and written anew, so that nothing but the picture is left: upright, in sRGB, no
 * metadata, no script, no second file hidden behind it, only the first of several frames. Throws 'invalid' for what is not
 * one that we take, and 'unavailable' where it takes too long.
 */
export async function normalise(bytes: Uint8Array, encode: (picture: Sharp) => Sharp): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'warning' }).timeout(timeout)
    const kept = { width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true } as const
    return await encode(picture.autoOrient().resize(kept)).toBuffer()
  } catch (error) {
    if ((error as Error).message.startsWith('timeout')) throw busy()
    throw new ShopError('invalid', wrongPicture, { fields: { image: [wrongPicture] } })
  }
}

/** A picture of ours in another width and format. Throws where it cannot be read. */
export function variantOf(picture: Uint8Array, width: number, format: PictureFormat): Promise<Buffer> {
  const resized = sharp(picture).timeout(timeout).resize({ width, withoutEnlargement: true })
  return formats[format].encode(resized).toBuffer()
}
