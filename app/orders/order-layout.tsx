import type { ReactNode } from 'react'
import { DocumentLinks } from '#app/orders/documents/document-links.tsx'
import { Shipments } from '#app/orders/ship/shipments.tsx'
import type { AuditEntry } from '#shop/audit/audit.ts'
import type { OrderDocument } from '#shop/documents/document.ts'
import type { OrderEvent, Purchase } from '#shop/orders/purchase.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'
import { DeliverTo } from './deliver-to.tsx'
import { HoldNote } from './hold-note.tsx'
import { OrderState } from './order-state.tsx'
import { PaymentNotice, PaymentWarning } from './payment-warning.tsx'
import { StatusBar } from './status-bar.tsx'
import { Timeline } from './timeline.tsx'

export interface ShownOrder {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  events: OrderEvent[]
  documents: OrderDocument[]
  shipments: Shipment[]
  /** By admins; null for a customer. */
  changes: AuditEntry[] | null
  admin: boolean
  own: boolean
}

interface Props extends ShownOrder {
  title: ReactNode
  /** Those whose state it is about. */
  of: Purchase[]
  actions: ReactNode
  items: ReactNode
  /** Below the timeline. */
  children?: ReactNode
}

/** The page of an order, or of an item of one. */
export function OrderLayout(props: Props) {
  const { order, lines, events, documents, shipments, changes, admin, own } = props
  const { title, of, actions, items, children } = props
  return (
    <article className="max-w-6xl">
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
        <h1>{title}</h1>
        <OrderState lines={of} isHead />
        {admin && <PaymentWarning order={order} />}
      </div>
      <StatusBar lines={of} />
      {admin && <PaymentNotice order={order} />}
      {actions}
      {own && <HoldNote order={order} />}

      <div className="mt-8 grid items-start gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_18rem] xl:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 gap-8">
          {items}
          <Shipments order={order} lines={lines} shipments={shipments} admin={admin} />
        </div>
        <div className="grid min-w-0 gap-8 sm:max-xl:grid-cols-2 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <DeliverTo order={order} admin={admin} />
          <DocumentLinks lines={lines} documents={documents} admin={admin} />
        </div>
        <div className="grid min-w-0 gap-8">
          <Timeline events={events} changes={changes} order={order} />
          {children}
        </div>
      </div>
    </article>
  )
}
