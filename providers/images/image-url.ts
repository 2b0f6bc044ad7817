import { type PictureFormat, pictureWidths } from '#shop/parts/picture.ts'
import { formats } from './encode.ts'

/** What is found at an address of ours: a picture as it is kept, or a variant of it. */
export interface ImageRequest {
  name: string
  hash: string
  /** The name of the picture as it is kept. */
  master: string
  variant: { width: number; format: PictureFormat } | null
}

const widths = pictureWidths.join('|')
const endings = Object.keys(formats).join('|')
const address = new RegExp(`^/images/(([0-9a-f]{32})(?:\\.webp|-(${widths})\\.(${endings})))$`)

/** Reads `/images/{hash}.webp` and `/images/{hash}-{width}.{format}`; null for any other address. */
export function parseImageUrl(path: string): ImageRequest | null {
  const [, name, hash, width, format] = address.exec(path) ?? []
  if (!name || !hash) return null
  const variant = width ? { width: Number(width), format: format as PictureFormat } : null
  return { name, hash, master: originalName(hash), variant }
}

export function originalName(hash: string) {
  return `${hash}.webp`
}

export function variantName(hash: string, width: number, format: PictureFormat) {
  return `${hash}-${width}.${format}`
}

/** The same address is the same picture for ever. */
export const cacheControlForever = 'public, max-age=31536000, immutable'
