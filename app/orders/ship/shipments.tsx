import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { NamedRow, RowLink } from '#app/ui/table/row-name.tsx'
import { describeLine, describeLines } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'
import { EditTracking } from './edit-tracking.tsx'

interface Props {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  shipments: Shipment[]
  admin: boolean
}

export function Shipments({ order, lines, shipments, admin }: Props) {
  if (shipments.length === 0 && !(admin && order.paid)) return null
  return (
    <section aria-labelledby="shipments">
      <h2 id="shipments" className="text-base">
        {order.collected ? 'Ready to collect' : 'Shipments'}
      </h2>
      {shipments.length === 0 && (
        <p className="mt-2 text-sm">{`Nothing ${order.collected ? 'is ready' : 'has shipped'} yet.`}</p>
      )}
      <ul className="mt-2 border-base-300 text-sm not-empty:border-t">
        {shipments.map((shipment) => (
          <li key={shipment._id} className="border-b border-base-300 py-3">
            <p className="font-medium">
              <DateTime at={shipment.createdAt} />
            </p>
            <TrackingLink shipment={shipment} />
            <ul>
              {holdsAll(shipment, lines) ? (
                <li>The whole order</li>
              ) : (
                shipment.lines.map((line) => (
                  <li key={line.lineId} className="wrap-anywhere">
                    {describeLine(line)}
                  </li>
                ))
              )}
            </ul>
            {admin && (
              <div className="mt-2 flex flex-wrap gap-2">
                <NamedRow name={describeLines(shipment.lines)}>
                  <RowLink to={`/dashboard/packingSlips?shipments=${shipment._id}`} className="btn btn-sm">
                    Packing slip
                  </RowLink>
                  {!order.collected && <EditTracking shipment={shipment} />}
                  <Remove shipment={shipment} number={order.number} />
                </NamedRow>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function holdsAll(shipment: Shipment, lines: Purchase[]) {
  return lines.every(({ _id, quantity }) =>
    shipment.lines.some((line) => line.lineId === _id && line.quantity === quantity),
  )
}

/** Nothing without a carrier or a number. */
export function TrackingLink({ shipment: { carrier, trackingNumber, trackingUrl } }: { shipment: Shipment }) {
  const label = [carrier, trackingNumber].filter(Boolean).join(' ')
  if (!label) return null
  return (
    <p className="wrap-anywhere">
      {trackingUrl ? (
        <a href={trackingUrl} target="_blank" rel="noreferrer" className="link">
          {`Track ${label}`}
        </a>
      ) : (
        label
      )}
    </p>
  )
}

function Remove({ shipment, number }: { shipment: Shipment; number: string }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Remove"
      busy={busy}
      className="btn btn-sm"
      question={`Remove the shipment of ${describeLines(shipment.lines)} from order #${number}?`}
      details={
        <p className="mt-2">
          Its items are then left to ship. If the customer already got the email about it, we’ll send a
          correction.
        </p>
      }
      action="Remove shipment"
      dismiss="Keep shipment"
      onConfirm={() =>
        run('Shipment removed', () => adminClient.removeShipment({ params: { id: shipment._id } }))
      }
    />
  )
}
