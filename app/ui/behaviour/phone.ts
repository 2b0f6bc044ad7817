import { useSyncExternalStore } from 'react'

/** As the breakpoint `md` of the style sheets. */
const query = '(width < 48rem)'

export function isPhone() {
  return matchMedia(query).matches
}

/** Whether the window is as narrow as a phone now. */
export function useIsPhone() {
  return useSyncExternalStore(subscribe, isPhone, () => false)
}

function subscribe(onChange: () => void) {
  const list = matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
