import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useRevalidator } from 'react-router'

/** While the payment is being opened. */
export function ConnectingPanel({ amount }: { amount: string }) {
  return (
    <section aria-busy="true">
      <p role="status" className="mb-3">
        Connecting to the bank …
      </p>
      <button type="button" className="btn btn-primary w-full" disabled>
        {`Pay ${amount}`}
      </button>
    </section>
  )
}

/** For a payment that cannot be made as things are. */
export function RefusedPanel({ arrived, why }: { arrived: boolean; why: string }) {
  const { revalidate, state } = useRevalidator()
  const place = useArrival(arrived)
  return (
    <section ref={place} role="alert" tabIndex={-1} className="outline-none">
      <p className="mb-3 text-error">{why}</p>
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

/** For a card that was taken, while the bank has yet to say what became of it. */
export function ProcessingPanel() {
  return (
    <Panel arrived>
      <p className="flex items-center gap-3 text-lg font-semibold">
        <span className="loading loading-spinner shrink-0" aria-hidden="true" />
        Your payment is being processed.
      </p>
      <p className="mt-3">
        The bank takes its time. This page goes on by itself, and you may leave it: nothing is charged twice.
      </p>
    </Panel>
  )
}

/** For a payment of which the shop could not be told. */
export function UnconfirmedPanel({ telling, onTell }: { telling: boolean; onTell: () => void }) {
  return (
    <Panel arrived>
      <p className="mb-3">
        The bank has taken your payment, but the shop could not be told yet. You will not be charged again.
        This page tries again by itself.
      </p>
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={telling}
        onClick={() => telling || onTell()}
      >
        {telling && (
          <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />
        )}
        Tell the shop again
      </button>
    </Panel>
  )
}

interface PanelProps {
  /** Whether it takes the place of what had the keyboard, which then goes on here. */
  arrived: boolean
  className?: string
  children: ReactNode
}

/** What came of a payment. */
export function Panel({ arrived, className = 'border-base-300', children }: PanelProps) {
  const place = useArrival(arrived)
  return (
    <section
      ref={place}
      role="status"
      tabIndex={-1}
      className={`rounded-box border p-5 outline-none ${className}`}
    >
      {children}
    </section>
  )
}

/** Whoever stood with the keyboard on what it takes the place of goes on in it. */
function useArrival(arrived: boolean) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (arrived && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [arrived])
  return place
}
