import { createHash } from 'node:crypto'
import { ShopError } from '#shop/errors.ts'
import { type PictureFormat, pictureWidths } from '#shop/pictures/picture.ts'
import type { Images } from '#shop/ports.ts'
import { log } from '#telemetry/log.ts'
import { deleteUnusedFiles } from './delete-unused.ts'
import { createVariant, formats, inPictureQueue, normalise } from './encode.ts'
import type { FileStore } from './file-store.ts'
import { cacheControlForever, originalName, parseImageUrl, variantName } from './image-url.ts'
import { claimOwnership } from './ownership.ts'

export interface StoredImages extends Images {
  /** Handles GET `/images/{name}`. Throws when a variant of an existing picture cannot be encoded. */
  fetch(request: Request): Promise<Response>
  /** How many of these pictures it should have and does not. */
  countMissing(urls: Iterable<string>): Promise<number>
}

/** `default-src` does not cover the last two. */
const noContent = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

interface Variant {
  bytes: Uint8Array
  writeError?: Error
}

interface EncodeOptions {
  readOriginal?: () => ReturnType<FileStore['read']>
  queue?: 'uploads' | 'variants'
}

/** Content-addressed by hash; variants are made on first request and stored. `owner` prevents several shops from using the same storage. */
export function storedImages(files: FileStore, owner?: string): StoredImages {
  const variant = createVariants(files)

  return {
    async store(picture, { trusted = false, photoSide } = {}) {
      if (photoSide && !(await files.hasRoom())) throw noRoomError()
      const bytes = trusted ? await picture.bytes() : await reencode(picture, photoSide)
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      await files.write(originalName(hash), { bytes, type: formats.webp.type })
      return `/images/${originalName(hash)}`
    },

    async prepareVariants(url) {
      const { hash, originalName } = parseImageUrl(url)!
      let picture: ReturnType<FileStore['read']> | undefined
      const readOnce = () => (picture ??= files.read(originalName))
      const ofUpload = { readOriginal: readOnce, queue: 'uploads' } as const
      // In turn, so that none waits for the others in the queue.
      for (const width of pictureWidths) {
        const made = await variant(hash, width, 'jpg', ofUpload)
        if (made?.writeError) throw made.writeError
      }
    },

    async prepareAllVariants(url) {
      const parsed = parseImageUrl(url)
      if (!parsed) return
      for (const format of ['webp', 'avif', 'jpg'] as const) {
        for (const width of pictureWidths) {
          const result = await variant(parsed.hash, width, format)
          if (result?.writeError) throw result.writeError
        }
      }
    },

    async readJpeg(url) {
      const parsed = parseImageUrl(url)
      return (parsed && (await readOrMake(parsed.hash, 640, 'jpg'))) ?? null
    },

    async deleteUnused(used, before) {
      if (owner) await claimOwnership(files, owner)
      const hashes = [...used].flatMap((url) => parseImageUrl(url)?.hash ?? [])
      return deleteUnusedFiles(files, new Set(hashes), before)
    },

    countMissing: (urls) => countMissing(files, urls),

    async fetch(request) {
      const parsed = parseImageUrl(new URL(request.url).pathname)
      if (!parsed) return notFound()
      const { name, hash, originalName, variant: requested } = parsed
      const headers = {
        'Content-Type': formats[requested?.format ?? 'webp'].type,
        'Cache-Control': cacheControlForever,
        ETag: `"${name}"`,
        // For pictures opened directly: the browser’s own page around them needs inline styles.
        'Content-Security-Policy': `sandbox; ${noContent}; style-src 'unsafe-inline'`,
        'X-Content-Type-Options': 'nosniff',
      }
      if (request.headers.get('if-none-match')?.includes(headers.ETag))
        return new Response(null, { status: 304, headers })

      const picture = requested
        ? await readOrMake(hash, requested.width, requested.format)
        : await files.read(originalName)
      return picture ? new Response(new Uint8Array(picture), { headers }) : notFound()
    },
  }

  function reencode(picture: Blob, photoSide?: number) {
    // Effort 2 takes half the time of sharp’s default 4 at the same size for this quality.
    return inPictureQueue(photoSide ? 'photos' : 'uploads', async () =>
      normalise(await picture.bytes(), (upright) => upright.webp({ quality: 90, effort: 2 }), photoSide),
    )
  }

  async function readOrMake(hash: string, width: number, format: PictureFormat) {
    const result = await variant(hash, width, format)
    if (result?.writeError) log.error({ err: result.writeError }, 'could not store a picture')
    return result?.bytes
  }
}

async function countMissing(files: FileStore, urls: Iterable<string>) {
  const stored = new Set(await files.list())
  return [...urls].filter((url) => {
    const parsed = parseImageUrl(url)
    return parsed && !stored.has(parsed.originalName)
  }).length
}

/** Reads or makes a variant; shares one that is already in progress. */
function createVariants(files: FileStore) {
  const inProgress = new Map<string, Promise<Variant | null>>()
  return variant

  function variant(
    hash: string,
    width: number,
    format: PictureFormat,
    { readOriginal = () => files.read(originalName(hash)), queue = 'variants' }: EncodeOptions = {},
  ) {
    const name = variantName(hash, width, format)
    const current = inProgress.get(name)
    if (current) return current
    const done = findOrMake().finally(() => inProgress.delete(name))
    inProgress.set(name, done)
    return done

    async function findOrMake(): Promise<Variant | null> {
      const bytes = await files.read(name)
      if (bytes) return { bytes }
      // Checked first, so that missing pictures do not fill the queue.
      const exists = await files.modifiedAt(originalName(hash))
      return exists && inPictureQueue(queue, () => make(name, readOriginal, width, format))
    }
  }

  async function make(
    name: string,
    readOriginal: NonNullable<EncodeOptions['readOriginal']>,
    width: number,
    format: PictureFormat,
  ) {
    const picture = await readOriginal()
    if (!picture) return null
    const bytes = await createVariant(picture, width, format)
    if (!(await files.hasRoom())) return { bytes }
    const writeError = await files.write(name, { bytes, type: formats[format].type }).catch((error) => error)
    return { bytes, writeError }
  }
}

function noRoomError() {
  return new ShopError(
    'insufficient-storage',
    'The photo wasn’t saved, because the shop’s storage is almost full. Ask the person who runs the shop’s server to free some space.',
  )
}

function notFound() {
  const headers = { 'Content-Security-Policy': noContent, 'X-Content-Type-Options': 'nosniff' }
  return Response.json({ message: 'This photo doesn’t exist.' }, { status: 404, headers })
}
