import { useEffect } from 'react'

/** Opens a form for a link such as `#refund` from another page, once. */
export function useOpenByHash(hash: string, open: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page is entered
  useEffect(() => {
    if (location.hash !== hash) return
    // Not by the router, which would load the page again.
    history.replaceState(history.state, '', location.pathname + location.search)
    open()
  }, [])
}
