import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { ShopError } from '#shop/errors.ts'
import { type PictureFormat, pictureTypeMessage } from '#shop/parts/picture.ts'

const decoders = ['Jpeg', 'Png', 'Webp', 'Heif']
const maxPixels = 50_000_000
const defaultSide = 1_600
const timeout = { seconds: 30 }
/** A queue waits about 20 seconds at most. */
const maxQueued = 60

// Process-wide: no other decoder ever sees uploaded bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: decoders.map((format) => `VipsForeignLoad${format}Buffer`) })
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

/** Separate, so that neither keeps the other waiting. Each encoding occupies a core, and page requests need one too. */
const queues = { uploads: pLimit(1), variants: pLimit(1) }

export function inPictureQueue<T>(name: keyof typeof queues, work: () => Promise<T>): Promise<T> {
  const queue = queues[name]
  if (queue.pendingCount < maxQueued) return queue(work)
  throw queueFullError()
}

function queueFullError() {
  return new ShopError('unavailable', 'Too many pictures are being uploaded. Try again in a moment.', {
    retryAfter: 5,
  })
}

/** Re-encodes an upload so that only pixels survive: upright, sRGB, first frame, no metadata. Throws 'invalid' for an unsupported file, 'unavailable' on a timeout. */
export async function normalise(
  bytes: Uint8Array,
  encode: (picture: Sharp) => Sharp,
  maxSide = defaultSide,
): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'warning' }).timeout(timeout)
    const bounds = { width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true } as const
    return await encode(picture.autoOrient().resize(bounds)).toBuffer()
  } catch (error) {
    if ((error as Error).message.startsWith('timeout')) throw queueFullError()
    throw new ShopError('invalid', pictureTypeMessage, { fields: { image: [pictureTypeMessage] } })
  }
}

export function variantOf(picture: Uint8Array, width: number, format: PictureFormat): Promise<Buffer> {
  const resized = sharp(picture).timeout(timeout).resize({ width, withoutEnlargement: true })
  return formats[format].encode(resized).toBuffer()
}
