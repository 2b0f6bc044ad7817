import { z } from 'zod'

const milliseconds = z.number().min(0).max(600_000).optional()

/** Core Web Vitals of one page view; times in milliseconds, CLS without a unit. */
export const vitals = z.strictObject({
  page: z.string().max(100),
  TTFB: milliseconds,
  FCP: milliseconds,
  LCP: milliseconds,
  INP: milliseconds,
  CLS: z.number().min(0).max(100).optional(),
})
export type Vitals = z.output<typeof vitals>
export type VitalName = Exclude<keyof Vitals, 'page'>
