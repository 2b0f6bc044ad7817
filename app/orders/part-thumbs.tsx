import { lookUpIds } from '#app/basket/look-up.ts'
import { Picture } from '#app/catalogue/picture.tsx'
import { formatCount } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** By part; those that are no longer for sale have none. */
export type Pictures = Record<string, string>

export async function readPictures(lines: Purchase[]): Promise<Pictures> {
  const ids = [...new Set(lines.map(({ partId }) => partId))]
  // Without them, the names of the parts stand there.
  const parts = await lookUpIds(ids).catch(() => [])
  return Object.fromEntries(parts.map(({ _id, image }) => [_id, image]))
}

/** A strip of small pictures; the names of the parts are their texts. */
export function PartThumbs({
  lines,
  pictures,
  most,
}: {
  lines: Purchase[]
  pictures: Pictures
  most: number
}) {
  const shown = lines.slice(0, most)
  const others = lines.length - shown.length
  return (
    <ul className="flex shrink-0 items-center gap-1.5">
      {shown.map(({ _id, partId, parts }) => (
        <li key={_id}>
          <Thumb src={pictures[partId]} alt={parts} />
        </li>
      ))}
      {others > 0 && (
        <li className="text-sm whitespace-nowrap text-base-content/75">{`+${formatCount(others)}`}</li>
      )}
    </ul>
  )
}

export function Thumb({ src, alt }: { src: string | undefined; alt: string }) {
  const size = 'h-9 w-12 shrink-0 rounded-field border border-base-300'
  if (src) return <Picture src={src} alt={alt} sizes="3rem" className={`${size} object-cover`} />
  return (
    <span className={`${size} bg-base-200`}>
      <span className="sr-only">{alt}</span>
    </span>
  )
}
