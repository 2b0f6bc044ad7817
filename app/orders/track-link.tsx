import type { Shipment } from '#shop/orders/ship/shipment.ts'

/** To the carrier’s page about the last shipment that has one. */
export function TrackLink({ shipments }: { shipments: Shipment[] }) {
  const url = shipments.findLast(({ trackingUrl }) => trackingUrl)?.trackingUrl
  return (
    url && (
      <a href={url} target="_blank" rel="noreferrer" className="btn btn-sm">
        Track
      </a>
    )
  )
}
