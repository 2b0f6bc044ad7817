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
    keys: [`emails:to:${mailboxOf(address)}`],
    max: 3,
    seconds: daySeconds,
    counts: 'all',
    hint: 'We’ve already sent 3 emails to this unconfirmed address today. Check your inbox and your spam folder.',
  }
  return withRateLimit({ db: tx, rateLimits }, limit, async () => mail.send(await compose(), tx))
}

/** The same for addresses that usually reach one mailbox: without `+tag`, and without dots at Gmail. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  const mailbox = name.replace(/\+.*/, '')
  return `${/^(gmail|googlemail)\.com$/.test(domain) ? mailbox.replaceAll('.', '') : mailbox}@${domain}`
}

/** For emails that nobody waits for. */
export function ignoreRateLimit(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'rate-limited')) throw error
}
