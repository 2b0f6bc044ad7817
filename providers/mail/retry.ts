import { and, isNotNull, isNull } from 'drizzle-orm'
import { outbox } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'

/** Tries emails again that were given up, as if they were new. Returns how many. */
export async function retryGivenUp(db: Database): Promise<number> {
  const { _id, nextTryAt, failure } = outbox
  const retried = await db
    .update(outbox)
    .set({ tries: 0, nextTryAt: new Date() })
    .where(and(isNull(nextTryAt), isNotNull(failure)))
    .returning({ _id })
  return retried.length
}
