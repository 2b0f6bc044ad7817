import type { Shop } from '#shop/ports.ts'
import type { VitalName, Vitals } from './vitals.ts'

/** Adds one visit to the figures and answers how many. Nobody vouches for it: whoever wants to can skew them. */
export async function reportVitals({ metrics }: Pick<Shop, 'metrics'>, { page, ...values }: Vitals) {
  const given = Object.entries(values) as [VitalName, number | undefined][]
  const counted = given.filter((vital): vital is [VitalName, number] => vital[1] !== undefined)
  for (const [name, value] of counted) metrics.vital(page, name, value)
  return { counted: counted.length }
}
