import type { Shop } from '#shop/ports.ts'
import type { VitalName, Vitals } from './vitals.ts'

/** The metrics are unauthenticated, so clients can falsify them. */
export async function reportVitals({ metrics }: Pick<Shop, 'metrics'>, { page, ...values }: Vitals) {
  const entries = Object.entries(values) as [VitalName, number | undefined][]
  const measured = entries.filter((entry): entry is [VitalName, number] => entry[1] !== undefined)
  for (const [name, value] of measured) metrics.vital(page, name, value)
  return { counted: measured.length }
}
