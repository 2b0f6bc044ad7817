import { Link, useRouteLoaderData } from 'react-router'
import type { clientLoader } from '#app/dashboard/dashboard.tsx'
import { timeSince } from '#app/ui/date.tsx'
import { formatCount, formatTotal } from '#shop/money.ts'

/** Null without the counts. */
export function useWorklist() {
  return useRouteLoaderData<typeof clientLoader>('dashboard/dashboard')?.worklist ?? null
}

/** What waits, in one line. */
export function WorklistLine() {
  const worklist = useWorklist()
  if (!worklist) return null
  const { toShip, late, oldestToShip, newMessages, soldOut, taxToCheck } = worklist
  const oldest = oldestToShip ? `, the oldest ordered ${timeSince(oldestToShip)} ago` : ''
  const waiting = [
    {
      to: '/manageAllOrders?status=pending',
      count: toShip,
      text: `${formatTotal(toShip)} ${toShip === 1 ? 'order' : 'orders'} to ship${late > 0 ? `, ${formatTotal(late)} late` : ''}${oldest}`,
    },
    {
      to: '/messages?status=new',
      count: newMessages,
      text: `${formatCount(newMessages)} new ${newMessages === 1 ? 'message' : 'messages'}`,
    },
    {
      to: '/manageProducts?stock=sold+out',
      count: soldOut,
      text: `${formatCount(soldOut)} ${soldOut === 1 ? 'part' : 'parts'} sold out`,
    },
    {
      to: '?tax=to+check',
      count: taxToCheck,
      text: `${formatTotal(taxToCheck)} ${taxToCheck === 1 ? 'customer' : 'customers'} with tax details to check`,
    },
  ].filter(({ count }) => count > 0)
  return (
    <p className="mb-5">
      {waiting.length === 0 && 'Nothing to do: nothing to ship, no new messages and no parts sold out.'}
      {waiting.map(({ to, text }, i) => (
        <span key={to}>
          {i > 0 && ' · '}
          <Link to={`/dashboard${to}`} className="link">
            {text}
          </Link>
        </span>
      ))}
    </p>
  )
}
