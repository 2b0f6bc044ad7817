import { Fragment, type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { ItemsToggle } from '#app/orders/items-toggle.tsx'
import { lastShippedAt } from '#app/orders/order-state.tsx'
import { PaymentWarning } from '#app/orders/payment-warning.tsx'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useIsPhone } from '#app/ui/behaviour/phone.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { DateTime } from '#app/ui/date.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { ListedOrder } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled } from '#shop/orders/status.ts'
import { DeleteOrder, quietButton } from './delete-order.tsx'
import { describeListed } from './listed-state.ts'
import { Details, LateNote, Ordered, OrderedBy, RefundNote } from './order-cells.tsx'
import type { ShippingProgress } from './use-shipping.ts'

/** Of an order of many items, until all are asked for. */
export const listedLines = 3

interface Props {
  /** Shows its lines on a phone, where they are not below it from the start. */
  toggle: ReactNode
  progress: ShippingProgress | null
  ship: (orders: ListedOrder[]) => void
}

/** Of an order of several items, in the columns of one of one item. */
export function headCells(order: ListedOrder, { toggle, progress, ship }: Props): ReactNode[] {
  const { _id, number, lines, lineCount, linesToShip } = order
  return [
    <OrderedBy key="name" order={order} />,
    <div key="product">
      <p className="which">
        <Link to={`/dashboard/orders/${_id}`} className="link">{`Order #${number}`}</Link>
        {`, ${formatCount(lineCount)} items`}
        <span className="md:hidden">, </span>
        <span className="text-sm text-base-content/75 md:block">
          <Ordered order={order} />
        </span>
      </p>
      {toggle && (
        <div className="what flex items-baseline gap-3">
          <p className="min-w-0 grow truncate">
            {lines.map(({ _id, parts }, i) => (
              <Fragment key={_id}>
                {i > 0 && ', '}
                <bdi>{parts}</bdi>
              </Fragment>
            ))}
          </p>
          {toggle}
        </div>
      )}
    </div>,
    '',
    <b key="price" className="font-semibold">
      {formatDollars(orderTotal(order))}
    </b>,
    <OrderStatus key="status" order={order} />,
    linesToShip > 0 ? (
      <ArmedButton
        key="ship"
        className="btn btn-primary btn-sm whitespace-nowrap"
        busy={progress !== null}
        late={false}
        onClick={() => ship([order])}
      >
        {isBegun(order) ? 'Ship the rest' : `Ship order #${number}`}
      </ArmedButton>
    ) : canBeCancelled(lines[0]!) ? (
      <DeleteOrder key="delete" order={lines[0]!} className={quietButton} />
    ) : (
      '–'
    ),
  ]
}

function OrderStatus({ order }: { order: ListedOrder }) {
  const { lines, shipping } = order
  const { label, money } = describeListed(order)
  const shippedAt = shipping && lastShippedAt(lines)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="whitespace-nowrap empty:hidden">{label}</span>
      <RefundNote text={money} />
      <PaymentWarning order={lines[0]!} />
      <LateNote order={order} />
      {shippedAt && (
        <Details>
          <DateTime at={shippedAt} />
        </Details>
      )}
    </div>
  )
}

/** All lines of the orders that were opened, until the list is opened again. On a phone an order shows none until then. */
export function useAllLines() {
  const { key } = useLocation()
  const isPhone = useIsPhone()
  const [read, setRead] = useState<{ key: string; lines: Record<string, Purchase[]> }>({ key, lines: {} })
  const all = read.key === key ? read.lines : {}

  async function toggle({ _id: id, lines: listed, lineCount }: ListedOrder) {
    if (id in all) {
      const { [id]: _closed, ...others } = all
      return setRead({ key, lines: others })
    }
    try {
      const lines = listed.length < lineCount ? (await client.readOrder({ params: { id } })).lines : listed
      setRead({ key, lines: { ...all, [id]: lines } })
    } catch (error) {
      showError(error)
    }
  }

  /** What the list has is newer. */
  function linesOf({ _id, lines }: ListedOrder): Purchase[] {
    const listed = new Map(lines.map((line) => [line._id, line]))
    return all[_id]?.map((line) => listed.get(line._id) ?? line) ?? (isPhone ? [] : lines)
  }

  function toggleOf(order: ListedOrder) {
    const { _id, lineCount } = order
    if (!isPhone && lineCount <= listedLines) return null
    const isOpen = _id in all
    const text = isPhone
      ? `${isOpen ? 'Hide' : 'Show'} ${formatCount(lineCount)} items`
      : isOpen
        ? `Show only ${formatCount(listedLines)} items`
        : `Show all ${formatCount(lineCount)} items`
    return <ItemsToggle text={text} isOpen={isOpen} onToggle={() => toggle(order)} />
  }
  return { linesOf, toggleOf, isPhone }
}

/** As far as its listed lines tell: of others, it is not known why they do not ship. */
function isBegun({ lines, lineCount, linesToShip }: ListedOrder) {
  return (
    linesToShip < lineCount &&
    (lines.length < lineCount || lines.some(({ shippedQuantity }) => shippedQuantity > 0))
  )
}
