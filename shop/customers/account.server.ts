import { eq } from 'drizzle-orm'
import { type Queries, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'

type UserRow = typeof users.$inferSelect

/** Throws 'not-found'. */
export async function findAccount(db: Queries, id: string): Promise<UserRow> {
  const [found] = await db.select().from(users).where(eq(users._id, id))
  if (!found) throw customerNotFoundError()
  return found
}

export function customerNotFoundError() {
  return new ShopError('not-found', 'This customer doesn’t exist.')
}

/** Of the audit log. */
export function customerSubject({ _id: id, email: subject }: Pick<UserRow, '_id' | 'email'>) {
  return { kind: 'user', id, subject } as const
}
