import pLimit from 'p-limit'
import type { Sharp } from 'sharp'
import { ShopError } from '#shop/errors.ts'
import { type PictureFormat, pictureTypeMessage } from '#shop/parts/picture.ts'

const decoders = ['Jpeg', 'Png', 'Webp', 'Heif']
const maxPixels = 50_000_000
/** More than a panorama of a phone has. Millions of rows of one pixel take many times as long as a square. */
const maxSide = 20_000
/** An AVIF needs 30 bytes a pixel. */
const maxAvifPixels = 12_000_000
const defaultSide = 1_600
const timeout = { seconds: 30 }
const maxQueued = 60
/** Less than the minute after which the server closes a stalled connection. */
const maxWaitMs = 25_000
/** A progressive JPEG usually has about 10. Each is decoded over the whole picture, which `timeout` does not interrupt. */
const maxScans = 64

let loading: ReturnType<typeof importSharp> | undefined

/** With the first picture. */
function loadSharp() {
  loading ??= importSharp()
  return loading
}

async function importSharp() {
  const { default: sharp } = await import('sharp')
  // Process-wide: no other decoder ever sees uploaded bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: decoders.map((format) => `VipsForeignLoad${format}Buffer`) })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

export const formats: Record<PictureFormat, { type: string; encode: (picture: Sharp) => Sharp }> = {
  avif: { type: 'image/avif', encode: (picture) => picture.avif({ quality: 50, effort: 2 }) },
  webp: { type: 'image/webp', encode: (picture) => picture.webp({ quality: 78 }) },
  jpg: {
    type: 'image/jpeg',
    encode: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
  },
}

/** Separate, so that none keeps the others waiting. Each encoding occupies a core, and page requests need one too. */
const queues = { uploads: pLimit(1), photos: pLimit(1), variants: pLimit(1) }

/** Throws 'unavailable' when the queue is full, or the turn does not come within `maxWaitMs`. */
export async function inPictureQueue<T>(name: keyof typeof queues, work: () => Promise<T>): Promise<T> {
  const queue = queues[name]
  if (queue.pendingCount >= maxQueued) throw queueFullError()
  const late = Promise.withResolvers<never>()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    late.reject(queueFullError())
  }, maxWaitMs)
  const turn = queue(() => {
    clearTimeout(timer)
    if (isLate) throw queueFullError()
    return work()
  })
  return Promise.race([turn, late.promise])
}

function queueFullError() {
  return new ShopError('unavailable', 'Too many photos are being uploaded. Try again in a moment.', {
    retryAfter: 5,
  })
}

/**
 * Re-encodes an upload so that only pixels survive: upright, sRGB, first frame, no metadata. `photoSide` makes it a customer's photo,
 * which may not be an AVIF, because only decoding shows what it needs. Throws 'invalid' for an unsupported file, 'unavailable' on
 * a timeout.
 */
export async function normalise(
  bytes: Uint8Array,
  encode: (picture: Sharp) => Sharp,
  photoSide?: number,
): Promise<Buffer> {
  if (
    (isJpeg(bytes) && (countScans(bytes) > maxScans || !isHuffman(bytes))) ||
    (photoSide && isAvif(bytes)) ||
    hidesPictures(bytes)
  )
    throw unsupportedError()
  const limitInputPixels = isAvif(bytes) ? maxAvifPixels : maxPixels
  const sharp = await loadSharp()
  try {
    const picture = sharp(bytes, { limitInputPixels, failOn: 'warning' }).timeout(timeout)
    const { width, height } = await picture.metadata()
    if (Math.max(width, height) > maxSide) throw unsupportedError()
    const side = photoSide ?? defaultSide
    const bounds = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
    return await encode(picture.autoOrient().resize(bounds)).toBuffer()
  } catch (error) {
    if ((error as Error).message.startsWith('timeout')) throw queueFullError()
    throw unsupportedError()
  }
}

function unsupportedError() {
  return new ShopError('invalid', pictureTypeMessage, { fields: { image: [pictureTypeMessage] } })
}

function isJpeg(bytes: Uint8Array) {
  return bytes[0] === 0xff && bytes[1] === 0xd8
}

function countScans(bytes: Uint8Array): number {
  const startOfScan = Buffer.from([0xff, 0xda])
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = file.indexOf(startOfScan); at >= 0; at = file.indexOf(startOfScan, at + 2)) count++
  return count
}

/**
 * Whether a JPEG's frame is baseline, extended or progressive. Scans with arithmetic coding need almost no bytes, and encoders hardly
 * ever use it. False for whatever decoders skip to find a frame.
 */
function isHuffman(bytes: Uint8Array): boolean {
  for (let at = 2; at + 3 < bytes.length; ) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff) return false
    // Padding.
    if (marker === 0xff) at++
    else if (marker === 0x01 || isBetween(marker, 0xd0, 0xd7)) at += 2
    else if (isBetween(marker, 0xc0, 0xc2)) return true
    else if (
      marker === 0 ||
      (isBetween(marker, 0xc3, 0xcf) && marker !== 0xc4) ||
      isBetween(marker, 0xd8, 0xda)
    )
      return false
    else at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!
  }
  return false
}

function isBetween(value: number, least: number, greatest: number) {
  return value >= least && value <= greatest
}

/** Also other pictures in the HEIF container. */
function isAvif(bytes: Uint8Array): boolean {
  return textOf(bytes.subarray(4, 8)) === 'ftyp'
}

/** Whether an AVIF is made of other pictures, or cropped from one: sharp's limit only sees the size of the result. */
function hidesPictures(bytes: Uint8Array): boolean {
  return isAvif(bytes) && /iovl|grid|iden|clap/.test(textOf(bytes))
}

function textOf(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

export async function variantOf(picture: Uint8Array, width: number, format: PictureFormat): Promise<Buffer> {
  const sharp = await loadSharp()
  const resized = sharp(picture).timeout(timeout).resize({ width, withoutEnlargement: true })
  return formats[format].encode(resized).toBuffer()
}
