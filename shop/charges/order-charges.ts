import { z } from 'zod'

/** Why tax is not charged. */
const noTaxReasons = ['reverse charge', 'exempt', 'no rate', 'not on delivery'] as const
export type NoTaxReason = (typeof noTaxReasons)[number]

/** Of one rate, or of what has none for a reason. */
const taxTotal = z.object({
  rate: z.object({ name: z.string(), country: z.string(), millionths: z.int() }).optional(),
  reason: z.enum(noTaxReasons).optional(),
  /** Without tax. */
  base: z.int(),
  tax: z.int(),
})

/** What an order costs, in cents. `goods` and `delivery` are without tax: with `tax` they add up to `total`. */
export const orderCharges = z.object({
  goods: z.int(),
  delivery: z.int(),
  tax: z.int(),
  total: z.int(),
  /** Of `tax`. */
  deliveryTax: z.int(),
  taxes: z.array(taxTotal),
  /** Whether prices and delivery are shown with tax. */
  mode: z.enum(['none', 'exclusive', 'inclusive']),
  /** Of the buyer, such as a checked VAT ID; printed on papers. */
  buyerTaxId: z.string().nullable().default(null),
  /** Working days from when it ships; null when the shop names none. */
  deliveryDays: z.object({ from: z.int(), to: z.int() }).nullable().default(null),
  /** At the factory, so that there is no delivery. */
  collected: z.boolean().default(false),
})
export type OrderCharges = z.output<typeof orderCharges>

/** Of an order whose tax the tax service has worked out, with the id of its calculation, which no response has. */
export type StoredCharges = OrderCharges & { calculation?: string }

/** Of goods alone. */
export function chargeNothingElse(cents: number): OrderCharges {
  return {
    goods: cents,
    delivery: 0,
    tax: 0,
    total: cents,
    deliveryTax: 0,
    taxes: [],
    mode: 'none',
    buyerTaxId: null,
    deliveryDays: null,
    collected: false,
  }
}
