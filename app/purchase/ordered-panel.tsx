import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { HoldNote } from '#app/orders/hold-note.tsx'
import { useShippingPromise } from '#app/orders/ships-by.tsx'
import { formatDeadline } from '#app/ui/date.tsx'
import { formatCount } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

interface Props {
  order: Purchase
  /** Whether it was placed just now, and not before a reload. */
  takesFocus: boolean
}

/** Stays after the toast is gone. */
export function OrderedPanel({ order, takesFocus }: Props) {
  const { _id: id, number, quantity, parts, charges, heldUntil } = order
  const ref = useRef<HTMLElement>(null)
  const promise = useShippingPromise()

  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each order
  useEffect(() => {
    if (takesFocus) ref.current?.focus()
  }, [takesFocus, id])

  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby="ordered"
      className="mt-6 scroll-mt-6 rounded-box border border-success p-5 outline-none"
    >
      <p id="ordered" className="text-lg font-semibold wrap-anywhere">
        {`Ordered: ${formatCount(quantity)} × ${parts}`}
      </p>
      <p className="mt-1">
        <span className="whitespace-nowrap">{`#${number}`}</span>
        {`, ${formatAmount(charges.total)}`}
        {heldUntil && `, held until ${formatDeadline(heldUntil)}`}
      </p>
      <HoldNote order={order} className="mt-1" />
      <p className="mt-1 text-base-content/75">{promise}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to={`/dashboard/payment/${id}`} className="btn btn-primary">
          {`Pay ${formatAmount(charges.total)}`}
        </Link>
        <Link to="/parts" className="btn">
          Add another part
        </Link>
        <Link to="/dashboard/myOrders" className="btn">
          My Orders
        </Link>
      </div>
    </section>
  )
}
