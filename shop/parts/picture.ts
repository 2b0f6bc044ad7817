/** The widths, in pixels, in which a picture of ours can be asked for; a smaller one is never enlarged. */
export const pictureWidths = [320, 640, 960, 1600] as const

/** What may be uploaded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']
export const wrongPicture = 'Please choose a JPEG, PNG, WebP or AVIF picture.'

/** How large a file may be that is uploaded, in bytes. */
export const maxPictureBytes = 10 * 1024 * 1024
export const largePicture = 'Please choose a picture of at most 10 MB.'

type PictureWidth = (typeof pictureWidths)[number]
export type PictureFormat = 'avif' | 'webp' | 'jpg'

/** Where a picture is found, each as an address or, for `avif` and `webp`, as what a `srcset` takes. */
interface PictureSources {
  avif?: string
  webp?: string
  /** For a browser that chooses none of the above. */
  src: string
  /** As large as there is, to look at closely. */
  full: string
  /** For the cards of other sites, which know neither AVIF nor, some of them, WebP. */
  social: string
}

/** A picture from elsewhere, or one that is no photograph, is itself everywhere and has no `srcset`. */
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
