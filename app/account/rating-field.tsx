import { type ComponentProps, useId, useState } from 'react'
import { starPath, stars } from '#app/ui/stars.tsx'

interface Props extends ComponentProps<'input'> {
  label: string
  rating: number
  error?: string | undefined
}

export function RatingField({ label, rating, error, ...radio }: Props) {
  const id = useId()
  const [hovered, setHovered] = useState<number>()
  const shown = hovered ?? rating
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={error ? `${id}-note` : undefined}
      className="mb-4"
    >
      <div className="flex gap-1 text-sm font-medium">
        <p id={`${id}-label`}>{label}</p>
        <span aria-hidden="true" title="Required" className="text-error">
          *
        </span>
      </div>
      <div className="-ml-2 flex w-fit items-center" onPointerLeave={() => setHovered(undefined)}>
        {stars.map((star) => (
          <label
            key={star}
            className="relative grid size-11 place-items-center rounded-field outline-primary has-focus-visible:outline-2 has-focus-visible:-outline-offset-2"
            onPointerEnter={() => setHovered(star)}
          >
            <input
              type="radio"
              value={star}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              {...radio}
            />
            <span className="sr-only">{star === 1 ? '1 star' : `${star} stars`}</span>
            <svg viewBox="0 0 20 20" className="size-7" aria-hidden="true">
              <path
                d={starPath}
                className={
                  star <= shown ? 'fill-primary stroke-primary' : 'fill-transparent stroke-base-content/60'
                }
              />
            </svg>
          </label>
        ))}
        <span className="ml-2 text-sm text-base-content/75" aria-hidden="true">
          {shown > 0 && `${shown} of 5`}
        </span>
      </div>
      {error && (
        <p id={`${id}-note`} className="mt-1 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}
