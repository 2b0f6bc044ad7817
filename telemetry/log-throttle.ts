const maxKinds = 100

interface Throttle {
  max?: number
  intervalMs?: number
}

/**
 * At most `max` lines of each kind in an interval, since anybody can cause some of them without limit. Returns how many were omitted
 * since the last one, or null when this one is to be omitted, too.
 */
export function logThrottle({ max = 1, intervalMs = 60_000 }: Throttle = {}) {
  const kinds = new Map<string, { since: number; written: number; omitted: number }>()

  return (kind: string): number | null => {
    const key = kinds.has(kind) || kinds.size < maxKinds ? kind : 'other'
    const last = kinds.get(key)
    if (last && Date.now() - last.since < intervalMs) {
      if (last.written < max) {
        last.written += 1
        return 0
      }
      last.omitted += 1
      return null
    }
    kinds.set(key, { since: Date.now(), written: 1, omitted: 0 })
    return last?.omitted ?? 0
  }
}
