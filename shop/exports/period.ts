import { z } from 'zod'
import { calendarDay } from '#shop/calendar-day.ts'
import { findDay } from '#shop/dates.ts'

const day = (name: string) => calendarDay(`${name} must be a date, such as 2026-10-31`)

/** Days of the shop’s time zone, both included. */
export const paymentPeriod = z
  .object({ from: day('from'), to: day('to') })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'Choose a day that isn’t before the first' })
export type PaymentPeriod = z.output<typeof paymentPeriod>

/** Dollars: positive to the shop, negative from it. */
export const paymentTotals = z.object({
  entries: z.int(),
  payments: z.number(),
  refunds: z.number(),
  disputes: z.number(),
  net: z.number(),
})
export type PaymentTotals = z.output<typeof paymentTotals>

/** The month before that of `now`, which is Unix time in ms. */
export function lastMonth(now: number, timeZone: string): PaymentPeriod {
  const today = new Date(findDay(now, timeZone))
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()]
  const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { from: toDay(Date.UTC(year, month - 1, 1)), to: toDay(Date.UTC(year, month, 0)) }
}
