import { Link } from 'react-router'
import { isPast } from '#app/ui/date.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'

/** For a customer whose order expires early. */
export function HoldNote({ order, className = 'mt-3' }: { order: Purchase; className?: string }) {
  const { shortHold, heldUntil } = order
  if (!shortHold || !heldUntil || isPast(heldUntil)) return null
  return (
    <p className={`text-sm ${className}`}>
      <Link to="/dashboard/myProfile" className="link">
        Confirm your email address
      </Link>
      {' to get more time to pay.'}
    </p>
  )
}
