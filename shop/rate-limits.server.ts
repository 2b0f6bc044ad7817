import { and, gt, inArray } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import { type Queries, rateLimits as table } from '#db/schema.ts'
import { ShopError } from './errors.ts'
import type { Shop } from './ports.ts'

export interface RateLimit {
  /** Widest first, so that a request rejected there does not use up attempts of the narrower keys. */
  keys: string[]
  /** Attempts per key within `seconds`. */
  max: number
  seconds: number
  counts: 'successes' | 'failures' | 'all'
  hint?: string
}

/** Thrown by work that neither succeeded nor failed: only limits of `all` count it. */
export class Uncounted extends Error {}

/** Throws 'rate-limited' with `retryAfter` in seconds. */
export async function withRateLimit<T>(
  { db, rateLimits }: { db: Queries; rateLimits: boolean },
  { keys, max, seconds, counts, hint }: RateLimit,
  work: () => Promise<T>,
): Promise<T> {
  if (!rateLimits) return work()
  const options = { storeClient: db, schema: table, keyPrefix: '', clearExpiredByTimeout: false }
  const limiter = new RateLimiterDrizzle({ ...options, points: max, duration: seconds })
  const consumed: string[] = []
  const refund = () => Promise.all(consumed.map((key) => limiter.reward(key)))

  // Consumed before the work, so that concurrent requests cannot exceed the limit, and refunded after it.
  for (const key of keys) {
    try {
      await limiter.consume(key)
      consumed.push(key)
    } catch (reason) {
      await refund()
      throw reason instanceof RateLimiterRes ? rateLimitError(reason.msBeforeNext, hint) : reason
    }
  }
  try {
    const result = await work()
    if (counts === 'failures') await refund()
    return result
  } catch (error) {
    // A rejection by a narrower limit is not a failure.
    const wasRefused = error instanceof ShopError && error.code === 'rate-limited'
    const isNoFailure = wasRefused || error instanceof Uncounted
    if (counts === 'successes' || (counts === 'failures' && isNoFailure)) await refund()
    throw error
  }
}

/** Applies all of them; the first is checked first. Throws like `withRateLimit`. */
export function withRateLimits<T>(
  shop: { db: Queries; rateLimits: boolean },
  limits: RateLimit[],
  work: () => Promise<T>,
): Promise<T> {
  return limits.reduceRight((inner, limit) => () => withRateLimit(shop, limit, inner), work)()
}

/** Throws 'rate-limited' when one of these limits is reached, without counting. Returns the attempts so far by key. */
export async function checkRateLimits(
  { db }: Pick<Shop, 'db'>,
  limits: RateLimit[],
): Promise<Map<string, number>> {
  const keys = limits.flatMap((limit) => limit.keys)
  const rows = await db
    .select()
    .from(table)
    .where(and(inArray(table.key, keys), gt(table.expire, new Date())))
  for (const { keys, max, hint } of limits) {
    const reached = rows.find(({ key, points }) => keys.includes(key) && points >= max)
    if (reached) throw rateLimitError(reached.expire!.getTime() - Date.now(), hint)
  }
  return new Map(rows.map(({ key, points }) => [key, points]))
}

export async function resetRateLimits({ db }: Pick<Shop, 'db'>, keys: string[]) {
  await db.delete(table).where(inArray(table.key, keys))
}

/**
 * IPv6 callers are grouped by /64, the smallest network assigned to a subscriber. Node reports IPv4 callers as IPv4-mapped IPv6 on a
 * dual-stack socket.
 */
export function clientNetwork(caller: string): string {
  const [address = ''] = caller.split('%')
  if (!ipaddr.IPv6.isValid(address)) return caller
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** One IPv6 subscriber can have many /64 networks, up to a /48. Null for IPv4. */
export function widerNetwork(network: string): string | null {
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null
}

/** The limit, and for IPv6 ten times as much for the /48 around the network. `keyOf` makes the key of a network. */
export function networkLimits(
  network: string,
  limit: Omit<RateLimit, 'keys'>,
  keyOf: (network: string) => string,
): RateLimit[] {
  const wider = widerNetwork(network)
  const wide = wider ? [{ ...limit, keys: [keyOf(wider)], max: 10 * limit.max }] : []
  return [...wide, { ...limit, keys: [keyOf(network)] }]
}

function rateLimitError(msBeforeNext: number, hint: string | undefined) {
  const retryAfter = Math.ceil(msBeforeNext / 1000)
  const message = `Too many attempts. Try again in ${duration(retryAfter)}.`
  return new ShopError('rate-limited', hint ? `${message} ${hint}` : message, { retryAfter })
}

function duration(seconds: number) {
  const minutes = Math.ceil(seconds / 60)
  const [count, unit] = minutes > 120 ? [Math.ceil(minutes / 60), 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
