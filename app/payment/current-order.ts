import { readSession } from '#app/auth/session.ts'
import { ApiError, client } from '#app/client.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/**
 * As it is now, or as it was when it cannot be read. Its customer cannot read it once all of it is cancelled; the purchase may be an
 * item that was cancelled by itself.
 */
export async function readCurrent(order: Purchase): Promise<Purchase> {
  try {
    return await client.readPurchase({ params: { id: order.orderId } })
  } catch (error) {
    const isMissing = error instanceof ApiError && error.status === 404
    // Another tab may have signed in another customer.
    const isOwn = readSession()?.email === order.email
    return isMissing && isOwn ? { ...order, cancelled: true, heldUntil: null } : order
  }
}
