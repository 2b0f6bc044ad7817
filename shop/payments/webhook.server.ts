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
  const { id, paymentId, isSettlement } = event
  if (paymentId)
    await settleInTurn(shop, paymentId, () => processEvent(shop, { id, paymentId, isSettlement }))
}

async function processEvent(
  shop: Shop,
  { id, paymentId, isSettlement }: { id: string; paymentId: string; isSettlement: boolean },
) {
  const { processed, recorded, known } = await readProgress(shop, { id, paymentId })
  if (processed) return
  if (!(isSettlement && recorded)) {
    const payment = await shop.payments.find(paymentId)
    // The keys of another account may have been set by mistake: the provider sends the event again.
    if (!payment && known) throw new ShopError('unavailable', shopUnavailable)
    const isProcessed = payment && (await settlePayment(shop, payment, id))
    if (isProcessed) return
  }
  await markEventProcessed(shop.db, id)
}

/** `processed`: the event; `recorded`: the payment itself. */
async function readProgress({ db }: Shop, { id, paymentId }: { id: string; paymentId: string }) {
  const [progress] = await executeRows<{ processed: boolean; recorded: boolean; known: boolean }>(
    db,
    sql`select exists (select from ${webhookEvents} where ${eq(webhookEvents._id, id)}) as processed,
      exists (select from ${ledger} where ${eq(ledger.reference, paymentId)}) as recorded,
      exists (select from ${payments} where ${eq(payments._id, paymentId)}) as known`,
  )
  return progress!
}
