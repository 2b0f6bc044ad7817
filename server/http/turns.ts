import { setImmediate } from 'node:timers/promises'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { limitWebhookBody } from '#api/server.ts'
import { createTurns } from '#api/turns.ts'
import { isRendering } from '#server/cache/rendering.ts'
import { clientNetwork, widerNetwork } from '#shop/rate-limits.server.ts'
import { chooseBodyLimit, isLargeRequest } from './large-requests.ts'

/** Encoding a picture takes long. */
export function limitPictures(clientAddressOf: (c: Context) => string): MiddlewareHandler {
  return takeTurns(clientAddressOf, 8)
}

/** Bodies are in memory while they arrive. */
export function limitBodyByPath(c: Context, next: Next) {
  const { path } = c.req
  if (path === '/payments/webhook') return limitWebhookBody(c, next)
  return isLargeRequest(path) ? next() : chooseBodyLimit(path)(c, next)
}

/** A slow body must not hold a turn. */
export async function readBodyFirst(c: Context, next: Next) {
  const { raw, path, method } = c.req
  if (method === 'GET' || method === 'HEAD' || isLargeRequest(path)) return next()
  // Remembered by Hono for the API, which reads it with the same method; the others get the request itself.
  if (path.startsWith('/api/')) await c.req.text()
  else if (raw.body) {
    const body = await c.req.arrayBuffer()
    c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal })
    c.req.bodyCache = {}
  }
  await next()
}

let lastStart: Promise<void> = Promise.resolve()

/**
 * One caller in each iteration of the event loop. Otherwise requests that wait for nothing would be handled one after the other before
 * any answer of the database is read.
 */
function nextIteration(): Promise<void> {
  lastStart = lastStart.then(() => setImmediate())
  return lastStart
}

/**
 * Handles at most `max` requests of a client at a time and the others in turn, so that one client does not slow all others or use up
 * the database's connections.
 */
export function takeTurns(clientAddressOf: (c: Context) => string, max = 12): MiddlewareHandler {
  const inTurn = createTurns(max)
  return (c, next) => {
    // In the turn of the client that asked for it.
    if (isRendering(c)) return next()
    const network = clientNetwork(clientAddressOf(c))
    return inTurn(widerNetwork(network) ?? network, async ({ late }) => {
      await nextIteration()
      if (late && c.req.raw.signal.aborted) return c.body(null, 400)
      await next()
    })
  }
}
