import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { showError } from '#app/ui/behaviour/toast.ts'
import { DateTime, timeSince } from '#app/ui/date.tsx'
import { useRowLabel } from '#app/ui/table/row-name.tsx'
import type { RowGroup } from '#app/ui/table/table.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { ListedOrder, Order } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { DeleteOrder } from './delete-order.tsx'
import { describeRecipient, findPlace, Phone } from './order-cells.tsx'
import type { ShippingProgress } from './use-shipping.ts'

/** Of an order of many items, until all are asked for. */
export const listedLines = 3

interface Props {
  shown: number
  isOpen: boolean
  progress: ShippingProgress | null
  ship: (orders: ListedOrder[]) => void
  toggle: (order: ListedOrder) => void
}

/** Undefined for an order of one item, whose row says everything. */
export function orderHead(
  order: ListedOrder,
  { shown, isOpen, progress, ship, toggle }: Props,
): RowGroup | undefined {
  const { _id, number, name, createdAt, lineCount, linesToShip, collected } = order
  if (lineCount <= 1) return undefined
  const recipient = describeRecipient(order)
  const head = (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:flex-nowrap">
      <div className="min-w-0 grow">
        <Link to={`/dashboard/orders/${_id}`} className="link font-semibold">
          {`Order #${number}`}
        </Link>
        <p className="text-sm font-normal text-base-content/75">
          <Link to={`/dashboard/customers/${_id}`} className="link">
            {name}
          </Link>
          {`, ${[recipient && `${collected ? 'for' : 'deliver to'} ${recipient}`, findPlace(order)].filter(Boolean).join(', ')}, `}
          <Phone order={order} />
          <br />
          {`${formatCount(lineCount)} items, ${formatDollars(orderTotal(order))}, `}
          <DateTime at={createdAt} />
          {', '}
          <span className="whitespace-nowrap">{`${timeSince(createdAt)} ago`}</span>
        </p>
        <p className="text-sm font-medium empty:hidden">{describeRefund(order)}</p>
      </div>
      {linesToShip > 0 && (
        <ArmedButton
          className="btn btn-primary btn-sm"
          busy={progress !== null}
          late={false}
          onClick={() => ship([order])}
        >
          {linesToShip < lineCount ? `Ship the rest of order #${number}` : `Ship order #${number}`}
        </ArmedButton>
      )}
      <DeleteOrder order={order.lines[0]!} className="btn btn-outline btn-sm" />
    </div>
  )
  const foot = (isOpen || shown < lineCount) && (
    <MoreItems count={lineCount - listedLines} isOpen={isOpen} onToggle={() => toggle(order)} />
  )
  return { key: _id, name: `order #${number}`, head, foot }
}

interface MoreItemsProps {
  count: number
  isOpen: boolean
  onToggle: () => void
}

function MoreItems({ count, isOpen, onToggle }: MoreItemsProps) {
  const text = isOpen
    ? `Show ${formatCount(listedLines)} items`
    : `and ${formatCount(count)} more ${count === 1 ? 'item' : 'items'}`
  return (
    <button
      type="button"
      className="link text-sm"
      aria-expanded={isOpen}
      aria-label={useRowLabel(text)}
      onClick={onToggle}
    >
      {text}
    </button>
  )
}

function describeRefund(order: Order) {
  const { refunded } = order
  const total = orderTotal(order)
  if (refunded === 0) return null
  if (refunded >= total) return 'Refunded'
  return `Refunded ${formatDollars(refunded)} of ${formatDollars(total)}`
}

/** All lines of the orders that were opened, until the list is opened again. */
export function useAllLines() {
  const { key } = useLocation()
  const [read, setRead] = useState<{ key: string; lines: Record<string, Purchase[]> }>({ key, lines: {} })
  const all = read.key === key ? read.lines : {}

  async function toggle({ _id: id }: ListedOrder) {
    if (id in all) {
      const { [id]: _closed, ...others } = all
      return setRead({ key, lines: others })
    }
    try {
      const { lines } = await client.readOrder({ params: { id } })
      setRead({ key, lines: { ...all, [id]: lines } })
    } catch (error) {
      showError(error)
    }
  }

  /** What the list has is newer. */
  function linesOf({ _id, lines }: ListedOrder): Purchase[] {
    const listed = new Map(lines.map((line) => [line._id, line]))
    return all[_id]?.map((line) => listed.get(line._id) ?? line) ?? lines
  }
  return { linesOf, isOpen: ({ _id }: ListedOrder) => _id in all, toggle }
}
