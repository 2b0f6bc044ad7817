import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { PaymentWarning } from '#app/orders/payment-warning.tsx'
import { refundedLabel } from '#app/orders/refund/refund-status.ts'
import { shippedLabel } from '#app/orders/ship/shipped-label.ts'
import { Shipping } from '#app/orders/ship/shipping.tsx'
import { DateTime, timeSince } from '#app/ui/date.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled, orderStatus } from '#shop/orders/status.ts'
import { DeleteItem } from './delete-order.tsx'

interface ShippingProps {
  undoable: boolean
  onChange: (order: Purchase) => void
}

export function orderCells(
  order: Purchase,
  { isGrouped, ...shipping }: ShippingProps & { isGrouped: boolean },
): ReactNode[] {
  const { _id, number, lineCount, name, address, phoneNumber } = order
  const { parts, quantity, price, createdAt } = order
  const deliveredTo = describeRecipient(order)
  return [
    <div key="name" className="md:min-w-28">
      <Link to={`/dashboard/orders/${_id}${lineCount > 1 ? '?item' : ''}`} className="link wrap-anywhere">
        {name}
      </Link>
      {!isGrouped && (
        <>
          {deliveredTo && <Details>{`Deliver to ${deliveredTo}`}</Details>}
          <Details>{findTown(address)}</Details>
          <Details>
            <Phone number={phoneNumber} />
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
    formatDollars(price),
    <Status key="status" order={order} {...shipping} />,
    canBeCancelled(order) ? <DeleteItem key="action" order={order} /> : '–',
  ]
}

/** What the items of an order have in common. */
export function orderFacts(order: Purchase): ReactNode {
  const { name, address, phoneNumber } = order
  const deliveredTo = describeRecipient(order)
  return (
    <>
      {`${[name, deliveredTo && `deliver to ${deliveredTo}`, findTown(address)].filter(Boolean).join(', ')}, `}
      <Phone number={phoneNumber} />
      <br />
    </>
  )
}

/** Empty when the parts go to the customer. */
function describeRecipient({ name, recipient, company }: Purchase) {
  return [recipient !== name && recipient, company].filter(Boolean).join(', ')
}

function Phone({ number }: { number: string }) {
  return (
    <a href={`tel:${number.replace(/[^\d+]/g, '')}`} className="whitespace-nowrap">
      {number}
    </a>
  )
}

/** What follows the street. */
function findTown(address: string) {
  const [street = '', ...rest] = address.split(/[,\n]/).map((line) => line.trim())
  return rest.filter(Boolean).join(', ') || street
}

function Details({ children }: { children: ReactNode }) {
  return <p className="text-sm text-base-content/75">{children}</p>
}

function Status({ order, ...shipping }: ShippingProps & { order: Purchase }) {
  const status = orderStatus(order)
  if (status === 'awaiting payment') return 'Awaiting payment'
  if (status === 'expired') return 'Expired'
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:justify-end">
        <Shipping order={order} {...shipping} />
        <span className="empty:hidden">{shippedLabel(order)}</span>
        <span className="empty:hidden">{refundedLabel(order)}</span>
        <PaymentWarning order={order} />
      </div>
      {order.shippedAt && (
        <Details>
          <DateTime at={order.shippedAt} />
        </Details>
      )}
    </div>
  )
}
