import { createHmac } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { type AnyDatabase, bankEvents, bankRequests } from '#db/embedded.ts'
import { type Answer, type Queries, Refusal, seconds } from './responses.ts'

const day = 24 * 60 * 60

export interface Keyed {
  key: string
  fingerprint: string
  requestId: string
}

/**
 * Works once for each key: asked again, it gives the answer of before and the id of the request that got it. A refusal
 * leaves the key free, and so does a failure of the bank, which Stripe would answer again.
 */
export function idempotentRequest(
  db: AnyDatabase,
  { key, fingerprint, requestId }: Keyed,
  work: (tx: Queries) => Promise<Answer>,
): Promise<{ answer: Answer; original: string | null }> {
  return db.transaction(async (tx) => {
    // Whoever comes second with a key waits here for the first.
    const [first] = await tx
      .insert(bankRequests)
      .values({ key, request: fingerprint, requestId, created: seconds() })
      .onConflictDoNothing()
      .returning()
    if (first) {
      const answer = await work(tx)
      await tx
        .update(bankRequests)
        .set({ status: answer.status, answer: answer.body })
        .where(eq(bankRequests.key, key))
      return { answer, original: null }
    }
    const [before] = await tx.select().from(bankRequests).where(eq(bankRequests.key, key))
    if (before?.request !== fingerprint) {
      throw new Refusal(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      })
    }
    return { answer: { status: before.status!, body: before.answer! }, original: before.requestId }
  })
}

/** Tells one request from another without keeping anything of a card. */
export function fingerprintOf(secret: string, request: { address: string; pairs: [string, string][] }) {
  const told = request.pairs.filter(([name]) => !name.startsWith('payment_method_data[card]'))
  return createHmac('sha256', secret)
    .update(JSON.stringify([request.address, told.sort()]))
    .digest('hex')
}

/** Keys live for a day, and what was told for a month. */
export async function purgeRequests(db: AnyDatabase) {
  await db.delete(bankRequests).where(lt(bankRequests.created, seconds() - day))
  await db
    .delete(bankEvents)
    .where(and(isNull(bankEvents.nextTryAt), lt(bankEvents.created, seconds() - 30 * day)))
}
