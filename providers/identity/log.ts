import { logText } from '#shop/errors.ts'

const intervalMs = 60_000
const maxKinds = 100

/** Writes one line a minute for each kind of message, since anybody can cause some of them without limit. */
export function throttledLog(write: (line: string) => void) {
  const kinds = new Map<string, { loggedAt: number; omitted: number }>()

  return (message: string) => {
    // Later lines hold SQL parameters, which are personal data.
    const [line] = message.split('\n') as [string]
    // What follows the colon is a caller's.
    const [prefix] = line.split(':') as [string]
    const kind = kinds.has(prefix) || kinds.size < maxKinds ? prefix : 'other'
    const last = kinds.get(kind)
    if (last && Date.now() - last.loggedAt < intervalMs) {
      last.omitted += 1
      return
    }
    kinds.set(kind, { loggedAt: Date.now(), omitted: 0 })
    write(logText(line) + (last?.omitted ? ` (and ${last.omitted} more of these since the last line)` : ''))
  }
}
