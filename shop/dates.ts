const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Making a format takes two hundred times as long as using it, and each order writes times into emails. */
function onceForZone(language: string, options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (timeZone: string) => {
    const known = formats.get(timeZone)
    if (known) return known
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}

const timeFormat = onceForZone('en-GB', { timeStyle: 'short', hourCycle: 'h23' })
const dateAndTimeFormat = onceForZone('en-GB', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' })
// Swedes write days as ISO 8601 does.
const isoFormat = onceForZone('sv-SE', {})
const offsetFormat = onceForZone('en-GB', { timeZoneName: 'short' })

/** Of a calendar day, such as 2026-10-31, which has no time zone. */
export function formatDay(day: string) {
  return dayFormat.format(new Date(day))
}

const weekdayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** Of a calendar day that is near, such as Tue 1 Dec. */
export function formatWeekday(day: string) {
  return weekdayFormat.format(new Date(day)).replace(',', '')
}

/** When something is over, such as `14:00 UTC today` or `14:00 UTC on Mon 30 Nov`. */
export function formatCutOff(at: string, now: number, timeZone: string) {
  const day = findDay(at, timeZone)
  const when = day === findDay(now, timeZone) ? 'today' : `on ${formatWeekday(day)}`
  return `${timeFormat(timeZone).format(new Date(at))} ${nameOffset(at, timeZone)} ${when}`
}

/** With its zone, unless that is UTC. `at` is in ISO 8601. */
export function formatDate(at: string, timeZone: string) {
  const day = formatDay(findDay(at, timeZone))
  return timeZone === 'UTC' ? day : `${day} (${nameOffset(at, timeZone)})`
}

/** With its zone, because the reader’s own is unknown. */
export function formatTime(at: string, timeZone: string) {
  return `${dateAndTimeFormat(timeZone).format(new Date(at))} ${nameOffset(at, timeZone)}`
}

/** The calendar day, such as 2026-10-31, of a moment: Unix time in ms, or ISO 8601. */
export function findDay(at: number | string, timeZone: string): string {
  return isoFormat(timeZone).format(new Date(at))
}

/** In a sentence about days, which may be on both sides of a change of clocks. */
export function nameTimeZone(timeZone: string) {
  return timeZone === 'UTC' ? timeZone : `${timeZone.replaceAll('_', ' ')} time`
}

/** What clocks of the zone show then, such as CEST or GMT+5:30. */
function nameOffset(at: string, timeZone: string) {
  const parts = offsetFormat(timeZone).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')!.value
}
