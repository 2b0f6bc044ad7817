/** Of numbers without spaces and dashes. Loose, because carriers add formats: what fits none is asked about, not refused. */
const shapes: Record<string, RegExp> = {
  UPS: /^(1Z[0-9A-Z]{16}|[TH]\d{10}|\d{9}|\d{12}|\d{18}|\d{26})$/,
  FedEx: /^(\d{12}|\d{14,15}|\d{20}|\d{22}|\d{34})$/,
  USPS: /^(\d{20,34}|[A-Z]{2}\d{9}[A-Z]{2})$/,
  DHL: /^(\d{10,20}|[A-Z]{2,5}\d{7,35}|[A-Z]{2}\d{9}[A-Z]{2})$/,
}

const anyShape = /^[0-9A-Z]{8,40}$/

/** A number that only this carrier gives: its customer gets a link although nobody chose the carrier. */
export function guessCarrier(typed: string | null | undefined): string | null {
  return /^1Z[0-9A-Z]{16}$/.test(normalize(typed)) ? 'UPS' : null
}

const normalize = (typed: string | null | undefined) => (typed ?? '').replaceAll(/[\s-]/g, '').toUpperCase()

/** A sentence about a number that its carrier would hardly give; null for one that it would, and for none. */
export function doubtTracking(carrier: string | null | undefined, typed: string | null | undefined) {
  const number = normalize(typed)
  if (number === '') return null
  const shape = Object.hasOwn(shapes, carrier ?? '') ? shapes[carrier ?? '']! : anyShape
  if (shape.test(number)) return null
  const known = shape === anyShape ? 'tracking' : carrier
  return `This doesn’t look like a ${known} number.`
}

interface Parcel {
  /** Of its order. */
  number: string
  /** Of the customer. */
  name: string
  trackingNumber: string
}

/** The number of another customer’s order that has the same tracking number; undefined for none. */
export function findSameTracking({ number, name, trackingNumber }: Parcel, parcels: Parcel[]) {
  const typed = normalize(trackingNumber)
  if (typed === '') return undefined
  return parcels.find(
    (other) => other.number !== number && other.name !== name && normalize(other.trackingNumber) === typed,
  )?.number
}
