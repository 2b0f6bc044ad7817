import { z } from 'zod'
import { optionalText, wholeNumber } from '#shop/fields.ts'
import { formatCount } from '#shop/money.ts'
import { type Tracking, tracking } from './shipment.ts'
import { guessCarrier } from './tracking-shape.ts'

/** The choice of a carrier whose name is typed. */
export const otherCarrier = 'other'

export const trackingForm = tracking
  // Not limited while another carrier is chosen and the field is hidden.
  .extend({ otherName: optionalText(Number.MAX_SAFE_INTEGER) })
  .refine(({ carrier, otherName }) => carrier !== otherCarrier || otherName, {
    path: ['otherName'],
    error: 'Carrier name is required',
  })
  .refine(({ carrier, otherName = '' }) => carrier !== otherCarrier || otherName.length <= 40, {
    path: ['otherName'],
    error: 'At most 40 characters',
  })

export function toTracking({ carrier, otherName, trackingNumber }: z.output<typeof trackingForm>): Tracking {
  const chosen = carrier === otherCarrier ? otherName : carrier
  return { carrier: chosen || (guessCarrier(trackingNumber) ?? undefined), trackingNumber }
}

/** `left`: how many are left to ship, by line id. Empty quantities count as 0. */
export function shipForm(left: Record<string, number>) {
  const quantities = Object.entries(left).map(([id, max]) => [
    id,
    z.preprocess(
      (typed) => (typed === '' ? 0 : typed),
      wholeNumber('Quantity is required').refine(
        (quantity) => quantity >= 0 && quantity <= max,
        `Enter 0 to ${formatCount(max)}`,
      ),
    ) as z.ZodType<number, number | string>,
  ])
  return trackingForm.safeExtend({
    quantities: z.object(
      Object.fromEntries(quantities) as Record<string, z.ZodType<number, number | string>>,
    ),
  })
}
