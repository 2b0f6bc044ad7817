import { client } from '#app/client.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { useAction } from '#app/ui/use-action.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'

/**
 * Whether a paid order is shipped, as the button that changes it; taking it back asks first. Nothing for an order that
 * can neither be shipped nor have been.
 */
export function Shipping({ order }: { order: Order }) {
  const { _id: id, name, parts, quantity, shipping } = order
  const { busy, run } = useAction()
  const set = (shipping: boolean) =>
    run('Delivered Status Successfully Changed!!', () =>
      client.shipOrder({ params: { id }, body: { shipping } }),
    )

  if (shipping) {
    return (
      <ConfirmButton
        label="Shipped"
        busy={busy}
        question={`Has the order of ${quantity} × ${parts} for ${name} not been shipped after all?`}
        action="Not shipped"
        onConfirm={() => set(false)}
      />
    )
  }
  if (!orderCan.beShipped(order)) return null
  return (
    <button
      type="button"
      className="btn btn-primary btn-sm"
      aria-disabled={busy}
      onClick={() => busy || set(true)}
    >
      Pending
    </button>
  )
}
