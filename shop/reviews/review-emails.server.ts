import { eq, sql } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import { reviewEmailOptOuts, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'

const [type, audience] = ['review-emails+jwt', 'review emails']

/** For the links of emails that ask for reviews. It never expires, and allows nothing but to end or resume them. */
export function signReviewEmailToken({ secret }: Pick<Shop, 'secret'>, userId: string) {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: type })
    .setSubject(userId)
    .setAudience(audience)
    .sign(secret)
}

/** Throws 'invalid' for a link that is incomplete or not ours. */
export async function updateReviewEmails(
  { db, secret }: Pick<Shop, 'db' | 'secret'>,
  { token, wanted }: { token: string; wanted: boolean },
): Promise<{ modifiedCount: number }> {
  const userId = await readReviewEmailToken(secret, token)
  const changed = wanted
    ? await db.delete(reviewEmailOptOuts).where(eq(reviewEmailOptOuts.userId, userId)).returning()
    : await db
        .insert(reviewEmailOptOuts)
        .select(
          db
            .select({ userId: users._id, createdAt: sql<string>`now()`.as('created_at') })
            .from(users)
            .where(eq(users._id, userId)),
        )
        .onConflictDoNothing()
        .returning()
  return { modifiedCount: changed.length }
}

async function readReviewEmailToken(secret: Uint8Array, token: string) {
  const options = { algorithms: ['HS256'], typ: type, audience, requiredClaims: ['sub'] }
  try {
    return (await jwtVerify(token, secret, options)).payload.sub!
  } catch {
    throw new ShopError('invalid', 'This link is incomplete. Open the full link from your email.')
  }
}
