import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount } from '#shop/money.ts'
import type { ListedOrder } from '#shop/orders/order.ts'
import { readLastShipments, type ShippingProgress, sayOrders } from './use-shipping.ts'

const maxSlips = 100

interface ActionsProps {
  selection: Selection<ListedOrder>
  progress: ShippingProgress | null
  ship: (orders: ListedOrder[]) => void
  /** Shows what they were shipped as. */
  open: (orders: ListedOrder[]) => Promise<void>
}

export function OrderSelectionActions({ selection, progress, ship, open }: ActionsProps) {
  const orders = selection.rows.filter(({ linesToShip }) => linesToShip > 0)
  const shipped = selection.rows.filter(({ shipping }) => shipping)
  const others = selection.rows.length - orders.length
  const items = orders.reduce((sum, { linesToShip }) => sum + linesToShip, 0)
  const label = progress
    ? `Shipping ${formatCount(progress.done)} of ${formatCount(progress.of)}…`
    : `Ship ${sayOrders(orders.length)}`
  return (
    <>
      {orders.length > 0 || progress ? (
        <ConfirmButton
          label={label}
          busy={progress !== null}
          className="btn btn-primary btn-sm"
          question={`Ship ${sayOrders(orders.length)}?`}
          details={
            <>
              <p className="mt-2">
                {`${items === 1 ? 'The one item that is' : `All ${formatCount(items)} items that are`} left to ship, for ${describeNames(orders)}. Each order leaves in one parcel.`}
              </p>
              {others > 0 && (
                <p className="mt-2">
                  {`${others === 1 ? '1 other selected order' : `${formatCount(others)} other selected orders`} can’t be shipped and will stay as ${others === 1 ? 'it is' : 'they are'}.`}
                </p>
              )}
              <p className="mt-2">
                Customers get one email for each order, in a minute. Until then you can undo it.
              </p>
            </>
          }
          action={`Ship ${sayOrders(orders.length)}`}
          actionClassName="btn btn-primary"
          onConfirm={() => ship(orders)}
        />
      ) : shipped.length > 0 && shipped.length <= maxSlips ? (
        <ShippedActions orders={shipped} open={open} />
      ) : (
        <p className="text-sm">None of these can be shipped.</p>
      )}
      <PackingSlipLinks of="orders" ids={orders.map(({ number }) => number)} className="btn btn-sm" isShort />
      <ExportButtons
        isShort
        download={(format, options) =>
          adminClient.exportSelectedOrders({
            body: { ids: selection.rows.map(({ _id }) => _id), format },
            ...options,
          })
        }
      />
    </>
  )
}

interface ShippedActionsProps extends Pick<ActionsProps, 'open'> {
  orders: ListedOrder[]
}

/** Of orders of which nothing is left to ship. */
function ShippedActions({ orders, open }: ShippedActionsProps) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const sent = orders.filter(({ collected }) => !collected)

  async function run(act: () => Promise<void>) {
    setBusy(true)
    await act().catch(showError)
    setBusy(false)
  }

  async function showSlips() {
    const isHere = rememberPage()
    const ids = (await readLastShipments(orders)).map(({ _id }) => _id)
    if (isHere()) navigate(`/dashboard/packingSlips?${new URLSearchParams({ shipments: ids.join(',') })}`)
  }

  return (
    <>
      <ArmedButton className="btn btn-sm" busy={busy} onClick={() => run(showSlips)}>
        <SlipsLabel count={orders.length} isShort />
      </ArmedButton>
      {sent.length > 0 && (
        <ArmedButton className="btn btn-sm" busy={busy} onClick={() => run(() => open(sent))}>
          Tracking numbers
        </ArmedButton>
      )}
    </>
  )
}

interface SlipsProps {
  /** Of orders, what is to ship, by number; of shipments, what they have, by id. */
  of: 'orders' | 'shipments'
  ids: string[]
  className: string
  /** Where a phone has room for few words. */
  isShort?: boolean
}

export function PackingSlipLinks({ of, ids, className, isShort = false }: SlipsProps) {
  const starts = Array.from({ length: Math.ceil(ids.length / maxSlips) }, (_, i) => i * maxSlips)
  return starts.map((start) => {
    const some = ids.slice(start, start + maxSlips)
    return (
      <Link
        key={start}
        to={`/dashboard/packingSlips?${new URLSearchParams({ [of]: some.join(',') })}`}
        className={className}
      >
        {starts.length > 1 ? (
          `Packing slips ${start + 1}–${start + some.length}`
        ) : (
          <SlipsLabel count={ids.length} isShort={isShort} />
        )}
      </Link>
    )
  })
}

function SlipsLabel({ count, isShort }: { count: number; isShort: boolean }) {
  if (count === 1) return 'Packing slip'
  return (
    <span>
      {`${count} `}
      <span className={isShort ? 'max-sm:sr-only' : ''}>packing </span>
      slips
    </span>
  )
}

const maxNames = 8

function describeNames(orders: ListedOrder[]) {
  const names = [...new Set(orders.map(({ name }) => name))]
  const shown = names.slice(0, maxNames)
  const more = names.length - shown.length
  if (more > 0)
    return `${shown.join(', ')} and ${formatCount(more)} other ${more === 1 ? 'customer' : 'customers'}`
  return new Intl.ListFormat('en-GB').format(shown)
}
