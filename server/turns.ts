import type { Context, Env, Hono, MiddlewareHandler } from 'hono'
import pLimit, { type LimitFunction } from 'p-limit'
import { clientNetwork, widerNetwork } from '#shop/rate-limits.server.ts'

/** Pages take their turns where they are handled, because files from memory need none. */
export function limitConcurrency<E extends Env>(
  app: Hono<E>,
  addressOf: (c: Context) => string,
): MiddlewareHandler {
  const inTurn = takeTurns(addressOf)
  for (const path of ['/api/*', '/identity/*', '/payments/*']) app.use(path, inTurn)
  // Encoding a picture takes long.
  app.use('/images/*', takeTurns(addressOf, 8))
  return inTurn
}

/** Handles at most `max` requests of a client at a time and the others in turn, so that one client does not slow all others. */
export function takeTurns(addressOf: (c: Context) => string, max = 32): MiddlewareHandler {
  const clients = new Map<string, LimitFunction>()
  return async (c, next) => {
    const network = clientNetwork(addressOf(c))
    const client = widerNetwork(network) ?? network
    const limit = clients.get(client) ?? pLimit(max)
    clients.set(client, limit)
    const hasToWait = limit.activeCount >= max
    try {
      return await limit(async () => {
        if (hasToWait && c.req.raw.signal.aborted) return c.body(null, 400)
        await next()
      })
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) clients.delete(client)
    }
  }
}
