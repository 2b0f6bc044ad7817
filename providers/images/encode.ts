import pLimit from 'p-limit'
import type { Sharp } from 'sharp'
import { ShopError } from '#shop/errors.ts'
import { heicMessage, type PictureFormat, pictureTypeMessage } from '#shop/pictures/picture.ts'
import { isHeif, readHeif } from './heif.ts'
import { isJpeg, type Jpeg, readJpeg } from './jpeg.ts'

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
 * which may not be an AVIF, because only decoding shows what it needs. Throws 'invalid' with the reason, 'unavailable' on a timeout.
 */
export async function normalise(
  bytes: Uint8Array,
  encode: (picture: Sharp) => Sharp,
  photoSide?: number,
): Promise<Buffer> {
  const side = photoSide ?? defaultSide
  if (isJpeg(bytes)) return normaliseJpeg(readJpeg(bytes), side, encode)
  if (isHeif(bytes)) return normaliseAvif(bytes, photoSide, encode)
  return decode(bytes, { side }, encode).catch((error) =>
    explain(error, isPngOrWebp(bytes) ? refusals.damaged : pictureTypeMessage),
  )
}

async function normaliseJpeg(jpeg: Jpeg, side: number, encode: (picture: Sharp) => Sharp) {
  if (jpeg.state === 'unusual') throw refuse(refusals.unusual)
  if (jpeg.state === 'cut') throw refuse(refusals.damaged)
  return decode(jpeg.bytes, { side, failOn: 'warning' }, encode)
    .catch((error: Error) => {
      if (jpeg.state !== 'whole' || !isHarmless(error)) throw error
      return decode(jpeg.bytes, { side }, encode)
    })
    .catch((error) => explain(error, refusals.damaged))
}

/** Of libjpeg’s warnings: others are about bytes that viewers pass over. */
function isHarmless({ message }: Error) {
  return /^VipsJpeg: /.test(message) && !/premature end/i.test(message)
}

async function normaliseAvif(
  bytes: Uint8Array,
  photoSide: number | undefined,
  encode: (picture: Sharp) => Sharp,
) {
  const { brands, isDerived } = readHeif(bytes)
  const isAvif = brands.some((brand) => brand === 'avif' || brand === 'avis')
  if (!isAvif)
    throw refuse(brands.some((brand) => heicBrands.includes(brand)) ? heicMessage : pictureTypeMessage)
  if (photoSide) throw refuse('Choose a JPEG, PNG or WebP photo.')
  if (isDerived) throw refuse(refusals.derived)
  return decode(bytes, { side: defaultSide, maxPixels: maxAvifPixels }, encode).catch((error) =>
    explain(error, brands[0] === 'avis' ? refusals.animated : refusals.damaged, refusals.avifPixels),
  )
}

interface DecodeOptions {
  side: number
  failOn?: 'error' | 'warning'
  maxPixels?: number
}

async function decode(
  bytes: Uint8Array,
  { side, failOn = 'error', maxPixels: limitInputPixels = maxPixels }: DecodeOptions,
  encode: (picture: Sharp) => Sharp,
) {
  const sharp = await loadSharp()
  const picture = sharp(bytes, { limitInputPixels, failOn }).timeout(timeout)
  const { width, height } = await picture.metadata()
  if (Math.max(width, height) > maxSide) throw refuse(refusals.side)
  const bounds = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
  return await encode(picture.autoOrient().resize(bounds)).toBuffer()
}

function explain(error: Error, reason: string, tooManyPixels = refusals.pixels): never {
  if (error instanceof ShopError) throw error
  if (error.message.startsWith('timeout')) throw queueFullError()
  throw refuse(/exceeds pixel limit/.test(error.message) ? tooManyPixels : reason)
}

const refusals = {
  damaged: 'Part of this photo is missing or damaged. Save or send it again, and choose the new file.',
  pixels: 'This photo has more than 50 megapixels. Choose a smaller one.',
  side: 'This photo is more than 20,000 pixels wide or high. Choose a smaller one.',
  avifPixels: 'This AVIF photo has more than 12 megapixels. Make it smaller, or save it as a JPEG.',
  derived:
    'This AVIF photo is made of tiles or cropped from a larger one. Save it as a JPEG, and choose that file.',
  animated: 'This photo is animated. Choose one that isn’t.',
  unusual:
    'This JPEG is compressed in a way that browsers can’t show or that takes too long. Save it again in a photo app.',
}

function refuse(message: string) {
  return new ShopError('invalid', message, { fields: { image: [message] } })
}

/** As phones and their programs declare HEVC in the same container. */
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

function isPngOrWebp(bytes: Uint8Array) {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return start.startsWith('\x89PNG') || /^RIFF.{4}WEBP/s.test(start)
}

export async function createVariant(
  picture: Uint8Array,
  width: number,
  format: PictureFormat,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const resized = sharp(picture).timeout(timeout).resize({ width, withoutEnlargement: true })
  return formats[format].encode(resized).toBuffer()
}
