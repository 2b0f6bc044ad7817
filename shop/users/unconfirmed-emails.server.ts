import type { Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { EmailLimit } from '#shop/orders/place/composed-order.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { type RateLimit, widerNetwork, withRateLimits } from '#shop/rate-limits.server.ts'

export type EmailLimitContext = Pick<Shop, 'mail' | 'rateLimits'>

const daySeconds = 24 * 60 * 60

/** Throws 'rate-limited' like `countToUnconfirmed`, without calling `compose`. */
export function sendToUnconfirmed(
  context: EmailLimitContext,
  tx: Queries,
  to: Recipient,
  compose: () => Email | Promise<Email>,
): Promise<void> {
  return countToUnconfirmed(context, tx, to, async () => context.mail.send(await compose(), tx))
}

interface Recipient {
  address: string
  network?: string | undefined
}

/** Throws 'rate-limited' above the limits, without calling `send`. */
export function countToUnconfirmed<T>(
  { rateLimits }: EmailLimitContext,
  tx: Queries,
  to: Recipient,
  send: () => Promise<T>,
): Promise<T> {
  const limits = limitsToUnconfirmed(to).map(({ key, max, seconds }): RateLimit => {
    const hint = `We’ve already sent ${max} emails to this unconfirmed address today. Check your inbox and your spam folder.`
    return { keys: [key], max, seconds, counts: 'all', hint }
  })
  return withRateLimits({ db: tx, rateLimits }, limits, send)
}

/**
 * At most 3 emails a day to an address that nobody has confirmed, so that the shop cannot be used to write to strangers, and 6 a day from
 * one client network, if it is known, to all variants of the address.
 */
export function limitsToUnconfirmed({ address, network }: Recipient): EmailLimit[] {
  const ofAddress = { key: `emails:to:${address.toLowerCase()}`, max: 3, seconds: daySeconds }
  if (!network) return [ofAddress]
  return [{ key: `emails:${mailboxFrom(address, network)}`, max: 6, seconds: daySeconds }, ofAddress]
}

/**
 * What a client causes to a mailbox under all of its variants is counted by. Each address has a count of its own besides, which
 * requests for another spelling do not use up.
 */
export function mailboxFrom(address: string, network: string): string {
  return `to:${toMailbox(address)}:from:${widerNetwork(network) ?? network}`
}

/** Variants with `+tag`, or with dots at Gmail, usually reach the same one. */
function toMailbox(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  const [untagged = ''] = name.split('+')
  if (!/^(gmail|googlemail)\.com$/.test(domain)) return `${untagged}@${domain}`
  return `${untagged.replaceAll('.', '')}@gmail.com`
}

/** For emails that nobody waits for. */
export function ignoreRateLimit(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'rate-limited')) throw error
}
