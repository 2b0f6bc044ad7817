import { type ComponentProps, useEffect, useState } from 'react'
import { useRowLabel } from '#app/ui/table/row-name.tsx'

export const armingMs = 500

interface Props extends ComponentProps<'button'> {
  busy?: boolean
  /** False for a button that was there before, or that does no harm. */
  late?: boolean
}

/** Does nothing for half a second after it appears: the click was meant for what stood there before. */
export function ArmedButton({
  busy = false,
  late = true,
  type = 'button',
  className = '',
  onClick,
  ...button
}: Props) {
  const [armed, setArmed] = useState(!late)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armingMs)
    return () => clearTimeout(timer)
  }, [])
  const inactive = busy || !armed
  const label = useRowLabel(button.children)
  return (
    <button
      type={type}
      className={`${className} in-[dialog]:transition-opacity in-[dialog]:aria-disabled:opacity-60`}
      aria-disabled={inactive}
      aria-label={label}
      onClick={(event) => (inactive ? event.preventDefault() : onClick?.(event))}
      {...button}
    />
  )
}
