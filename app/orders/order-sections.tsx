import { DocumentLinks } from '#app/orders/documents/document-links.tsx'
import { Shipments } from '#app/orders/ship/shipments.tsx'
import type { AuditEntry } from '#shop/audit/audit.ts'
import type { OrderDocument } from '#shop/documents/document.ts'
import type { OrderEvent, Purchase } from '#shop/orders/purchase.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'
import { DeliverTo } from './deliver-to.tsx'
import { Timeline } from './timeline.tsx'

interface Props {
  /** One item, or an order of one. */
  order: Purchase
  lines: Purchase[]
  events: OrderEvent[]
  /** By admins, newest first; null for a customer. */
  changes: AuditEntry[] | null
  documents: OrderDocument[]
  shipments: Shipment[]
  admin: boolean
}

/** Of the page of an item. */
export function OrderSections({ order, lines, events, changes, documents, shipments, admin }: Props) {
  return (
    <>
      <DeliverTo order={order} admin={admin} />
      <DocumentLinks lines={lines} documents={documents} admin={admin} />
      <Shipments order={order} shipments={shipments} admin={admin} />
      <Timeline events={events} changes={changes} order={order} />
    </>
  )
}
