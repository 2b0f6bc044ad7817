import { useEffect, useRef } from 'react'
import { useMatches } from 'react-router'

let started = false

export function useVitals() {
  const entryPage = useRef(useMatches().at(-1)!.id)
  useEffect(() => {
    if (started) return
    started = true
    if (document.readyState === 'complete') startWhenIdle()
    else addEventListener('load', startWhenIdle, { once: true })

    async function startWhenIdle() {
      // Safari has no idle callbacks; Chromium may call nobody while it draws nothing.
      await new Promise<unknown>((resolve) =>
        'requestIdleCallback' in window
          ? requestIdleCallback(resolve, { timeout: 2_000 })
          : setTimeout(resolve),
      )
      if (!navigator.onLine) return
      const reporter = await import('./vitals-reporter.ts').catch(() => null)
      reporter?.startVitalsReporter(entryPage.current)
    }
  }, [])
}
