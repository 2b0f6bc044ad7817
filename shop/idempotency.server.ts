import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type Database, idempotencyKeys, type Queries } from '#db/schema.ts'
import { ShopError } from './errors.ts'

interface Request {
  userId: string
  call: string
  /** The caller's `Idempotency-Key`; without one the work is done each time. */
  key?: string | undefined
  body: unknown
  /** What to say when the key was used for something else. */
  conflictMessage?: string
}

/**
 * Does a piece of work in one transaction, once per key: the same key with the same body answers what it answered
 * before, and with another body is a 'conflict'. A repeat that arrives meanwhile waits for the first one's answer.
 * Work that throws leaves no trace, so the key may be used again.
 */
export function idempotent<T>(db: Database, request: Request, work: (tx: Queries) => Promise<T>): Promise<T> {
  if (!request.key) return db.transaction(work)
  const { key, fingerprint } = identify(request)

  return db.transaction(async (tx) => {
    const first = await tx
      .insert(idempotencyKeys)
      .values({ key, fingerprint })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key })
    if (first.length === 0) {
      return (await findResponse<T>(tx, request))!
    }
    const response = await work(tx)
    await tx.update(idempotencyKeys).set({ response }).where(eq(idempotencyKeys.key, key))
    return response
  })
}

/** What was answered to this request before, or null. Throws 'conflict' when its key was used for another one. */
export async function findResponse<T>(db: Queries, request: Request): Promise<T | null> {
  if (!request.key) return null
  const { key, fingerprint } = identify(request)
  const [before] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key))
  if (!before) return null
  if (before.fingerprint === fingerprint) return before.response as T
  const { conflictMessage = 'This Idempotency-Key was used for something else.' } = request
  throw new ShopError('conflict', conflictMessage)
}

function identify({ userId, call, key, body }: Request) {
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return { key: `${call}:${userId}:${key}`, fingerprint }
}
