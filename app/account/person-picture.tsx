import { useState } from 'react'
import { pictureSources } from '#shop/pictures/picture.ts'

const placeholder = '/person.svg'

interface Props {
  src: string | null
  size: number
}

export function PersonPicture({ src, size }: Props) {
  const [missing, setMissing] = useState<string | null>(null)
  // The image may have failed before hydration, when React missed its error event.
  const checkLoaded = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0 && src !== missing) setMissing(src)
  }
  const shown = src && src !== missing ? src : placeholder
  return (
    <img
      ref={checkLoaded}
      src={shown}
      srcSet={pictureSources(shown).webp}
      sizes={`${size}px`}
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
