import { Temporal } from 'temporal-polyfill'
import { findDay } from '#shop/dates.ts'
import { startOfDay } from '#shop/days.server.ts'
import { type Period, periodLengths, type StepUnit } from './period.ts'

export interface Span {
  from: string
  until: string
}

/** `starts` are the first days of its steps, as YYYY-MM-DD; `until` is excluded. */
export interface PeriodSteps extends Span {
  starts: string[]
}

/** The period that contains `now` (Unix time in ms), and the one of as many steps before it. */
export function periodSteps(
  period: Period,
  now: number,
  timeZone: string,
): { current: PeriodSteps; previous: PeriodSteps } {
  const { unit, count } = periodLengths[period]
  const today = Temporal.PlainDate.from(findDay(now, timeZone))
  const starts = Array.from({ length: 2 * count + 1 }, (_, i) => findStart(unit, today, i - 2 * count + 1))
  const toSteps = (first: number): PeriodSteps => ({
    from: toTime(starts[first]!, timeZone),
    until: toTime(starts[first + count]!, timeZone),
    starts: starts.slice(first, first + count),
  })
  return { current: toSteps(count), previous: toSteps(0) }
}

/** The first day of the day, week or month that is `offset` after that of `today`. */
function findStart(unit: StepUnit, today: Temporal.PlainDate, offset: number): string {
  const start = {
    day: () => today.add({ days: offset }),
    week: () => today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks: offset }),
    month: () => today.with({ day: 1 }).add({ months: offset }),
  }[unit]
  return start().toString()
}

/** In ISO 8601. */
function toTime(day: string, timeZone: string) {
  return new Date(startOfDay(day, timeZone)).toISOString()
}

export function startOfToday(now: number, timeZone: string): string {
  return toTime(findDay(now, timeZone), timeZone)
}

/** Each day of the span, and when it begins. */
export function listDays({ from, until }: Span, timeZone: string) {
  const days: { day: string; from: string }[] = []
  const end = findDay(until, timeZone)
  for (let day = Temporal.PlainDate.from(findDay(from, timeZone)); `${day}` < end; day = day.add({ days: 1 }))
    days.push({ day: `${day}`, from: toTime(`${day}`, timeZone) })
  return days
}
