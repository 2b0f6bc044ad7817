import { adminClient } from '#app/admin/client.ts'
import { client } from '#app/client.ts'
import { describePurchase } from '#app/orders/lines.tsx'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeShipped } from '#shop/orders/status.ts'

interface Props {
  order: Purchase
  /** Whether it was shipped just now, and can be undone without a question. */
  undoable?: boolean
  onChange?: (order: Purchase) => void
}

export function Shipping({ order, undoable = false, onChange }: Props) {
  const { _id: id, name, shipping } = order
  const { busy, run } = useAction()
  const setShipping = (shipping: boolean) =>
    run('Delivered Status Successfully Changed!!', async () => {
      await adminClient.shipPurchase({ params: { id }, body: { shipping } })
      // Without it, the row leaves the list when that is loaded again.
      const changed = onChange && (await client.readPurchase({ params: { id } }).catch(() => null))
      if (changed) onChange(changed)
    })

  if (shipping) {
    return (
      <>
        <ConfirmButton
          label="Shipped"
          busy={busy}
          late
          question={`Mark ${describePurchase(order)} for ${name} as not shipped?`}
          details={
            <p className="mt-2">
              This takes back its last shipment. If the customer already got the email about that, we’ll send
              a correction.
            </p>
          }
          action="Mark as not shipped"
          onConfirm={() => setShipping(false)}
        />
        {undoable && (
          <ArmedButton className="btn btn-ghost btn-sm" busy={busy} onClick={() => setShipping(false)}>
            Undo
          </ArmedButton>
        )}
      </>
    )
  }
  if (!canBeShipped(order)) return null
  return (
    <ArmedButton className="btn btn-primary btn-sm" busy={busy} onClick={() => setShipping(true)}>
      Pending
    </ArmedButton>
  )
}
