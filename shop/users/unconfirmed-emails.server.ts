import type { Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { type RateLimit, withRateLimit } from '#shop/rate-limits.server.ts'

export type EmailLimitContext = Pick<Shop, 'mail' | 'rateLimits'>

const daySeconds = 24 * 60 * 60

/**
 * Sends at most 3 emails a day to an address that nobody has confirmed, so that the shop cannot be used to write to
 * strangers. Throws 'rate-limited' above that, without calling `compose`.
 */
export function sendToUnconfirmed(
  { mail, rateLimits }: EmailLimitContext,
  tx: Queries,
  address: string,
  compose: () => Email | Promise<Email>,
): Promise<void> {
  const limit: RateLimit = {
    keys: [`emails:to:${address}`],
    max: 3,
    seconds: daySeconds,
    counts: 'all',
    hint: 'We send at most 3 emails a day to an unconfirmed address. Check your spam folder, too.',
  }
  return withRateLimit({ db: tx, rateLimits }, limit, async () => mail.send(await compose(), tx))
}

/** For emails that nobody waits for. */
export function ignoreRateLimit(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'rate-limited')) throw error
}
