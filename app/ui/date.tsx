import { serverNow } from '#app/browser/clock.ts'

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })

/** In the reader's time zone; the exact time is the tooltip. */
export function DateTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactFormat.format(date)} className="whitespace-nowrap">
      {dayFormat.format(date)}
    </time>
  )
}

const deadlineFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})

/** In the reader's time zone. */
export function formatDeadline(at: string) {
  return deadlineFormat.format(new Date(at))
}

/** The largest unit of the time since then, such as `2 days`. */
export function timeSince(at: string, now = serverNow()): string {
  return timeUnits(now - Date.parse(at))[0]!
}

export const isPast = (until: string, now = serverNow()) => Date.parse(until) <= now

export function timeLeft(until: string, now = serverNow()): string {
  return timeUnits(Date.parse(until) - now)
    .slice(0, 2)
    .join(' ')
}

function timeUnits(ms: number) {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  const units = [
    { unit: 'day', count: Math.floor(minutes / 1440) },
    { unit: 'hour', count: Math.floor(minutes / 60) % 24 },
    { unit: 'minute', count: minutes % 60 },
  ]
  const largest = units.findIndex(({ count }) => count > 0)
  return units
    .slice(largest, largest + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}${count === 1 ? '' : 's'}`)
}
