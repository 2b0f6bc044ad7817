import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import { limits } from '#db/schema.ts'
import { ShopError } from './errors.ts'
import type { Shop } from './ports.ts'

interface Attempts {
  keys: string[]
  /** How many count in `seconds`, for each key by itself. */
  most: number
  seconds: number
  /** Which of them count. */
  counting: 'successes' | 'failures'
}

/** Does something that may only be done so often. Throws 'limited', with the seconds to wait, beyond that. */
export async function limited<T>(
  { db, rateLimits }: Pick<Shop, 'db' | 'rateLimits'>,
  { keys, most, seconds, counting }: Attempts,
  work: () => Promise<T>,
): Promise<T> {
  if (!rateLimits) return work()
  const options = { storeClient: db, schema: limits, keyPrefix: '', clearExpiredByTimeout: false }
  const limiter = new RateLimiterDrizzle({ ...options, points: most, duration: seconds })
  // Counted before, so that many at once do not slip through together, and given back after.
  for (const key of keys) await limiter.consume(key).catch(refuse)
  const giveBack = () => Promise.all(keys.map((key) => limiter.reward(key)))

  try {
    const result = await work()
    if (counting === 'failures') await giveBack()
    return result
  } catch (error) {
    if (counting === 'successes') await giveBack()
    throw error
  }
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason
  const retryAfter = Math.ceil(reason.msBeforeNext / 1000)
  const minutes = Math.ceil(retryAfter / 60)
  const message = `That was very often. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  throw new ShopError('limited', message, { retryAfter })
}
