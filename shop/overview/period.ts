/** Days, weeks and months until today, which is included. */
export const periods = ['7d', '30d', '12w', '12m'] as const
export type Period = (typeof periods)[number]
export type StepUnit = 'day' | 'week' | 'month'

export const periodLengths: Record<Period, { unit: StepUnit; count: number }> = {
  '7d': { unit: 'day', count: 7 },
  '30d': { unit: 'day', count: 30 },
  '12w': { unit: 'week', count: 12 },
  '12m': { unit: 'month', count: 12 },
}

export function findUnit(period: Period): StepUnit {
  return periodLengths[period].unit
}
