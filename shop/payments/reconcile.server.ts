import { and, eq } from 'drizzle-orm'
import pLimit from 'p-limit'
import { purchases } from '#db/schema.ts'
import { collectFailures } from '#shop/failures.server.ts'
import { awaitingPayment } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import { batchSize, claimPayments, claimRefunds } from './checks.server.ts'
import { commitTaxes } from './commit-taxes.server.ts'
import { executeRefund, markPaymentUnknown, settlePayment } from './settle.server.ts'

const maxConcurrent = 10
const maxBatches = 10

/**
 * Retries refunds and polls payments, also settled ones: refunds and disputes change them later, and an event about it may be
 * lost. The tax service is told of what has changed. Throws after the run when any failed. `now` is Unix time in ms.
 */
export async function reconcile(shop: Shop, now = Date.now()): Promise<void> {
  const at = new Date(now).toISOString()
  const failures = collectFailures('Failed requests to the payment provider')
  for (let batches = 0; batches < maxBatches && !failures.any(); batches += 1) {
    const pendingRefunds = await claimRefunds(shop, at)
    const duePayments = await claimPayments(shop, at)
    const limit = pLimit(maxConcurrent)
    const results = await Promise.allSettled([
      ...pendingRefunds.map((refund) => limit(() => executeRefund(shop, refund))),
      ...duePayments.map((payment) => limit(() => checkPayment(shop, payment))),
    ])
    for (const result of results) if (result.status === 'rejected') failures.add(result.reason)
    if (pendingRefunds.length < batchSize && duePayments.length < batchSize) break
  }
  failures.throwIfAny()
}

type ClaimedPayment = Awaited<ReturnType<typeof claimPayments>>[number]

async function checkPayment(shop: Shop, { _id: id, orderId, settledAt, calculation }: ClaimedPayment) {
  const isPayable = and(eq(purchases.orderId, orderId), awaitingPayment)
  const mayStayOpen = settledAt !== null || (await shop.db.$count(purchases, isPayable)) > 0
  const payment = mayStayOpen ? await shop.payments.find(id) : await shop.payments.cancel(id)
  if (payment) await settlePayment(shop, payment)
  else if (!settledAt) await markPaymentUnknown(shop, id)
  if (calculation !== null) await commitTaxes(shop, { orderId, calculation })
}
