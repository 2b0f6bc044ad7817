import { createHash } from 'node:crypto'
import { traceOf } from '#shop/errors.ts'
import { type PictureFormat, pictureWidths } from '#shop/parts/picture.ts'
import type { Images } from '#shop/ports.ts'
import { formats, inPictureQueue, normalise, variantOf } from './encode.ts'
import type { FileStore } from './file-store.ts'
import { cacheControlForever, originalName, parseImageUrl, variantName } from './image-url.ts'
import { claimOwnership } from './ownership.ts'
import { deleteUnusedFiles } from './sweep.ts'

export interface ServedImages extends Images {
  /** Answers GET requests for `/images/{name}`. Throws where the picture is there but no variant can be made of it. */
  fetch(request: Request): Promise<Response>
}

interface Made {
  bytes: Uint8Array
  /** Why it could not be kept, if it could not. */
  trouble?: Error
}

/**
 * Pictures that the shop serves by itself, wherever their files are, each under the hash of its content. A variant is made
 * when it is first asked for, and kept beside it. `owner` says whose they are where others could keep theirs, too.
 */
export function servedImages(files: FileStore, owner?: string): ServedImages {
  const underWay = new Map<string, Promise<Made | null>>()

  return {
    async store(picture, { trusted = false } = {}) {
      const bytes = trusted ? await picture.bytes() : await rewritten(picture)
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      await files.write(originalName(hash), { bytes, type: formats.webp.type })
      return `/images/${originalName(hash)}`
    },

    async prepareVariants(url) {
      const { hash, master } = parseImageUrl(url)!
      let picture: ReturnType<FileStore['read']> | undefined
      const readOnce = () => (picture ??= files.read(master))
      const made = await Promise.all(pictureWidths.map((width) => variant(hash, width, 'jpg', readOnce)))
      const unkept = made.find((one) => one?.trouble)
      if (unkept) throw unkept.trouble
    },

    async deleteUnused(used, before) {
      if (owner) await claimOwnership(files, owner)
      const hashes = [...used].flatMap((url) => parseImageUrl(url)?.hash ?? [])
      return deleteUnusedFiles(files, new Set(hashes), before)
    },

    async fetch(request) {
      const found = parseImageUrl(new URL(request.url).pathname)
      if (!found) return noPicture()
      const { name, hash, master, variant: asked } = found
      const headers = {
        'Content-Type': formats[asked?.format ?? 'webp'].type,
        'Cache-Control': cacheControlForever,
        ETag: `"${name}"`,
        // Whoever opens it by itself sees a picture, whatever is in it; the browser's own page around it has styles.
        'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'X-Content-Type-Options': 'nosniff',
      }
      if (request.headers.get('if-none-match')?.includes(headers.ETag))
        return new Response(null, { status: 304, headers })

      const picture = asked ? await shown(hash, asked.width, asked.format) : await files.read(master)
      return picture ? new Response(new Uint8Array(picture), { headers }) : noPicture()
    },
  }

  function rewritten(picture: Blob) {
    // An effort of 2 takes half the time of sharp's own 4, and no more room at this quality.
    return inPictureQueue(async () =>
      normalise(await picture.bytes(), (upright) => upright.webp({ quality: 90, effort: 2 })),
    )
  }

  /** One that cannot be kept can be seen all the same. */
  async function shown(hash: string, width: number, format: PictureFormat) {
    const made = await variant(hash, width, format)
    if (made?.trouble) console.error('A picture cannot be kept:', traceOf(made.trouble))
    return made?.bytes
  }

  /** Whoever asks for a variant that is being read or made already waits for that one. */
  function variant(
    hash: string,
    width: number,
    format: PictureFormat,
    readMaster = () => files.read(originalName(hash)),
  ) {
    const name = variantName(hash, width, format)
    const before = underWay.get(name)
    if (before) return before
    const done = findOrMake().finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done

    async function findOrMake(): Promise<Made | null> {
      const bytes = await files.read(name)
      if (bytes) return { bytes }
      // No address of a picture that is not there keeps others waiting.
      const isThere = await files.written(originalName(hash))
      return isThere && inPictureQueue(() => make(name, readMaster, width, format))
    }
  }

  async function make(
    name: string,
    readMaster: () => ReturnType<FileStore['read']>,
    width: number,
    format: PictureFormat,
  ) {
    const picture = await readMaster()
    if (!picture) return null
    const bytes = await variantOf(picture, width, format)
    const trouble = await files.write(name, { bytes, type: formats[format].type }).catch((error) => error)
    return { bytes, trouble }
  }
}

function noPicture() {
  const headers = { 'Content-Security-Policy': "default-src 'none'", 'X-Content-Type-Options': 'nosniff' }
  return Response.json({ message: 'There is no such picture.' }, { status: 404, headers })
}
