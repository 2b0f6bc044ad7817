import { and, eq } from 'drizzle-orm'
import {
  basketItems,
  builds,
  deliveryAddresses,
  orders,
  profiles,
  savedLists,
  stockAlerts,
  taxCertificates,
  users,
} from '#db/schema.ts'
import { hasUnpaidLine } from '#shop/orders/read/purchase-rows.server.ts'
import type { Person, Shop } from '#shop/ports.ts'
import { markConfirmed } from './confirmation.server.ts'

/**
 * After a password reset, whose link proved the mailbox, or once the identity provider vouches for the address: removes what somebody else may have left in an account that nobody had
 * confirmed, lets its unpaid orders expire, and confirms it. Call it after all sessions have ended. Returns whether the
 * account was unconfirmed.
 */
export async function claimUnconfirmed(
  shop: Shop,
  { issuer, subject }: Pick<Person, 'issuer' | 'subject'>,
): Promise<boolean> {
  return shop.db.transaction(async (tx) => {
    // Requests that were authenticated before write what they have to before this, or find that their session has ended.
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.issuer, issuer), eq(users.subject, subject)))
      .for('update')
    if (!user) return true
    if (user.emailConfirmedAt) return false
    await tx.delete(profiles).where(eq(profiles.userId, user._id))
    await tx
      .update(users)
      .set({
        name: nameOfMailbox(user),
        photoURL: null,
        photoSource: null,
        defaultAddressId: null,
        taxStatus: null,
      })
      .where(eq(users._id, user._id))
    for (const table of [deliveryAddresses, basketItems, savedLists, builds, stockAlerts, taxCertificates])
      await tx.delete(table).where(eq(table.userId, user._id))
    await markConfirmed(tx, user.email)
    // The job that expires orders cancels their payments: the provider may be slow, and there may be many.
    await tx
      .update(orders)
      .set({ shortHoldUntil: new Date().toISOString() })
      .where(and(eq(orders.userId, user._id), hasUnpaidLine))
    return true
  })
}

/** In place of a stranger's choice, to which parts would be sent. */
export function nameOfMailbox({ email }: { email: string }): string {
  return email.split('@')[0]!
}
