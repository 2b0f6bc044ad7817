import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useRevalidator } from 'react-router'

export function ConnectingPanel({ amount }: { amount: string }) {
  return (
    <section aria-busy="true">
      <p role="status" className="mb-3">
        Loading the card form…
      </p>
      <button type="button" className="btn btn-primary w-full" disabled>
        {`Pay ${amount}`}
      </button>
    </section>
  )
}

export function RefusedPanel({ takesFocus, message }: { takesFocus: boolean; message: string }) {
  const { revalidate, state } = useRevalidator()
  const ref = useTakeFocus(takesFocus)
  return (
    <section ref={ref} role="alert" tabIndex={-1} className="outline-none">
      <p className="mb-3 text-error">{message}</p>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={state === 'loading'}
          onClick={() => state === 'loading' || revalidate()}
        >
          Try again
        </button>
        <Link to="/dashboard/myOrders" className="btn">
          My Orders
        </Link>
      </div>
    </section>
  )
}

export function ProcessingPanel() {
  return (
    <Panel takesFocus>
      <p className="flex items-center gap-3 text-lg font-semibold">
        <span className="loading loading-spinner shrink-0" aria-hidden="true" />
        Your payment is being processed.
      </p>
      <p className="mt-3">
        This can take a few minutes. This page updates automatically. You can close it: you won’t be charged
        twice.
      </p>
    </Panel>
  )
}

export function UnconfirmedPanel({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <Panel takesFocus>
      <p className="mb-3">
        Your bank accepted the payment, but we haven’t recorded it yet. You won’t be charged again. This page
        keeps checking.
      </p>
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={busy}
        onClick={() => busy || onRetry()}
      >
        {busy && <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />}
        Check again
      </button>
    </Panel>
  )
}

interface PanelProps {
  takesFocus: boolean
  className?: string
  children: ReactNode
}

export function Panel({ takesFocus, className = 'border-base-300', children }: PanelProps) {
  const ref = useTakeFocus(takesFocus)
  return (
    <section
      ref={ref}
      role="status"
      tabIndex={-1}
      className={`rounded-box border p-5 outline-none ${className}`}
    >
      {children}
    </section>
  )
}

/** Focus is on the body once the focused element has been replaced. */
function useTakeFocus(takesFocus: boolean) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return ref
}
