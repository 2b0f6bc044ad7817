import { type Order, toOrder } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import {
  findOwnerId,
  findVisibleOrder,
  findVisiblePurchase,
  orderNotFoundError,
  toPurchase,
} from './purchase-rows.server.ts'

export async function readPurchase(shop: Shop, reader: Member, id: string): Promise<Purchase> {
  return toPurchase(shop, await findVisiblePurchase(shop, reader, id))
}

/** By number, id, or the id of one of its lines. Leaves out cancelled lines; throws 'not-found' when all are. */
export async function readOrder(shop: Shop, reader: Member, id: string): Promise<Order> {
  const { lines } = await findVisibleOrder(shop, reader, id)
  const shown = lines.filter(({ cancelledAt }) => cancelledAt === null)
  if (shown.length === 0) throw orderNotFoundError()
  return toOrder(shown.map((line) => toPurchase(shop, line)))
}

/** Throws 'not-found' for another user's order, so as not to reveal that it exists. */
export async function checkOwner(shop: Shop, member: Member, id: string, allowAdmin: boolean) {
  if (allowAdmin && member.role === 'admin') return
  if ((await findOwnerId(shop, member, id)) !== member._id) throw orderNotFoundError()
}
