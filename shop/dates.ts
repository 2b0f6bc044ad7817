const utcDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const utcTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** UTC, because the reader's time zone is unknown. */
export function formatUtc(at: string) {
  return `${utcTime.format(new Date(at))} UTC`
}

export function formatUtcDate(at: string) {
  return utcDate.format(new Date(at))
}
