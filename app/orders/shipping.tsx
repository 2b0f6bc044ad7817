import { client } from '#app/client.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { useAction } from '#app/ui/use-action.ts'
import type { Order } from '#shop/orders/order.ts'
import { canBeShipped } from '#shop/orders/status.ts'

export function Shipping({ order }: { order: Order }) {
  const { _id: id, number, name, shipping } = order
  const { busy, run } = useAction()
  const setShipping = (shipping: boolean) =>
    run('Delivered Status Successfully Changed!!', () =>
      client.shipOrder({ params: { id }, body: { shipping } }),
    )

  if (shipping) {
    return (
      <ConfirmButton
        label="Shipped"
        busy={busy}
        question={`Mark order #${number} for ${name} as not shipped?`}
        action="Mark as not shipped"
        onConfirm={() => setShipping(false)}
      />
    )
  }
  if (!canBeShipped(order)) return null
  return (
    <button
      type="button"
      className="btn btn-primary btn-sm"
      aria-disabled={busy}
      onClick={() => busy || setShipping(true)}
    >
      Pending
    </button>
  )
}
