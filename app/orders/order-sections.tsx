import { DocumentLinks } from '#app/orders/documents/document-links.tsx'
import { Shipments } from '#app/orders/ship/shipments.tsx'
import type { OrderDocument } from '#shop/documents/document.ts'
import type { OrderEvent, Purchase } from '#shop/orders/purchase.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'
import { DeliverTo } from './deliver-to.tsx'
import { OrderDates } from './order-dates.tsx'
import { Timeline } from './timeline.tsx'

interface Props {
  /** One item, or all of them as one. */
  order: Purchase
  lines: Purchase[]
  events: OrderEvent[]
  documents: OrderDocument[]
  shipments: Shipment[]
  admin: boolean
}

/** What the pages of an order and of an item share. */
export function OrderSections({ order, lines, events, documents, shipments, admin }: Props) {
  return (
    <>
      <DeliverTo order={order} admin={admin} />
      <OrderDates order={order} />
      <DocumentLinks lines={lines} documents={documents} admin={admin} />
      <Shipments order={order} lines={lines} shipments={shipments} admin={admin} />
      <Timeline events={events} />
    </>
  )
}
