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
    keys: [`emails:to:${mailboxKey(address)}`],
    max: 3,
    seconds: daySeconds,
    counts: 'all',
    hint: 'We’ve already sent 3 emails to this unconfirmed address today. Check your inbox and your spam folder.',
  }
  return withRateLimit({ db: tx, rateLimits }, limit, async () => mail.send(await compose(), tx))
}

/**
 * What emails to an address are counted by. Variants that usually reach one mailbox, with `+tag` or with dots at Gmail, share a
 * count, and leave that of the plain address to its owner.
 */
export function mailboxKey(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  const untagged = name.replace(/\+.*/, '')
  const plain = /^(gmail|googlemail)\.com$/.test(domain) ? untagged.replaceAll('.', '') : untagged
  return name === plain ? `${name}@${domain}` : `variants of ${plain}@${domain}`
}

/** For emails that nobody waits for. */
export function ignoreRateLimit(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'rate-limited')) throw error
}
