/** In pixels; smaller originals are not enlarged. */
export const pictureWidths = [320, 640, 960, 1600] as const

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']
export const pictureTypeMessage = 'Choose a JPEG, PNG, WebP or AVIF photo.'
export const heicMessage =
  'We can’t read HEIC photos. Save this one as a JPEG and choose that file. On an iPhone, Settings → Camera → Formats → Most Compatible makes new photos JPEGs.'

export const maxPictureBytes = 10 * 1024 * 1024
export const largePicture = 'Choose a photo of at most 10 MB.'

type PictureWidth = (typeof pictureWidths)[number]
export type PictureFormat = 'avif' | 'webp' | 'jpg'

/** URLs, except `avif` and `webp`, which are `srcset` values. */
interface PictureSources {
  avif?: string
  webp?: string
  src: string
  full: string
  /** For link previews: crawlers do not support AVIF, and some not WebP. */
  social: string
}

/** External pictures and non-photographs are returned unchanged, without a `srcset`. */
export function pictureSources(url: string): PictureSources {
  const [, hash] = /^\/images\/([0-9a-f]{32})\.webp$/.exec(url) ?? []
  if (!hash) return { src: url, full: url, social: url }

  const variant = (width: PictureWidth, format: PictureFormat) => `/images/${hash}-${width}.${format}`
  const srcset = (format: PictureFormat) =>
    pictureWidths.map((width) => `${variant(width, format)} ${width}w`).join(', ')
  return {
    avif: srcset('avif'),
    webp: srcset('webp'),
    src: variant(960, 'jpg'),
    full: variant(1600, 'webp'),
    social: variant(960, 'jpg'),
  }
}
