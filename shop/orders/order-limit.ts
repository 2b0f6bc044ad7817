import { z } from 'zod'

/** What a customer may leave unpaid, in whole dollars. */
export const orderLimit = z.object({
  /** Of all unpaid orders; null without limits. */
  value: z.int().nullable(),
  /** Of the orders that are unpaid now. */
  held: z.int(),
  /** Of an order beyond `value` that its customer goes on to pay at once; 0 when there can be none. */
  valueToPayNow: z.int(),
  /** Minutes that such an order is held. */
  payNowMinutes: z.int(),
  isConfirmed: z.boolean(),
  hasPaid: z.boolean(),
})
export type OrderLimit = z.output<typeof orderLimit>

/** `isLowest`: one part in the lowest quantity that can be ordered, which always passes as a first order. */
export function checkOrderLimit(
  { value, held, valueToPayNow }: Pick<OrderLimit, 'value' | 'held' | 'valueToPayNow'>,
  price: number,
  isLowest: boolean,
): 'within' | 'pay now' | 'above' {
  if (value === null || held + price <= value || (held === 0 && isLowest)) return 'within'
  return held === 0 && price <= valueToPayNow ? 'pay now' : 'above'
}
