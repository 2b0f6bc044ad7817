import { setTimeout as wait } from 'node:timers/promises'
import { startTracing } from '#telemetry/trace.ts'
import { traceCalls } from '#telemetry/trace-calls.ts'

/** How long a collector that does not answer may delay the end of the process. */
const flushMs = 2_000

/** Returns the function that sends the last traces. Without an address, nothing is traced. */
export async function openTracing(endpoint: string | undefined): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {}
  const stop = await startTracing(endpoint)
  const stopCalls = traceCalls()
  return async () => {
    stopCalls()
    await Promise.race([stop().catch(() => {}), wait(flushMs, undefined, { ref: false })])
  }
}
