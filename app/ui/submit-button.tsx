import type { ReactNode } from 'react'

interface Props {
  /** Whether what the form does is under way. The button then keeps the keyboard where it is and does nothing. */
  busy: boolean
  disabled?: boolean
  className?: string
  children: ReactNode
}

/** The one button that sends a form. */
export function SubmitButton({ busy, disabled = false, className = 'w-full', children }: Props) {
  return (
    <button
      type="submit"
      className={`btn btn-primary ${className}`}
      disabled={disabled}
      aria-disabled={busy}
      onClick={(event) => busy && event.preventDefault()}
    >
      {busy && <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />}
      {children}
    </button>
  )
}
