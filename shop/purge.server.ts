import { and, isNotNull, lt, not } from 'drizzle-orm'
import {
  emailConfirmations,
  idempotencyKeys,
  orders,
  rateLimits,
  usedIdTokens,
  webhookEvents,
} from '#db/schema.ts'
import { purgeBaskets } from '#shop/basket/basket.server.ts'
import { hasUnpaidLine } from '#shop/orders/read/purchase-rows.server.ts'
import { deleteUnusedPictures } from '#shop/pictures/pictures.server.ts'
import type { Shop } from './ports.ts'

const day = 24 * 60 * 60 * 1000

/** Webhook events are kept for a week, because the card provider retries them for at most three days. */
export async function purgeExpired({ db, images }: Pick<Shop, 'db' | 'images'>, now = Date.now()) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now - day).toISOString()))
  await db.delete(rateLimits).where(lt(rateLimits.expire, new Date(now)))
  await db.delete(usedIdTokens).where(lt(usedIdTokens.expiresAt, new Date(now).toISOString()))
  await db.delete(emailConfirmations).where(lt(emailConfirmations.expiresAt, new Date(now).toISOString()))
  await db.delete(webhookEvents).where(lt(webhookEvents.createdAt, new Date(now - 7 * day).toISOString()))
  await purgeBaskets(db, new Date(now - 365 * day).toISOString())
  // Needed only while the order holds stock.
  await db
    .update(orders)
    .set({ clientNetwork: null })
    .where(and(isNotNull(orders.clientNetwork), not(hasUnpaidLine)))
  await deleteUnusedPictures({ db, images }, now)
}
