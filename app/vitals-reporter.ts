import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { VitalName } from '#shop/vitals/vitals.ts'

const address = '/api/vitals'

/**
 * Sends what was measured in one message when the page is hidden or left, which is the last moment that a browser
 * promises. Whoever comes back to the page is not counted again, unless the browser had put it away meanwhile.
 */
export function startVitalsReporter(page: string) {
  const sent = new Set<string>()
  let measured: Partial<Record<VitalName, number>> = {}

  const note = ({ id, name, value }: MetricType) => {
    if (!sent.has(id)) measured[name] = value
    sent.add(id)
  }
  for (const measure of [onTTFB, onFCP, onLCP, onINP, onCLS]) measure(note)

  // On its way down this event has passed web-vitals, which finishes its measurements at it.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || Object.keys(measured).length === 0) return
    if (navigator.onLine) send(JSON.stringify({ page, ...measured }))
    measured = {}
  })
}

function send(body: string) {
  const headers = { 'content-type': 'application/json' }
  if (navigator.sendBeacon?.(address, new Blob([body], { type: headers['content-type'] }))) return
  fetch(address, { method: 'POST', headers, body, keepalive: true }).catch(() => {
    // It is only a measurement.
  })
}
