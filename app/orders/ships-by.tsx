import { useRouteLoaderData } from 'react-router'
import { brand } from '#app/brand.ts'
import { serverNow } from '#app/browser/clock.ts'
import { formatCutOff, formatWeekday } from '#shop/dates.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeDispatch } from '#shop/settings/dispatch.ts'
import type { describeShippingPromise } from '#shop/settings/ship-by.server.ts'

/** Of what is ordered and paid now; a page that was loaded before the cut-off says how long it takes instead. */
export function useShippingPromise(): string {
  const dispatch = useRouteLoaderData<{ dispatch: ReturnType<typeof describeShippingPromise> }>(
    'root',
  )?.dispatch
  if (dispatch && serverNow() < Date.parse(dispatch.until))
    return `Pay by ${dispatch.payBy} and it ships by ${dispatch.shipBy}.`
  return `Your order ${dispatch?.fallback ?? describeDispatch(brand.dispatch)} of payment.`
}

type ShipByField = 'shipBy' | 'shipByUntil' | 'late' | 'collected'

/** For the customer of a paid order. */
export function ShipsBy({ order }: { order: Pick<Purchase, ShipByField> }) {
  const { shipBy, shipByUntil, late, collected } = order
  if (!shipBy || shipByUntil) return null
  const day = formatWeekday(shipBy)
  if (!late) return <p>{`${collected ? 'Ready' : 'Ships'} by ${day}`}</p>
  return (
    <p className="font-medium text-error">{`We’re late: this was to ${collected ? 'be ready' : 'ship'} by ${day}.`}</p>
  )
}

/** Null when nothing of the order is to ship. */
export function describeShipBy(
  { shipBy, shipByUntil, late, collected }: Pick<Purchase, ShipByField>,
  timeZone: string,
): string | null {
  if (!shipBy) return null
  const day = formatWeekday(shipBy)
  if (!shipByUntil && collected) return `${late ? 'Was to be ready' : 'Ready'} by ${day}.`
  if (!shipByUntil) return `${late ? 'Was to ship' : 'Ships'} by ${day}.`
  const now = serverNow()
  // The server knows the next date.
  if (now >= Date.parse(shipByUntil)) return null
  return `Pay by ${formatCutOff(shipByUntil, now, timeZone)} and it ${collected ? 'is ready' : 'ships'} by ${day}.`
}
