import { logText } from '#shop/errors.ts'
import { describeOmitted, logThrottle } from '#shop/log-throttle.ts'

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
