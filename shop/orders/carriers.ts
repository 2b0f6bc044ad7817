/** Each is followed by the tracking number. */
const trackingPages: Record<string, string> = {
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?submit=1&tracking-id=',
  UPS: 'https://www.ups.com/track?tracknum=',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  DPD: 'https://tracking.dpd.de/status/en_US/parcel/',
  GLS: 'https://gls-group.eu/track/',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
}

/** Those with a tracking page. */
export const carriers = Object.keys(trackingPages)

/** As `carriers` writes it, for a known one in any case. */
export function carrierName(typed: string): string {
  return carriers.find((carrier) => carrier.toLowerCase() === typed.toLowerCase()) ?? typed
}

/** Null without a number or for another carrier. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | null {
  if (!carrier || !trackingNumber || !Object.hasOwn(trackingPages, carrier)) return null
  return trackingPages[carrier] + encodeURIComponent(trackingNumber.replaceAll(' ', ''))
}
