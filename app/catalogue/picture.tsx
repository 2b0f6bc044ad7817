import { pictureSources } from '#shop/parts/picture.ts'

interface Props {
  src: string
  alt: string
  /** How wide it is shown, as the HTML attribute has it: `(min-width: 48rem) 33vw, 100vw`. */
  sizes: string
  width?: number
  height?: number
  className?: string
  /** `eager` for what is seen first, with `fetchPriority="high"` for the one that the page is about. */
  loading?: 'lazy' | 'eager'
  fetchPriority?: 'high' | 'low' | 'auto'
}

/**
 * A picture in the size and the format that suits whoever looks at it. The browser keeps its place free by `width` and
 * `height`, so nothing moves when it arrives. `className` dresses the picture itself.
 */
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
      {sources.avif && <source type="image/avif" srcSet={sources.avif} sizes={sizes} />}
      {sources.webp && <source type="image/webp" srcSet={sources.webp} sizes={sizes} />}
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
