import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the browser has taken over the page: before that a form would be sent without its rules. */
export function useHydrated() {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
