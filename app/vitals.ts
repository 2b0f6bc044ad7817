import { useEffect, useRef } from 'react'
import { useMatches } from 'react-router'

let begun = false

/** Measures how the page that somebody came in by is for them, once it is there and the browser has time. */
export function useVitals() {
  const entrance = useRef(useMatches().at(-1)!.id)
  useEffect(() => {
    if (begun) return
    begun = true
    if (document.readyState === 'complete') whenIdle()
    else addEventListener('load', whenIdle, { once: true })

    async function whenIdle() {
      await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
      if (!navigator.onLine) return
      const reporter = await import('./vitals-reporter.ts').catch(() => null)
      reporter?.startVitalsReporter(entrance.current)
    }
  }, [])
}
