import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { ShopError } from '#shop/errors.ts'
import { type PictureFormat, pictureWidths, wrongPicture } from '#shop/parts/picture.ts'
import type { Images } from '#shop/ports.ts'
import { sweepFolder } from './sweep.ts'

const taken = new Set(['jpeg', 'png', 'webp', 'heif'])
const mostPixels = 50_000_000
/** Each picture that is being encoded takes a core, and pages want one too. */
const mostAtOnce = 2

const formats: Record<PictureFormat, { type: string; encode: (picture: Sharp) => Sharp }> = {
  avif: { type: 'image/avif', encode: (picture) => picture.avif({ quality: 50, effort: 2 }) },
  webp: { type: 'image/webp', encode: (picture) => picture.webp({ quality: 78 }) },
  jpg: {
    type: 'image/jpeg',
    encode: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
  },
}

/** `/images/{hash}.webp` is a picture as it is kept, `/images/{hash}-{width}.{format}` a variant of it. */
const address = new RegExp(
  `^/images/(([0-9a-f]{32})(?:\\.webp|-(${pictureWidths.join('|')})\\.(${Object.keys(formats).join('|')})))$`,
)

export interface EmbeddedImages extends Images {
  /** Answers GET requests for `/images/{name}`. Throws where the picture is there but no variant can be made of it. */
  fetch(request: Request): Promise<Response>
}

/**
 * Pictures in a folder, each under the hash of its content. What comes in is decoded and written anew as WebP, so
 * that nothing but the picture is kept: no metadata, no script, no second file hidden behind it. A variant is made when
 * it is first asked for, and kept beside it.
 */
export function embeddedImages(folder: string): EmbeddedImages {
  mkdirSync(folder, { recursive: true })
  const inTurn = atMost(mostAtOnce)
  const underWay = new Map<string, Promise<Buffer | null>>()

  return {
    async store(bytes) {
      const picture = await inTurn(() => encode(bytes))
      const name = `${createHash('sha256').update(picture).digest('hex').slice(0, 32)}.webp`
      await keep(name, picture)
      return `/images/${name}`
    },

    sweep(used, before) {
      const hashes = [...used].flatMap((url) => address.exec(url)?.[2] ?? [])
      return sweepFolder(folder, new Set(hashes), before)
    },

    async fetch(request) {
      const [, name, hash, width, format] = address.exec(new URL(request.url).pathname) ?? []
      if (!name) return noPicture()
      const picture = width
        ? await variant(name, `${hash}.webp`, Number(width), format as PictureFormat)
        : await read(name)
      if (!picture) return noPicture()
      return new Response(new Uint8Array(picture), {
        headers: {
          'Content-Type': formats[(format ?? 'webp') as PictureFormat].type,
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      })
    },
  }

  /** Whoever asks for a variant that is being read or made already waits for that one. */
  function variant(name: string, master: string, width: number, format: PictureFormat) {
    const before = underWay.get(name)
    if (before) return before
    const found = (async () =>
      (await read(name)) ?? (await inTurn(() => make(name, master, width, format))))()
    const done = found.finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done
  }

  async function make(name: string, master: string, width: number, format: PictureFormat) {
    const picture = await read(master)
    if (!picture) return null
    const resized = sharp(picture).resize({ width, withoutEnlargement: true })
    const made = await formats[format].encode(resized).toBuffer()
    await keep(name, made)
    return made
  }

  /** Null for a picture that is not there. */
  function read(name: string) {
    return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  }

  /** Renamed into place, so that a name never shows half a picture. What is there already is as good as new. */
  async function keep(name: string, picture: Buffer) {
    const unfinished = join(folder, `${randomUUID()}.part`)
    try {
      await writeFile(unfinished, picture)
      await rename(unfinished, join(folder, name))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }
}

function noPicture() {
  return Response.json({ message: 'There is no such picture.' }, { status: 404 })
}

/** What is kept: variants are made of it, so it is better than any of them. */
async function encode(bytes: Uint8Array) {
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'warning' })
    const { format } = await picture.metadata()
    if (!taken.has(format)) throw new Error(format)
    // An effort of 2 takes half the time of sharp's own 4, and no more room at this quality.
    const kept = picture.rotate().resize({ width: 1600, withoutEnlargement: true })
    return await kept.webp({ quality: 90, effort: 2 }).toBuffer()
  } catch {
    throw new ShopError('invalid', wrongPicture, { fields: { image: [wrongPicture] } })
  }
}

/** Does at most so many pieces of work at a time; the others wait in line. */
function atMost(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running++
    else await new Promise<void>((goOn) => waiting.push(goOn))
    try {
      return await work()
    } finally {
      // Whoever is next takes this one's place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
