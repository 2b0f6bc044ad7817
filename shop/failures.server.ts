import { readStackTrace } from '#telemetry/errors.ts'

/** Of work on many rows that goes on when some fail. `what` is such as 'Orders that could not be expired'. */
export function collectFailures(what: string) {
  const failures: Error[] = []
  return {
    any: () => failures.length > 0,
    add(error: Error): void {
      failures.push(error)
    },
    throwIfAny(): void {
      if (failures[0])
        throw new Error(`${what}: ${failures.length}. The first: ${readStackTrace(failures[0])}`)
    },
  }
}
