import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { OrderState } from '#app/orders/order-state.tsx'
import { type Pictures, readPictures, Thumb } from '#app/orders/part-thumbs.tsx'
import { TrackingLink } from '#app/orders/ship/shipments.tsx'
import { DateTime } from '#app/ui/date.tsx'
import type { Conversation } from '#shop/messages/conversation.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'

export interface AskedOrder {
  order: Order
  shipments: Shipment[]
  pictures: Pictures
}

/** What a conversation is about; null when that is no order, or cannot be read: the conversation can still be answered. */
export async function readAskedOrder({ order }: Pick<Conversation, 'order'>): Promise<AskedOrder | null> {
  if (!order) return null
  const params = { id: order._id }
  const read = await client.readOrder({ params }).catch(() => null)
  if (!read) return null
  const [shipments, pictures] = await Promise.all([
    read.paid ? client.listShipments({ params }).catch(() => []) : [],
    readPictures(read.lines),
  ])
  return { order: read, shipments, pictures }
}

interface Props {
  asked: AskedOrder
  /** Those that the conversation is about; none for all of the order. */
  items: Conversation['items']
  /** Of its items. */
  className: string
  /** What can be done with the order. */
  children: ReactNode
}

/** The order of a conversation. */
export function OrderPanel({ asked: { order, shipments, pictures }, items, className, children }: Props) {
  const ids = new Set(items.map(({ _id }) => _id))
  const lines = order.lines.toSorted((a, b) => Number(ids.has(b._id)) - Number(ids.has(a._id)))
  const shown = lines.slice(0, maxLines)
  return (
    <section
      aria-label={`Order #${order.number}`}
      className="rounded-box border border-base-300 bg-base-100 p-4 text-sm"
    >
      <div className="flex items-baseline justify-between gap-x-4">
        <h2 className="text-base">{`Order #${order.number}`}</h2>
        <p className="text-base font-semibold whitespace-nowrap">{formatDollars(orderTotal(order))}</p>
      </div>
      <OrderState lines={order.lines} />
      <p className="text-base-content/75">
        {'Ordered '}
        <DateTime at={order.createdAt} />
      </p>
      <ul className={`mt-3 border-y border-base-300 py-1 ${className}`}>
        {shown.map((line) => (
          <Item
            key={line._id}
            line={line}
            picture={pictures[line.partId]}
            isAsked={ids.has(line._id) && ids.size < lines.length}
          />
        ))}
        {lines.length > shown.length && (
          <li className="self-center py-1.5 text-base-content/75">{`and ${formatCount(lines.length - shown.length)} more`}</li>
        )}
      </ul>
      <div className="mt-2 empty:hidden">
        {shipments.map((shipment) => (
          <TrackingLink key={shipment._id} shipment={shipment} />
        ))}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">{children}</div>
    </section>
  )
}

const maxLines = 3

function Item({
  line: { quantity, parts },
  picture,
  isAsked,
}: {
  line: Purchase
  picture: string | undefined
  isAsked: boolean
}) {
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Thumb src={picture} alt="" />
      <div className="min-w-0">
        <p>
          {`${formatCount(quantity)} × `}
          <PartName name={parts} />
        </p>
        {isAsked && <p className="font-medium text-primary">Asked about</p>}
      </div>
    </li>
  )
}

export function OpenOrder({ order: { _id, number } }: { order: Order }) {
  return (
    <Link to={`/dashboard/orders/${_id}`} className="btn btn-sm" aria-label={`Open order #${number}`}>
      Open order
    </Link>
  )
}
