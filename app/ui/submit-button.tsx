import type { ReactNode } from 'react'

interface Props {
  /** Sets `aria-disabled` rather than `disabled`, which would lose the keyboard focus. */
  busy: boolean
  disabled?: boolean
  className?: string
  /** Beside the primary button. */
  quiet?: boolean
  children: ReactNode
}

export function SubmitButton({
  busy,
  disabled = false,
  className = 'w-full',
  quiet = false,
  children,
}: Props) {
  return (
    <button
      type="submit"
      className={`btn ${quiet ? '' : 'btn-primary'} ${className}`}
      disabled={disabled}
      aria-disabled={disabled ? undefined : busy}
      onClick={(event) => busy && event.preventDefault()}
    >
      {busy && <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />}
      {children}
    </button>
  )
}
