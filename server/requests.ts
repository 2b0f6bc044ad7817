import type { Context, MiddlewareHandler } from 'hono'
import { log } from '#telemetry/log.ts'
import { currentRequest, type RequestFields, runInRequest } from '#telemetry/request-context.ts'
import { isTrustedProxy, type TrustProxy } from './client-address.ts'
import { isRendering } from './rendering.ts'

const requestIdHeader = 'X-Request-Id'

/** Their number would hide everything else; `/metrics` counts them. */
const countedOnly = new Set(['asset', 'file', 'image', 'health', 'metrics'])

/**
 * Gives each request an id, which its log lines and its response have, and writes one line about it. The address is left out: it may hold
 * an email address, a key or what somebody searched for.
 */
export function identifyRequests(trust: TrustProxy): MiddlewareHandler {
  return (c, next) => {
    if (isRendering(c) && currentRequest()) return next()
    const fields: RequestFields = { requestId: forwardedId(c, trust) ?? crypto.randomUUID() }
    return runInRequest(fields, async () => {
      const start = performance.now()
      await next()
      if (isRendering(c)) return
      c.header(requestIdHeader, fields.requestId)
      const level = countedOnly.has(fields.route ?? '') ? 'debug' : 'info'
      const durationMs = Math.round((performance.now() - start) * 10) / 10
      log[level]({ method: c.req.method, status: c.res.status, durationMs }, 'request')
    })
  }
}

function forwardedId(c: Context, trust: TrustProxy) {
  const id = c.req.header(requestIdHeader)
  const isHarmless = id !== undefined && /^[\w.-]{1,64}$/.test(id)
  return isHarmless && isTrustedProxy(trust, c.env?.incoming?.socket.remoteAddress) ? id : undefined
}
