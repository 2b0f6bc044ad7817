import { useMemo, useRef } from 'react'
import { randomId } from '#app/browser/random-id.ts'

/**
 * For a request that must take effect once: while its outcome is unknown, it is sent again under the same idempotency key, and no
 * other one is sent.
 */
export function usePendingRequest<Body extends object>() {
  const pending = useRef<{ body: Body; key: string }>(undefined)
  return useMemo(
    () => ({
      otherThan(body: Body): Body | undefined {
        const other = pending.current?.body
        return other && JSON.stringify(other) !== JSON.stringify(body) ? other : undefined
      },
      start: (body: Body) => {
        pending.current ??= { body, key: randomId() }
        return pending.current
      },
      clear() {
        const wasPending = pending.current !== undefined
        pending.current = undefined
        return wasPending
      },
    }),
    [],
  )
}
