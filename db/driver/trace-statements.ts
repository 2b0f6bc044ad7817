import type pg from 'pg'
import { isTracing, keepTrace, startSpan } from '#telemetry/trace.ts'

/** A span for each statement, with what it does and to which table, but without its text or parameters. */
export function traceStatements(client: pg.ClientBase): void {
  if (!isTracing()) return
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const [config] = args
    const text = typeof config === 'string' ? config : (config as { text?: unknown }).text
    const summary = summarize(String(text ?? ''))
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
    const span = startSpan(summary, { kind: 'CLIENT', attributes })
    if (!span) return query(...args)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      const done = (error: unknown, result: unknown) => {
        span.end({}, error)
        callback(error, result)
      }
      return query(...args.slice(0, -1), keepTrace(done))
    }
    const result = query(...args) as Promise<unknown>
    result.then(
      () => span.end(),
      (error) => span.end({}, error),
    )
    return result
  }) as never
}

/** A connection that another request returns runs its callback in that request's trace. */
export function traceConnecting(pool: pg.Pool): void {
  if (!isTracing()) return
  const connect = pool.connect.bind(pool)
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback ? connect(keepTrace(callback)) : connect()) as typeof pool.connect
}

/** Such as `select parts`. */
function summarize(text: string) {
  const [, operation = 'statement', table] =
    /^\s*(\w+)(?:.*?\b(?:from|into|update)\s+(["\w.]+))?/is.exec(text.slice(0, 2_000)) ?? []
  return [operation.toLowerCase(), ...(table ? [table.replaceAll('"', '')] : [])].join(' ')
}
