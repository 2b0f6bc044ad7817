import { Temporal } from 'temporal-polyfill'

/** In its usual spelling; null when there is none of this name. An offset such as +05:30 is not one, as it has no daylight saving time. */
export function findTimeZone(name: string): string | null {
  if (!/^[a-z]{2}/i.test(name)) return null
  try {
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId
  } catch {
    return null
  }
}

/** Unix time in ms. Where clocks skip midnight, a day begins after that; where midnight comes twice, at the first. */
export function startOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** ISO 8601 with milliseconds, and with the zone's offset or `Z`. */
export function formatIsoTime(at: string, timeZone: string): string {
  if (timeZone === 'UTC') return at
  return toZoned(at, timeZone).toString({ timeZoneName: 'never', fractionalSecondDigits: 3 })
}

/** What clocks of the zone show, as a time of UTC: spreadsheets know no zones. */
export function toWallClock(at: string, timeZone: string): Date {
  return new Date(toZoned(at, timeZone).toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds)
}

function toZoned(at: string, timeZone: string) {
  return Temporal.Instant.fromEpochMilliseconds(Date.parse(at)).toZonedDateTimeISO(timeZone)
}
