import { Link } from 'react-router'
import { timeSince } from '#app/ui/date.tsx'
import { formatTotal } from '#shop/money.ts'
import type { Waiting } from '#shop/overview/overview.ts'

interface Figure {
  to: string
  count: number
  label: readonly [one: string, many: string]
  detail?: string | null
}

/** Each with the list that it counts. */
export function WaitingFigures({ waiting }: { waiting: Waiting }) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
      {listFigures(waiting).map(({ to, count, label, detail }) => (
        <li key={to}>
          <Link
            to={`/dashboard${to}`}
            className="block h-full rounded-box border border-base-300 p-4 hover:border-base-content/40"
          >
            <span className={`block text-2xl font-semibold ${count === 0 ? 'text-base-content/75' : ''}`}>
              {formatTotal(count)}
            </span>{' '}
            <span className="block underline decoration-base-content/40 underline-offset-2">
              {label[count === 1 ? 0 : 1]}
            </span>
            {detail && <span className="mt-1 block text-sm text-base-content/75">{detail}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function listFigures(waiting: Waiting): Figure[] {
  const { oldestToShip } = waiting
  return [
    {
      to: '/manageAllOrders?status=pending',
      count: waiting.ordersToShip,
      label: ['order to ship', 'orders to ship'],
      detail: oldestToShip && `The oldest was ordered ${timeSince(oldestToShip)} ago.`,
    },
    {
      to: '/manageAllOrders?status=unpaid',
      count: waiting.ordersUnpaid,
      label: ['order awaiting payment', 'orders awaiting payment'],
    },
    {
      to: '/manageAllOrders?status=expiring',
      count: waiting.ordersExpiring,
      label: ['unpaid order expires within 24 hours', 'unpaid orders expire within 24 hours'],
    },
    {
      to: '/manageProducts?stock=sold+out',
      count: waiting.partsSoldOut,
      label: ['part sold out', 'parts sold out'],
      detail: 'The stock is below the minimum quantity.',
    },
    {
      to: '/manageProducts?stock=to+reorder',
      count: waiting.partsToReorder,
      label: ['part to reorder', 'parts to reorder'],
      detail: 'Sold out, or at the reorder point or below.',
    },
    {
      to: '/messages?status=new',
      count: waiting.newMessages,
      label: ['new message', 'new messages'],
    },
    {
      to: '/manageAllOrders?status=refund+pending',
      count: waiting.ordersRefundPending,
      label: ['order with a pending refund', 'orders with a pending refund'],
    },
    {
      to: '/manageAllOrders#payment-tasks',
      count: waiting.paymentTasks,
      label: ['payment needs your attention', 'payments need your attention'],
    },
    ...(waiting.taxToCheck > 0 ? [taxToCheck(waiting)] : []),
  ]
}

/** Shown only when there are some: most shops have none. */
function taxToCheck({ taxToCheck: count }: Waiting): Figure {
  return {
    to: '?tax=to+check',
    count,
    label: ['customer with tax details to check', 'customers with tax details to check'],
  }
}
