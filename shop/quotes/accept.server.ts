import { eq } from 'drizzle-orm'
import { quotes } from '#db/schema.ts'
import { formatDay } from '#shop/dates.ts'
import { ShopError } from '#shop/errors.ts'
import type { Order } from '#shop/orders/order.ts'
import { placeQuote } from '#shop/orders/place/place.server.ts'
import { readOrder } from '#shop/orders/read/orders.server.ts'
import type { Shop } from '#shop/ports.ts'
import { type Member, sameEmail } from '#shop/users/user.ts'
import type { QuoteAcceptance, SentQuote } from './quote.ts'
import { findQuoteOfLink, findState, lockQuote, toQuote } from './quotes.server.ts'

/** How long an acceptance may take; the quote cannot be withdrawn meanwhile. */
const acceptingMs = 60_000

/** What anybody with the link of a quote sees. Throws 'not-found'. */
export async function readSentQuote(shop: Shop, token: string): Promise<SentQuote> {
  return toQuote(shop, await findQuoteOfLink(shop.db, token))
}

/**
 * Places the order of a quote, once: accepting it again returns that order. Throws 'forbidden' to anybody but the account of its email
 * address, 'conflict' when it was withdrawn or its date is over, and like `placeOrder`.
 */
export async function acceptQuote(
  shop: Shop,
  buyer: Member,
  token: string,
  { total, ...form }: QuoteAcceptance,
  network?: string,
): Promise<Order> {
  const quote = await shop.db.transaction(async (tx) => {
    const { _id } = await findQuoteOfLink(tx, token)
    const row = await lockQuote(tx, _id)
    if (!sameEmail(buyer.email, row.email))
      throw new ShopError(
        'forbidden',
        `This quote is for ${row.email}. Sign in with that address to accept it.`,
      )
    const state = findState(shop, row)
    if (state === 'withdrawn')
      throw new ShopError('conflict', 'This quote was withdrawn. Contact us for a new one.')
    if (state === 'expired')
      throw new ShopError(
        'conflict',
        `This quote was valid until ${formatDay(row.validUntil)}. Contact us for a new one.`,
      )
    if (state === 'sent') {
      const acceptingUntil = new Date(Date.now() + acceptingMs).toISOString()
      await tx.update(quotes).set({ acceptingUntil }).where(eq(quotes._id, _id))
    }
    return { ...row, state }
  })
  if (quote.state === 'accepted') return readOrder(shop, buyer, quote._id)
  const { _id: id, belowMinimum } = quote
  try {
    const lines = quote.lines.map(({ partId, quantity, unitPrice }) => {
      return { partId, quantity, terms: { unitPrice, belowMinimum } }
    })
    return await placeQuote(shop, buyer, { id, delivery: form, lines, network, total })
  } catch (error) {
    await shop.db.update(quotes).set({ acceptingUntil: null }).where(eq(quotes._id, id))
    throw error
  }
}
