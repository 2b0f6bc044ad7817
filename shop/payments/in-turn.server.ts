import { setTimeout } from 'node:timers/promises'
import type { Shop } from '#shop/ports.ts'

const maxWaitMs = 5_000

/**
 * The customer’s return and the provider’s event come at about the same time: within a process, the later one waits for the other, and
 * then finds the payment recorded, without a request to the provider of its own.
 */
export async function settleInTurn<T>(
  { settling }: Pick<Shop, 'settling'>,
  paymentId: string,
  settle: () => Promise<T>,
): Promise<T> {
  const other = settling.get(paymentId)
  if (other) await Promise.race([other.catch(() => {}), setTimeout(maxWaitMs, null, { ref: false })])
  const own = settle()
  settling.set(paymentId, own)
  try {
    return await own
  } finally {
    if (settling.get(paymentId) === own) settling.delete(paymentId)
  }
}
