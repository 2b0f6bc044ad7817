import { useEffect, useState } from 'react'
import { adminClient } from '#app/admin/client.ts'
import { ApiError, client } from '#app/client.ts'
import { describePurchase } from '#app/orders/lines.tsx'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeCut, undoSeconds } from '#shop/orders/ship/shipment.ts'
import { canBeShipped } from '#shop/orders/status.ts'

interface Props {
  line: Purchase
  /** Whether it can be undone without a question while it was shipped here just now. */
  undoable?: boolean
  /** How many items of its order can be shipped. */
  linesToShip?: number
  onChange?: (line: Purchase) => void
  /** Ships all that is left of the order. */
  onShipWhole?: () => void
  /** Beside another button that ships. */
  quiet?: boolean
}

/** Of an item of an order. */
export function Shipping({
  line,
  undoable = false,
  linesToShip = 1,
  onChange,
  onShipWhole,
  quiet = false,
}: Props) {
  const { _id: id, name, shipping, collected } = line
  const { busy, run } = useAction()
  const [isNew, setIsNew] = useFlagForAMinute()
  const setShipping = (shipping: boolean) =>
    run(
      changed,
      async () => {
        const { modifiedCount } = await adminClient.shipPurchase({ params: { id }, body: { shipping } })
        // Without it, the row leaves the list when that is loaded again.
        const updated = onChange && (await client.readPurchase({ params: { id } }).catch(() => null))
        if (updated) onChange(updated)
        setIsNew(shipping && modifiedCount > 0)
        if (modifiedCount === 0)
          throw new ApiError(
            409,
            shipping
              ? `This item was already ${collected ? 'ready' : 'shipped'}.`
              : `This item was already marked as not ${collected ? 'ready' : 'shipped'}.`,
          )
      },
      {},
      <Changed line={line} shipping={shipping} />,
    )

  if (shipping) {
    return (
      <>
        <ConfirmButton
          label={collected ? 'Ready' : 'Shipped'}
          className="state btn btn-sm"
          busy={busy}
          late
          question={`Mark ${describePurchase(line)} for ${name} as not ${collected ? 'ready' : 'shipped'}?`}
          details={
            <p className="mt-2">
              {line.lineCount > 1
                ? 'This takes back only this item, of its last shipment. The other items stay as they are: to take back a whole shipment, remove it on the order’s page.'
                : 'This takes back its last shipment.'}
              {' If the customer already got the email about that, we’ll send a correction.'}
            </p>
          }
          action={`Mark ${line.lineCount > 1 ? 'only this item ' : ''}as not ${collected ? 'ready' : 'shipped'}`}
          onConfirm={() => setShipping(false)}
        />
        {undoable && isNew && (
          <ArmedButton className="btn btn-ghost btn-sm" busy={busy} onClick={() => setShipping(false)}>
            Undo
          </ArmedButton>
        )}
      </>
    )
  }
  if (!canBeShipped(line)) return null
  const button = quiet ? 'btn btn-sm' : 'btn btn-primary btn-sm'
  if (linesToShip > 1) {
    const shipWhole = () =>
      run(changed, () => adminClient.shipOrder({ params: { id: line.orderId }, body: {} }))
    return (
      <ConfirmButton
        label="Pending"
        busy={busy}
        className={button}
        question={`Ship the whole order, or only ${describePurchase(line)}?`}
        details={<p className="mt-2">{describeCut(1, linesToShip)}</p>}
        action={`Ship all ${formatCount(linesToShip)} items`}
        actionClassName="btn btn-primary"
        other={{ label: 'Ship only this item', onClick: () => setShipping(true) }}
        onConfirm={onShipWhole ?? shipWhole}
      />
    )
  }
  return (
    <ArmedButton className={`state ${button}`} busy={busy} onClick={() => setShipping(true)}>
      Pending
    </ArmedButton>
  )
}

/** As long as the customer is not told. */
function useFlagForAMinute() {
  const [flag, setFlag] = useState(false)
  useEffect(() => {
    if (!flag) return
    const timeout = setTimeout(() => setFlag(false), undoSeconds * 1000)
    return () => clearTimeout(timeout)
  }, [flag])
  return [flag, setFlag] as const
}

const changed = 'Delivered Status Successfully Changed!!'

/** What it was that changed. */
function Changed({ line, shipping }: { line: Purchase; shipping: boolean }) {
  const { collected } = line
  const done = collected ? 'ready to collect' : 'shipped'
  const now = shipping ? `is ${done}. We’ll email the customer in a minute.` : `is no longer ${done}.`
  const what = describePurchase(line)
  return (
    <div>
      <p>{changed}</p>
      <p className="text-sm text-base-content/75">{`${what[0]!.toUpperCase()}${what.slice(1)} ${now}`}</p>
    </div>
  )
}
