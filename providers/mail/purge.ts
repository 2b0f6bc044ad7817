import { and, isNull, like, lt, or } from 'drizzle-orm'
import { outbox } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'

const day = 24 * 60 * 60 * 1000

/** Deletes emails that nobody will send any more after 30 days, and password reset links, which expire after an hour, after one. */
export async function purgeOutbox(db: Database, now = Date.now()) {
  const { body, createdAt, nextTryAt, replyTo } = outbox
  // Messages of visitors have a reply address.
  const isResetLink = and(isNull(replyTo), like(body, '%/reset-password?token=%'))
  const isOld = or(
    lt(createdAt, new Date(now - 30 * day)),
    and(isResetLink, lt(createdAt, new Date(now - day))),
  )
  await db.delete(outbox).where(and(isNull(nextTryAt), isOld))
}
