import { isIPv6 } from 'node:net'
import { inArray } from 'drizzle-orm'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimits as table } from '#db/schema.ts'
import { ShopError } from './errors.ts'
import type { Shop } from './ports.ts'

export interface RateLimit {
  /** Whom they count for; the widest first, so that whoever is refused there burns nobody else's attempts. */
  keys: string[]
  /** How many count in `seconds`, for each key by itself. */
  max: number
  seconds: number
  /** Which of them count. */
  counts: 'successes' | 'failures' | 'all'
  /** What else to do meanwhile, as a sentence. */
  hint?: string
}

/** Does something that may only be done so often. Throws 'limited', with the seconds to wait, beyond that. */
export async function withRateLimit<T>(
  { db, rateLimits }: Pick<Shop, 'db' | 'rateLimits'>,
  { keys, max: most, seconds, counts: counting, hint }: RateLimit,
  work: () => Promise<T>,
): Promise<T> {
  if (!rateLimits) return work()
  const options = { storeClient: db, schema: table, keyPrefix: '', clearExpiredByTimeout: false }
  const limiter = new RateLimiterDrizzle({ ...options, points: most, duration: seconds })
  const counted: string[] = []
  const refund = () => Promise.all(counted.map((key) => limiter.reward(key)))

  // Counted before, so that many at once do not slip through together, and given back after.
  for (const key of keys) {
    try {
      await limiter.consume(key)
      counted.push(key)
    } catch (reason) {
      await refund()
      throw reason instanceof RateLimiterRes ? rateLimitError(reason, hint) : reason
    }
  }
  try {
    const result = await work()
    if (counting === 'failures') await refund()
    return result
  } catch (error) {
    if (counting === 'successes') await refund()
    throw error
  }
}

/** Counts nothing under these keys any more. */
export async function resetRateLimits({ db }: Pick<Shop, 'db'>, keys: string[]) {
  await db.delete(table).where(inArray(table.key, keys))
}

/** Which callers count as one: with IPv6 everybody has at least a /64 to themselves. */
export function networkOf(caller: string): string {
  const address = caller.split('%')[0]!
  if (!isIPv6(address)) return caller
  // The URL parser has one spelling for each address.
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::') as [string, string?]
  const groups = (part = '') => part.split(':').filter(Boolean)
  const zeros = Array(8 - groups(head).length - groups(tail).length).fill('0')
  const all = tail === undefined ? groups(head) : [...groups(head), ...zeros, ...groups(tail)]
  const mapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return mapped ? ipv4Of(all.slice(6)) : `${all.slice(0, 4).join(':')}::/64`
}

/** An IPv4 address that came in as an IPv6 one, as Node does it where it listens for both. */
function ipv4Of(groups: string[]) {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.')
}

function rateLimitError({ msBeforeNext }: RateLimiterRes, hint: string | undefined) {
  const retryAfter = Math.ceil(msBeforeNext / 1000)
  const minutes = Math.ceil(retryAfter / 60)
  const message = `That was very often. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  return new ShopError('limited', hint ? `${message} ${hint}` : message, { retryAfter })
}
