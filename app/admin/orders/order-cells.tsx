import type { ReactNode } from 'react'
import { PartName } from '#app/catalogue/part-name.tsx'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { PaymentWarning } from '#app/orders/payment-warning.tsx'
import { refundedLabel } from '#app/orders/refund/refund-status.ts'
import { shippedLabel } from '#app/orders/ship/shipped-label.ts'
import { Shipping } from '#app/orders/ship/shipping.tsx'
import { DateTime, timeSince } from '#app/ui/date.tsx'
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

/** Of a line of an order. */
export function orderCells(order: ListedOrder, line: Purchase, shipping: ShippingProps): ReactNode[] {
  const { number, lineCount, name, createdAt } = order
  const { _id, parts, quantity, price } = line
  const deliveredTo = describeRecipient(order)
  const isGrouped = lineCount > 1
  return [
    <div key="name" className="md:min-w-28">
      <RowLink to={`/dashboard/orders/${_id}${lineCount > 1 ? '?item' : ''}`} className="link wrap-anywhere">
        {name}
      </RowLink>
      {!isGrouped && (
        <>
          {deliveredTo && <Details>{`${order.collected ? 'For' : 'Deliver to'} ${deliveredTo}`}</Details>}
          <Details>
            {`${findPlace(order)}, `}
            <Phone order={order} />
          </Details>
        </>
      )}
    </div>,
    <div key="product">
      <PartName name={parts} />
      {!isGrouped && (
        <Details>
          {`#${number}, `}
          <DateTime at={createdAt} />
          {', '}
          <span className="whitespace-nowrap">{`${timeSince(createdAt)} ago`}</span>
        </Details>
      )}
    </div>,
    formatCount(quantity),
    formatDollars(isGrouped ? price : orderTotal(order)),
    <Status key="status" order={order} line={line} {...shipping} />,
    canBeCancelled(line) ? <DeleteItem key="action" line={line} /> : '–',
  ]
}

/** Of an order that was promised for an earlier day. */
function LateNote({ shipBy, late, collected }: Pick<Purchase, 'shipBy' | 'late' | 'collected'>) {
  if (!late || !shipBy) return null
  const promised = collected ? 'be ready' : 'ship'
  return (
    <p className="text-sm font-medium text-error">{`Late: was to ${promised} by ${formatWeekday(shipBy)}`}</p>
  )
}

/** Empty when the parts go to the customer. */
export function describeRecipient({
  name,
  recipient,
  company,
}: Pick<Purchase, 'name' | 'recipient' | 'company'>) {
  return [recipient !== name && recipient, company].filter(Boolean).join(', ')
}

/** Leads to the customer, where it dials. */
export function Phone({ order: { _id, phoneNumber } }: { order: ListedOrder }) {
  return (
    <RowLink to={`/dashboard/customers/${_id}`} className="link whitespace-nowrap">
      {phoneNumber}
    </RowLink>
  )
}

/** Where it goes: the town that was entered, else what follows the street. */
export function findPlace({ collected, town, address }: Pick<Purchase, 'collected' | 'town' | 'address'>) {
  if (collected) return 'Collect'
  if (town) return town
  const [street = '', ...rest] = address.split(/[,\n]/).map((line) => line.trim())
  return rest.filter(Boolean).join(', ') || street
}

function Details({ children }: { children: ReactNode }) {
  return <p className="text-sm text-base-content/75">{children}</p>
}

interface StatusProps extends ShippingProps {
  order: ListedOrder
  line: Purchase
}

function Status({ order, line, undoable, keep, ship }: StatusProps) {
  const { linesToShip, lines } = order
  const status = orderStatus(line)
  if (status === 'awaiting payment') return 'Awaiting payment'
  if (status === 'expired') return 'Expired'
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:justify-end">
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
        <span className="empty:hidden">{refundedLabel(line)}</span>
        <PaymentWarning order={line} />
      </div>
      <LateNote shipBy={line.shipBy} late={line.late} collected={line.collected} />
      {line.shippedAt && (
        <Details>
          <DateTime at={line.shippedAt} />
        </Details>
      )}
    </div>
  )
}
