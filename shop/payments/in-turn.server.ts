import { setTimeout } from 'node:timers/promises'
import type { Shop } from '#shop/ports.ts'

const maxWaitMs = 5_000

/**
 * The customer’s return and the provider’s event come at about the same time: within a process, the later one waits for the other, and
 * then finds the payment recorded, without a request to the provider of its own.
 */
export async function settleInTurn<T>(
  { settlements }: Pick<Shop, 'settlements'>,
  paymentId: string,
  settle: () => Promise<T>,
): Promise<T> {
  const other = settlements.get(paymentId)
  if (other) await Promise.race([other.catch(() => {}), setTimeout(maxWaitMs, null, { ref: false })])
  const own = settle()
  settlements.set(paymentId, own)
  try {
    return await own
  } finally {
    if (settlements.get(paymentId) === own) settlements.delete(paymentId)
  }
}
