import { useState } from 'react'

const blank = '/person.svg'

interface Props {
  src: string | null
  /** Width and height in pixels. */
  size: number
}

/** What somebody looks like; a blank picture of whoever has none, or one that cannot be fetched. */
export function PersonPicture({ src, size }: Props) {
  const [missing, setMissing] = useState<string | null>(null)
  // It may have failed before React took the page over, and does not say so again.
  const look = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0 && src !== missing) setMissing(src)
  }
  return (
    <img
      ref={look}
      src={src && src !== missing ? src : blank}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      referrerPolicy="no-referrer"
      style={{ width: size, height: size }}
      className="shrink-0 rounded-full bg-base-200 object-cover"
      onError={() => setMissing(src)}
    />
  )
}
