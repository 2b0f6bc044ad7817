import { z } from 'zod'
import { periods } from './period.ts'

export const overviewQuery = z.object({
  period: z.enum(periods, `period must be one of ${periods.join(', ')}`).default('30d'),
})
export type OverviewQuery = z.output<typeof overviewQuery>

/** Payments minus refunds, without delivery and tax, and how many orders were paid. */
const sales = { salesCents: z.int(), ordersPaid: z.int() }

/** Days are those of the shop’s time zone. A customer is new when the first order that the customer ever paid is in the period. */
const periodSales = z.object({
  ...sales,
  /** Of the payments minus the refunds. */
  deliveryCents: z.int(),
  taxCents: z.int(),
  newCustomers: z.int(),
  returningCustomers: z.int(),
  /** Days, weeks from Monday, or months; `from` is the first day. The last one of the current period goes on. */
  steps: z.array(z.object({ ...sales, from: z.string() })),
})

/** Of items that were paid in the period, whatever was refunded later. */
const partSales = z.object({
  partId: z.string(),
  name: z.string(),
  partNumber: z.string(),
  revenueCents: z.int(),
  quantity: z.int(),
})
export type PartSales = z.output<typeof partSales>

/** What waits for an admin. Orders count when one of their items does, up to 10,001. */
const waiting = z.object({
  ordersToShip: z.int(),
  /** When the oldest order to ship was placed. */
  oldestToShip: z.string().nullable(),
  ordersUnpaid: z.int(),
  /** Of the unpaid, those that expire within 24 hours. */
  ordersExpiring: z.int(),
  partsSoldOut: z.int(),
  /** Sold out, or at their reorder point or below. */
  partsToReorder: z.int(),
  newMessages: z.int(),
  /** Those that money is owed for, and not refunded yet. */
  ordersRefundPending: z.int(),
  paymentTasks: z.int(),
  /** Customers whose VAT ID or exemption nobody has checked. */
  taxToCheck: z.int(),
})
export type Waiting = z.output<typeof waiting>

export const overview = z.object({
  asOf: z.string(),
  /** Whether an order was ever paid. */
  hasSales: z.boolean(),
  /** False in a live shop in which no admin has saved what delivery and tax cost, free or not. */
  chargesDecided: z.boolean(),
  waiting,
  current: periodSales,
  /** As many steps before it. */
  previous: periodSales,
  /** At most five. */
  bestByRevenue: z.array(partSales),
  bestByQuantity: z.array(partSales),
})
export type Overview = z.output<typeof overview>
