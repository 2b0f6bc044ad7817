import { Link } from 'react-router'
import type { Order } from '#shop/orders/order.ts'

interface Props {
  order: Pick<Order, '_id' | 'number' | 'trackingUrl' | 'paid' | 'expired'>
  className: string
}

/** What a customer can do with any order of theirs. */
export function OrderLinks({ order: { _id, number, trackingUrl, paid, expired }, className }: Props) {
  return (
    <>
      {trackingUrl && (
        <a
          href={trackingUrl}
          target="_blank"
          rel="noreferrer"
          className={className}
          aria-label={`Track order #${number}`}
        >
          Track
        </a>
      )}
      {(paid || expired) && (
        <Link
          to={`/dashboard/orders/${_id}/again`}
          className={className}
          aria-label={`Order again: #${number}`}
        >
          Order again
        </Link>
      )}
      <Link
        to={`/dashboard/orders/${_id}/ask`}
        className={className}
        aria-label={`Ask about order #${number}`}
      >
        Ask
      </Link>
      <Link
        to={`/dashboard/orders/${_id}#documents`}
        className={className}
        aria-label={`Papers of order #${number}`}
      >
        Papers
      </Link>
    </>
  )
}
