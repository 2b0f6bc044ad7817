import { pictureSources } from '#shop/pictures/picture.ts'

interface Props {
  src: string
  alt: string
  /** The HTML `sizes` attribute, e.g. `(min-width: 48rem) 33vw, 100vw`. */
  sizes: string
  width?: number
  height?: number
  className?: string
  /** `eager` above the fold, with `fetchPriority="high"` for the main picture. */
  loading?: 'lazy' | 'eager'
  fetchPriority?: 'high' | 'low' | 'auto'
}

/** `width` and `height` only reserve the space, so that the layout does not shift. */
export function Picture({
  src,
  alt,
  sizes,
  width = 1200,
  height = 900,
  className,
  loading = 'lazy',
  fetchPriority,
}: Props) {
  const sources = pictureSources(src)
  return (
    <picture className="contents">
      {/* Hidden: they would take a gap of their own in a flex row. */}
      {sources.avif && <source className="hidden" type="image/avif" srcSet={sources.avif} sizes={sizes} />}
      {sources.webp && <source className="hidden" type="image/webp" srcSet={sources.webp} sizes={sizes} />}
      <img
        loading={loading}
        decoding="async"
        fetchPriority={fetchPriority}
        src={sources.src}
        alt={alt}
        width={width}
        height={height}
        className={className}
      />
    </picture>
  )
}
