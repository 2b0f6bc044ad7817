import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type Database, idempotencyKeys, type Queries } from '#db/schema.ts'
import { ShopError } from './errors.ts'

interface Request {
  userId: string
  call: string
  key?: string | undefined
  body: unknown
  conflictMessage?: string
}

/** A concurrent retry waits for the first request; an error releases the key. Throws 'conflict' for another body. */
export function idempotent<T>(db: Database, request: Request, work: (tx: Queries) => Promise<T>): Promise<T> {
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
export async function findResponse<T>(db: Queries, request: Request): Promise<T | null> {
  if (!request.key) return null
  const { key, fingerprint } = identify(request)
  const [stored] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key))
  if (!stored) return null
  if (stored.fingerprint === fingerprint) return stored.response as T
  const { conflictMessage = 'This Idempotency-Key was already used for a different request.' } = request
  throw new ShopError('conflict', conflictMessage)
}

function identify({ userId, call, key, body }: Request) {
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return { key: `${call}:${userId}:${key}`, fingerprint }
}
