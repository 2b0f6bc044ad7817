import { eq } from 'drizzle-orm'
import { type Queries, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Member } from './user.ts'

/**
 * Locks the user until the transaction ends, before anything else of the account. Throws 'unauthenticated' when the sessions have ended
 * since the request was authenticated: a new password may have given the account to its owner.
 */
export async function lockMember(tx: Queries, { _id, tokenVersion }: Pick<Member, '_id' | 'tokenVersion'>) {
  const [user] = await tx.select().from(users).where(eq(users._id, _id)).for('no key update')
  if (user?.tokenVersion !== tokenVersion) throw new ShopError('unauthenticated', 'Please sign in.')
  return user
}
