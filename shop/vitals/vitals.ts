import { z } from 'zod'

const milliseconds = z.number().min(0).max(600_000).optional()

/** How one page was for somebody who saw it, in web-vitals' own names: times in milliseconds, CLS without a unit. */
export const vitals = z.strictObject({
  /** The route that was asked for, by its id in app/routes.ts. */
  page: z.string().max(100),
  /** Until the answer began. */
  TTFB: milliseconds,
  /** Until anything was seen. */
  FCP: milliseconds,
  /** Until the largest thing was seen. */
  LCP: milliseconds,
  /** How slowly it reacted, nearly at worst. */
  INP: milliseconds,
  /** How far things moved about by themselves. */
  CLS: z.number().min(0).max(100).optional(),
})
export type Vitals = z.output<typeof vitals>
export type VitalName = Exclude<keyof Vitals, 'page'>
