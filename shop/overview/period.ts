/** Days, weeks and months until today, which is included. */
export const periods = ['7d', '30d', '12w', '12m'] as const
export type Period = (typeof periods)[number]
export type StepUnit = 'day' | 'week' | 'month'

const lengths: Record<Period, { unit: StepUnit; count: number }> = {
  '7d': { unit: 'day', count: 7 },
  '30d': { unit: 'day', count: 30 },
  '12w': { unit: 'week', count: 12 },
  '12m': { unit: 'month', count: 12 },
}

export function unitOf(period: Period): StepUnit {
  return lengths[period].unit
}

export interface Span {
  from: string
  until: string
}

/** `starts` are the first days of its steps, as YYYY-MM-DD in UTC; `until` is excluded. */
export interface PeriodSteps extends Span {
  starts: string[]
}

/** The period that contains `now` (Unix time in ms), and the one of as many steps before it. */
export function periodSteps(period: Period, now: number): { current: PeriodSteps; previous: PeriodSteps } {
  const { unit, count } = lengths[period]
  const starts = Array.from({ length: 2 * count + 1 }, (_, i) => startOf(unit, now, i - 2 * count + 1))
  const toSteps = (first: number): PeriodSteps => ({
    from: `${starts[first]}T00:00:00.000Z`,
    until: `${starts[first + count]}T00:00:00.000Z`,
    starts: starts.slice(first, first + count),
  })
  return { current: toSteps(count), previous: toSteps(0) }
}

/** The first day of the day, week or month that is `offset` after that of `now`. */
function startOf(unit: StepUnit, now: number, offset: number): string {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const sinceMonday = (date.getUTCDay() + 6) % 7
  const start = {
    day: Date.UTC(year, month, day + offset),
    week: Date.UTC(year, month, day - sinceMonday + 7 * offset),
    month: Date.UTC(year, month + offset, 1),
  }[unit]
  return new Date(start).toISOString().slice(0, 10)
}
