import { eq, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { ledger, payments, webhookEvents } from '#db/schema.ts'
import { ShopError, shopUnavailable } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { settleInTurn } from './in-turn.server.ts'
import { markEventProcessed, settlePayment } from './settle.server.ts'

/** Fetches the payment, as events can be duplicated, late or unordered. Throws 'invalid' for a bad or old signature. */
export async function handleWebhook(shop: Shop, body: string, signature: string): Promise<void> {
  const event = await shop.payments.verifyWebhook(body, signature)
  const { id, paymentId, endsPayment } = event
  if (paymentId) await settleInTurn(shop, paymentId, () => processEvent(shop, { id, paymentId, endsPayment }))
}

async function processEvent(
  shop: Shop,
  { id, paymentId, endsPayment }: { id: string; paymentId: string; endsPayment: boolean },
) {
  const { isProcessed, isBooked, isOurs } = await readProgress(shop, { id, paymentId })
  if (isProcessed) return
  if (!(endsPayment && isBooked)) {
    const payment = await shop.payments.find(paymentId)
    // The keys of another account may have been set by mistake: the provider sends the event again.
    if (!payment && isOurs) throw new ShopError('unavailable', shopUnavailable)
    if (payment && (await settlePayment(shop, payment, id))) return
  }
  await markEventProcessed(shop.db, id)
}

/** `isBooked`: the payment is in the ledger. */
async function readProgress({ db }: Shop, { id, paymentId }: { id: string; paymentId: string }) {
  const [progress] = await executeRows<{ isProcessed: boolean; isBooked: boolean; isOurs: boolean }>(
    db,
    sql`select exists (select from ${webhookEvents} where ${eq(webhookEvents._id, id)}) as "isProcessed",
      exists (select from ${ledger} where ${eq(ledger.reference, paymentId)}) as "isBooked",
      exists (select from ${payments} where ${eq(payments._id, paymentId)}) as "isOurs"`,
  )
  return progress!
}
