import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { VitalName } from '#shop/vitals/vitals.ts'

const url = '/api/vitals'

/**
 * Sends once the page is hidden, the last event that browsers guarantee. A page shown again is not counted twice, except
 * after a restore from the back/forward cache.
 */
export function startVitalsReporter(page: string) {
  const sent = new Set<string>()
  let measured: Partial<Record<VitalName, number>> = {}

  const record = ({ id, name, value }: MetricType) => {
    if (!sent.has(id)) measured[name] = value
    sent.add(id)
  }
  for (const measure of [onTTFB, onFCP, onLCP, onINP, onCLS]) measure(record)

  // web-vitals listens in the capture phase, so its final values are in by now.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || Object.keys(measured).length === 0) return
    if (navigator.onLine) send(JSON.stringify({ page, ...measured }))
    measured = {}
  })
}

function send(body: string) {
  const headers = { 'content-type': 'application/json' }
  if (navigator.sendBeacon?.(url, new Blob([body], { type: headers['content-type'] }))) return
  fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => {})
}
