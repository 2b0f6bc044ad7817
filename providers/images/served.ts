import { createHash } from 'node:crypto'
import { type PictureFormat, pictureWidths } from '#shop/parts/picture.ts'
import type { Images } from '#shop/ports.ts'
import { forEver, masterOf, readAddress, variantName } from './address.ts'
import { formats, inTurn, normalise, variantOf } from './encode.ts'
import type { Files } from './files.ts'
import { sweepFiles } from './sweep.ts'

export interface ServedImages extends Images {
  /** Answers GET requests for `/images/{name}`. Throws where the picture is there but no variant can be made of it. */
  fetch(request: Request): Promise<Response>
}

/**
 * Pictures that the shop serves by itself, wherever their files are, each under the hash of its content. A variant is made
 * when it is first asked for, and kept beside it.
 */
export function servedImages(files: Files): ServedImages {
  const underWay = new Map<string, Promise<Uint8Array | null>>()

  return {
    async store(picture) {
      const bytes = await inTurn(async () =>
        // An effort of 2 takes half the time of sharp's own 4, and no more room at this quality.
        normalise(await picture.bytes(), (upright) => upright.webp({ quality: 90, effort: 2 })),
      )
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      await files.write(masterOf(hash), { bytes, type: formats.webp.type })
      return `/images/${masterOf(hash)}`
    },

    async prepare(url) {
      const { hash, master } = readAddress(url)!
      let picture: ReturnType<Files['read']> | undefined
      const readOnce = () => (picture ??= files.read(master))
      await Promise.all(pictureWidths.map((width) => variant(hash, width, 'jpg', readOnce)))
    },

    sweep(used, before) {
      const hashes = [...used].flatMap((url) => readAddress(url)?.hash ?? [])
      return sweepFiles(files, new Set(hashes), before)
    },

    async fetch(request) {
      const found = readAddress(new URL(request.url).pathname)
      if (!found) return noPicture()
      const { name, hash, master, variant: asked } = found
      const headers = {
        'Content-Type': formats[asked?.format ?? 'webp'].type,
        'Cache-Control': forEver,
        ETag: `"${name}"`,
        // Whoever opens it by itself sees a picture, whatever is in it; the browser's own page around it has styles.
        'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'X-Content-Type-Options': 'nosniff',
      }
      if (request.headers.get('if-none-match')?.includes(headers.ETag))
        return new Response(null, { status: 304, headers })

      const picture = asked ? await variant(hash, asked.width, asked.format) : await files.read(master)
      return picture ? new Response(new Uint8Array(picture), { headers }) : noPicture()
    },
  }

  /** Whoever asks for a variant that is being read or made already waits for that one. */
  function variant(
    hash: string,
    width: number,
    format: PictureFormat,
    readMaster = () => files.read(masterOf(hash)),
  ) {
    const name = variantName(hash, width, format)
    const before = underWay.get(name)
    if (before) return before
    const found = (async () =>
      (await files.read(name)) ?? (await inTurn(() => make(name, readMaster, width, format))))()
    const done = found.finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done
  }

  async function make(
    name: string,
    readMaster: () => ReturnType<Files['read']>,
    width: number,
    format: PictureFormat,
  ) {
    const picture = await readMaster()
    if (!picture) return null
    const bytes = await variantOf(picture, width, format)
    await files.write(name, { bytes, type: formats[format].type })
    return bytes
  }
}

function noPicture() {
  return Response.json({ message: 'There is no such picture.' }, { status: 404 })
}
