import type { ReactNode } from 'react'
import { PartName } from '#app/catalogue/part-name.tsx'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { PaymentWarning } from '#app/orders/payment-warning.tsx'
import { refundedLabel } from '#app/orders/refund/refund-status.ts'
import { shippedLabel } from '#app/orders/ship/shipped-label.ts'
import { Shipping } from '#app/orders/ship/shipping.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import { formatWeekday } from '#shop/dates.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { ListedOrder } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled, orderStatus } from '#shop/orders/status.ts'
import { DeleteItem } from './delete-order.tsx'

interface ShippingProps {
  /** Whether a line of the order was changed just now, and would have left the list. */
  undoable: boolean
  keep: (order: ListedOrder) => void
  ship: (orders: ListedOrder[]) => void
}

/** Of an order of one item. */
export function orderCells(order: ListedOrder, shipping: ShippingProps): ReactNode[] {
  const { number, lines } = order
  const line = lines[0]!
  return [
    <OrderedBy key="name" order={order} />,
    <div key="product">
      <p className="what max-md:truncate" title={line.parts}>
        <PartName name={line.parts} />
      </p>
      <p className="which text-sm text-base-content/75">
        {`#${number}, `}
        <Ordered order={order} />
      </p>
    </div>,
    formatCount(line.quantity),
    formatDollars(orderTotal(order)),
    <Status key="status" order={order} line={line} {...shipping} />,
    canBeCancelled(line) ? <DeleteItem key="action" line={line} /> : '–',
  ]
}

/** Of an item of an order that has more. */
export function lineCells(order: ListedOrder, line: Purchase, shipping: ShippingProps): ReactNode[] {
  const { number, name } = order
  const { _id, parts, quantity, price } = line
  return [
    <span key="name" className="sr-only">
      {name}
    </span>,
    <RowLink
      key="product"
      to={`/dashboard/orders/${_id}?item`}
      className="block hover:underline md:truncate md:contain-inline-size"
      title={parts}
      aria-label={`${parts} for ${name}, order #${number}`}
    >
      {parts}
    </RowLink>,
    formatCount(quantity),
    formatDollars(price),
    // What is not paid has the state of its order.
    line.paid && <Status key="status" order={order} line={line} {...shipping} />,
    canBeCancelled(line) && <DeleteItem key="action" line={line} />,
  ]
}

/** Who ordered, leads to the order. A phone has no room for the rest, which the order has. */
export function OrderedBy({ order }: { order: ListedOrder }) {
  const { _id, name, collected, phoneNumber } = order
  const deliveredTo = describeRecipient(order)
  return (
    <div className="font-normal md:min-w-28 xl:min-w-40">
      <RowLink to={`/dashboard/orders/${_id}`} className="link wrap-anywhere">
        {name}
      </RowLink>
      {deliveredTo && <Details>{`${collected ? 'For' : 'Deliver to'} ${deliveredTo}`}</Details>}
      <div className="max-md:hidden">
        <Details>
          <bdi>{findPlace(order)}</bdi>
          {', '}
          <RowLink to={`/dashboard/customers/${_id}`} className="link whitespace-nowrap">
            {phoneNumber}
          </RowLink>
        </Details>
      </div>
    </div>
  )
}

/** When, and by when its parts ship; a phone has room for one. */
export function Ordered({ order }: { order: ListedOrder }) {
  const { createdAt, shipBy, shipByUntil, late, collected } = order
  const isPromised = shipBy && !shipByUntil && !late
  return (
    <>
      <span className={isPromised ? 'max-md:hidden' : ''}>
        <DateTime at={createdAt} />
        {isPromised && ', '}
      </span>
      {isPromised && (
        <span className="whitespace-nowrap">
          {`${collected ? 'ready' : 'ships'} by ${formatWeekday(shipBy)}`}
        </span>
      )}
    </>
  )
}

/** Of an order that was promised for an earlier day. */
export function LateNote({
  order: { shipBy, late, collected },
}: {
  order: Pick<Purchase, 'shipBy' | 'late' | 'collected'>
}) {
  if (!late || !shipBy) return null
  const promised = collected ? 'be ready' : 'ship'
  return (
    <p className="text-sm font-medium text-error">{`Late: was to ${promised} by ${formatWeekday(shipBy)}`}</p>
  )
}

/** Empty when the parts go to the customer. */
function describeRecipient({ name, recipient, company }: Pick<Purchase, 'name' | 'recipient' | 'company'>) {
  return [recipient !== name && recipient, company].filter(Boolean).join(', ')
}

/** Where it goes: the town that was entered, else what follows the street. */
function findPlace({ collected, town, address }: Pick<Purchase, 'collected' | 'town' | 'address'>) {
  if (collected) return 'Collect'
  if (town) return town
  const [street = '', ...rest] = address.split(/[,\n]/).map((line) => line.trim())
  return rest.filter(Boolean).join(', ') || street
}

export function Details({ children }: { children: ReactNode }) {
  return <p className="text-sm text-base-content/75">{children}</p>
}

/** An amount has a line of its own, below the date. */
export function RefundNote({ text }: { text: string | null }) {
  if (!text) return null
  if (text === 'Refunded') return <span>{text}</span>
  return (
    <p className="order-last w-full xl:min-w-42">
      {text.split(/(?<=\.) /).map((sentence) => (
        <span key={sentence} className="block xl:whitespace-nowrap">
          {sentence}
        </span>
      ))}
    </p>
  )
}

interface StatusProps extends ShippingProps {
  order: ListedOrder
  line: Purchase
}

function Status({ order, line, undoable, keep, ship }: StatusProps) {
  const { lineCount, linesToShip, lines } = order
  const status = orderStatus(line)
  const isWhole = lineCount === 1
  if (status === 'awaiting payment') return <span className="whitespace-nowrap">Awaiting payment</span>
  if (status === 'expired') return 'Expired'
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <Shipping
        line={line}
        undoable={undoable}
        linesToShip={linesToShip}
        onChange={(changed) =>
          keep({
            ...order,
            linesToShip: linesToShip + (changed.shipping ? -1 : 1),
            lines: lines.map((other) => (other._id === changed._id ? changed : other)),
          })
        }
        onShipWhole={() => ship([order])}
      />
      <span className="empty:hidden">{shippedLabel(line)}</span>
      <RefundNote text={refundedLabel(line)} />
      {isWhole && <PaymentWarning order={line} />}
      {isWhole && <LateNote order={line} />}
      {line.shippedAt && (isWhole || !(order.shipping || undoable)) && (
        <Details>
          <DateTime at={line.shippedAt} />
        </Details>
      )}
    </div>
  )
}
