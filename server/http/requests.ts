import type { Context, MiddlewareHandler } from 'hono'
import { isRendering } from '#server/cache/rendering.ts'
import { log } from '#telemetry/log.ts'
import { currentRequest, type RequestFields, runInRequest } from '#telemetry/request-context.ts'
import { type StartedSpan, startSpan } from '#telemetry/trace.ts'
import { type TrustProxy, trustedProxies } from './client-address.ts'

const requestIdHeader = 'X-Request-Id'

/** Their number would hide everything else; `/metrics` counts them. */
const countedOnly = new Set(['asset', 'file', 'image', 'health', 'metrics'])

/**
 * Gives each request an id, which its log lines and its response have, and writes one line about it. The address is left out: it may hold
 * an email address, a key or what somebody searched for.
 */
export function identifyRequests(trust: TrustProxy): MiddlewareHandler {
  const isTrustedProxy = trustedProxies(trust)
  return (c, next) => {
    if (isRendering(c) && currentRequest()) return next()
    const isTrusted = isTrustedProxy(c.env?.incoming?.socket?.remoteAddress)
    const fields: RequestFields = { requestId: (isTrusted && forwardedId(c)) || crypto.randomUUID() }
    const { method } = c.req
    const attributes = { 'http.request.method': method }
    const traceparent = isTrusted ? c.req.header('traceparent') : undefined
    const span = startSpan(method, { kind: 'SERVER', attributes, traceparent })
    if (span) fields.traceId = span.traceId
    return runInRequest(fields, async () => {
      const start = performance.now()
      await (span ? span.run(next) : next())
      endSpan(span, fields, c)
      if (isRendering(c)) return
      // `c.header` would copy the response first.
      c.res.headers.set(requestIdHeader, fields.requestId)
      const level = countedOnly.has(fields.route ?? '') ? 'debug' : 'info'
      const durationMs = Math.round((performance.now() - start) * 10) / 10
      log[level]({ method, status: c.res.status, durationMs }, 'request')
    })
  }
}

function endSpan(span: StartedSpan | null, { route = '' }: RequestFields, { req, res }: Context) {
  span?.rename(`${req.method} ${route}`.trim())
  span?.end(
    { 'http.route': route, 'http.response.status_code': res.status },
    res.status >= 500 && { name: String(res.status) },
  )
}

/** Of the forms that proxies make, without words: some would forward what a visitor sent. */
function forwardedId(c: Context) {
  const id = c.req.header(requestIdHeader) ?? ''
  return /^[0-9a-f]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null
}
