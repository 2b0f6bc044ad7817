import { setTimeout as wait } from 'node:timers/promises'
import { traceOf } from '#shop/errors.ts'

/**
 * Does something every so many milliseconds, never twice at once in this process; what fails is logged and done again the
 * next time. Answers how to stop it, which gives what is under way up to five seconds.
 */
export function every(period: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error) => console.error(traceOf(error)))
      .finally(() => {
        running = undefined
      })
  }, period).unref()
  return async () => {
    clearInterval(timer)
    await Promise.race([running, wait(5_000, undefined, { ref: false })])
  }
}
