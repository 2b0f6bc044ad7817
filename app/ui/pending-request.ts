import { useMemo, useRef } from 'react'

/**
 * For a request that must take effect once: while its outcome is unknown, it is sent again under the same idempotency key, and no
 * other one is sent.
 */
export function usePendingRequest<Body extends object>() {
  const pending = useRef<{ body: Body; key: string }>(undefined)
  return useMemo(
    () => ({
      /** The body of a pending request that differs from `body`. */
      otherThan(body: Body): Body | undefined {
        const other = pending.current?.body
        return other && JSON.stringify(other) !== JSON.stringify(body) ? other : undefined
      },
      /** The pending request, or a new one with this body. */
      start: (body: Body) => {
        pending.current ??= { body, key: crypto.randomUUID() }
        return pending.current
      },
      /** Returns whether one was pending. */
      clear() {
        const wasPending = pending.current !== undefined
        pending.current = undefined
        return wasPending
      },
    }),
    [],
  )
}
