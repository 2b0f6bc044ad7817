import type { Carrier } from './carriers.ts'

/** Each is followed by the tracking number. */
const trackingPages: Record<Carrier, string> = {
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?submit=1&tracking-id=',
  UPS: 'https://www.ups.com/track?tracknum=',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  DPD: 'https://tracking.dpd.de/status/en_US/parcel/',
  GLS: 'https://gls-group.eu/track/',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
}

/** Null without a number or for another carrier. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | null {
  if (!carrier || !trackingNumber || !Object.hasOwn(trackingPages, carrier)) return null
  return trackingPages[carrier as Carrier] + encodeURIComponent(trackingNumber.replaceAll(' ', ''))
}
