import { useNavigate } from 'react-router'
import { chargedAgain, hasMoreCharges, orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

const cancelled = 'Purchase Cancelled Successfully'

/** Of one item, or of an order of one item. `leaves`: the page is of this item; what is left of the order is shown instead. */
export function CancelItem({ line, leaves = false }: { line: Purchase; leaves?: boolean }) {
  const { busy, run } = useAction()
  const navigate = useNavigate()
  const isPart = line.lineCount > 1
  const contents = describeLine(line)

  async function cancel() {
    const isHere = rememberPage()
    await client.cancelPurchase({ params: { id: line._id } })
    if (leaves && isHere()) await navigate(`/dashboard/orders/${line.orderId}`, { replace: true })
  }

  return (
    <ConfirmButton
      label={leaves ? 'Remove item' : 'Delete'}
      {...(!leaves && { className: 'btn btn-ghost btn-sm -mr-3' })}
      busy={busy}
      question={isPart ? `Remove ${contents} from order #${line.number}?` : orderQuestion(line, contents)}
      action={isPart ? 'Remove item' : `${findVerb(line)} order`}
      details={
        isPart &&
        !line.expired &&
        hasMoreCharges(line.charges, line.orderPrice) && <p className="mt-2">{chargedAgain}</p>
      }
      dismiss={isPart ? 'Keep item' : 'Keep order'}
      onConfirm={() => run(cancelled, cancel)}
    />
  )
}

/** Of all items that are left. `leaves`: the page is of this order, and goes with it. */
export function CancelOrder({
  order,
  leaves = false,
  className = 'btn btn-sm',
}: {
  order: Purchase
  leaves?: boolean
  className?: string
}) {
  const { busy, run } = useAction()
  const navigate = useNavigate()
  const { orderId, lineCount } = order
  const contents = lineCount > 1 ? `${formatCount(lineCount)} items` : describeLine(order)
  const label = `${findVerb(order)} order`

  async function cancel() {
    const isHere = rememberPage()
    await client.cancelOrder({ params: { id: orderId } })
    if (leaves && isHere()) await navigate('/dashboard/myOrders', { replace: true })
  }

  return (
    <ConfirmButton
      label={label}
      className={className}
      busy={busy}
      question={orderQuestion(order, contents)}
      details={
        !order.expired && (
          <p className="mt-2">
            {`It totals ${formatDollars(orderTotal(order))} and isn’t paid. You can order the parts again later.`}
          </p>
        )
      }
      action={label}
      dismiss="Keep order"
      onConfirm={() => run(cancelled, cancel)}
    />
  )
}

/** Nobody can pay for an expired order any more. */
function findVerb({ expired }: Purchase) {
  return expired ? 'Remove' : 'Cancel'
}

function orderQuestion(order: Purchase, contents: string) {
  return `${findVerb(order)} ${order.expired ? 'expired order' : 'order'} #${order.number}: ${contents}?`
}
