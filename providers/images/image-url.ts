import { type PictureFormat, pictureWidths } from '#shop/pictures/picture.ts'
import { formats } from './encode.ts'

export interface ImageRequest {
  name: string
  hash: string
  originalName: string
  variant: { width: number; format: PictureFormat } | null
}

const widths = pictureWidths.join('|')
const endings = Object.keys(formats).join('|')
const pattern = new RegExp(`^/images/(([0-9a-f]{32})(?:\\.webp|-(${widths})\\.(${endings})))$`)

/** Parses `/images/{hash}.webp` and `/images/{hash}-{width}.{format}`; null for other paths. */
export function parseImageUrl(path: string): ImageRequest | null {
  const [, name, hash, width, format] = pattern.exec(path) ?? []
  if (!name || !hash) return null
  const variant = width ? { width: Number(width), format: format as PictureFormat } : null
  return { name, hash, originalName: originalName(hash), variant }
}

export function originalName(hash: string) {
  return `${hash}.webp`
}

export function variantName(hash: string, width: number, format: PictureFormat) {
  return `${hash}-${width}.${format}`
}

export const cacheControlForever = 'public, max-age=31536000, immutable'
