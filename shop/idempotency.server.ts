import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type Database, idempotencyKeys, type Queries } from '#db/schema.ts'
import { ShopError } from './errors.ts'

export interface IdempotentRequest {
  userId: string
  call: string
  key?: string | undefined
  body: unknown
  conflictMessage?: string
}

/** A concurrent retry waits for the first request; an error releases the key. Throws 'conflict' for another body. */
export function idempotent<T>(
  db: Database,
  request: IdempotentRequest,
  work: (tx: Queries) => Promise<T>,
): Promise<T> {
  if (!request.key) return db.transaction(work)
  const { key, fingerprint } = identify(request)

  return db.transaction(async (tx) => {
    const inserted = await tx
      .insert(idempotencyKeys)
      .values({ key, fingerprint })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key })
    if (inserted.length === 0) {
      return (await findResponse<T>(tx, request))!
    }
    const response = await work(tx)
    await tx.update(idempotencyKeys).set({ response }).where(eq(idempotencyKeys.key, key))
    return response
  })
}

/** Throws 'conflict' when the key was used with another body. */
export async function findResponse<T>(db: Queries, request: IdempotentRequest): Promise<T | null> {
  if (!request.key) return null
  const { key } = identify(request)
  const [stored] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key))
  return stored ? repeatResponse(stored, request) : null
}

/** Throws 'conflict' when the key was used with another body. */
export function repeatResponse<T>(
  stored: Pick<typeof idempotencyKeys.$inferSelect, 'fingerprint' | 'response'>,
  request: IdempotentRequest,
): T {
  if (stored.fingerprint === identify(request).fingerprint) return stored.response as T
  const { conflictMessage = 'This Idempotency-Key was already used for a different request.' } = request
  throw new ShopError('conflict', conflictMessage)
}

/** As the key is stored. */
export function identify({ userId, call, key, body }: IdempotentRequest) {
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return { key: `${call}:${userId}:${key}`, fingerprint }
}
