import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { ShopError } from '#shop/errors.ts'
import type { Images } from '#shop/ports.ts'

const taken = new Set(['jpeg', 'png', 'webp', 'heif'])
const mostPixels = 50_000_000

export interface EmbeddedImages extends Images {
  /** Answers GET requests for `/images/{name}`. */
  fetch(request: Request): Promise<Response>
}

/**
 * Pictures in a folder, each under the hash of its content. What comes in is decoded and written anew as WebP, so
 * that nothing but the picture is kept: no metadata, no script, no second file hidden behind it.
 */
export function embeddedImages(folder: string): EmbeddedImages {
  mkdirSync(folder, { recursive: true })
  return {
    async store(bytes) {
      const picture = await encode(bytes)
      const name = `${createHash('sha256').update(picture).digest('hex').slice(0, 32)}.webp`
      // Renamed into place, so that a name never shows half a picture.
      const unfinished = join(folder, `${randomUUID()}.part`)
      await writeFile(unfinished, picture)
      await rename(unfinished, join(folder, name))
      return `/images/${name}`
    },

    async fetch(request) {
      const [, name] = /^\/images\/([0-9a-f]{32}\.webp)$/.exec(new URL(request.url).pathname) ?? []
      const picture = name && (await readFile(join(folder, name)).catch(() => null))
      if (!picture) return Response.json({ message: 'There is no such picture.' }, { status: 404 })
      return new Response(new Uint8Array(picture), {
        headers: { 'Content-Type': 'image/webp', 'Cache-Control': 'public, max-age=31536000, immutable' },
      })
    },
  }
}

async function encode(bytes: Uint8Array) {
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'warning' })
    const { format } = await picture.metadata()
    if (!taken.has(format)) throw new Error(format)
    return await picture.rotate().resize({ width: 1600, withoutEnlargement: true }).webp().toBuffer()
  } catch {
    const message = 'Please choose a JPEG, PNG, WebP or AVIF picture.'
    throw new ShopError('invalid', message, { fields: { image: [message] } })
  }
}
