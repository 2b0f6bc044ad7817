import { logText } from '#telemetry/errors.ts'
import { logThrottle } from '#telemetry/log-throttle.ts'

/** Writes one line a minute for each kind of message. */
export function throttledLog(write: (line: string) => void) {
  const throttle = logThrottle()

  return (message: string) => {
    // Later lines hold SQL parameters, which are personal data.
    const [line] = message.split('\n') as [string]
    // What follows the colon is a caller's.
    const [kind] = line.split(':') as [string]
    const omitted = throttle(kind)
    if (omitted !== null) write(logText(line) + describeOmitted(omitted))
  }
}

function describeOmitted(omitted: number) {
  return omitted > 0 ? ` (and ${omitted} more of these since the last line)` : ''
}
