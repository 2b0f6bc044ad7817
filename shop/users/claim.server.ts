import { and, eq, isNull } from 'drizzle-orm'
import { profiles, purchases, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { cancelPurchase } from '#shop/orders/cancel.server.ts'
import { notCancelled } from '#shop/orders/purchase-rows.server.ts'
import type { Person, Shop } from '#shop/ports.ts'
import { markConfirmed } from './confirmation.server.ts'

/**
 * After a password reset, whose link proved the mailbox: removes what somebody else may have left in an account that nobody had
 * confirmed, and confirms it. An order whose payment is in progress stays. Call it after all sessions have ended. Returns whether the
 * account was unconfirmed.
 */
export async function claimUnconfirmed(
  shop: Shop,
  { issuer, subject }: Pick<Person, 'issuer' | 'subject'>,
): Promise<boolean> {
  const { db } = shop
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.issuer, issuer), eq(users.subject, subject)))
  if (!user) return true
  if (user.emailConfirmedAt) return false
  await db.delete(profiles).where(eq(profiles.userId, user._id))
  await db.update(users).set({ photoURL: null, photoSource: null }).where(eq(users._id, user._id))
  const unpaid = await db
    .select({ _id: purchases._id })
    .from(purchases)
    .where(and(eq(purchases.userId, user._id), isNull(purchases.paidAt), notCancelled))
  for (const { _id } of unpaid)
    await cancelPurchase(shop, { ...user, photoURL: null }, _id).catch(ignoreRefusal)
  await markConfirmed(db, user.email)
  return true
}

/** The new password is set already. */
function ignoreRefusal(error: unknown) {
  if (!(error instanceof ShopError)) throw error
}
