import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** Before hydration a form would be submitted without client-side validation. */
export function useHydrated() {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
