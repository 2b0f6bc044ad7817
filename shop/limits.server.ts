import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import { limits } from '#db/schema.ts'
import { ShopError } from './errors.ts'
import type { Shop } from './ports.ts'

interface Attempts {
  /** Whom they count for; the widest first, so that whoever is refused there burns nobody else's attempts. */
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
  const counted: string[] = []
  const giveBack = () => Promise.all(counted.map((key) => limiter.reward(key)))

  // Counted before, so that many at once do not slip through together, and given back after.
  for (const key of keys) {
    try {
      await limiter.consume(key)
      counted.push(key)
    } catch (reason) {
      await giveBack()
      throw reason instanceof RateLimiterRes ? tooOften(reason) : reason
    }
  }
  try {
    const result = await work()
    if (counting === 'failures') await giveBack()
    return result
  } catch (error) {
    if (counting === 'successes') await giveBack()
    throw error
  }
}

function tooOften({ msBeforeNext }: RateLimiterRes) {
  const retryAfter = Math.ceil(msBeforeNext / 1000)
  const minutes = Math.ceil(retryAfter / 60)
  const message = `That was very often. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  return new ShopError('limited', message, { retryAfter })
}
