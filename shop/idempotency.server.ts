import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { answers, type Database, type Queries } from '#db/schema.ts'
import { ShopError } from './errors.ts'

interface Request {
  who: string
  call: string
  /** The caller's `Idempotency-Key`; without one the work is done each time. */
  key?: string | undefined
  body: unknown
  /** What to say when the key was used for something else. */
  taken?: string
}

/**
 * Does a piece of work in one transaction, once per key: the same key with the same body answers what it answered
 * before, and with another body is a 'conflict'. A repeat that arrives meanwhile waits for the first one's answer.
 * Work that throws leaves no trace, so the key may be used again.
 */
export function once<T>(db: Database, request: Request, work: (tx: Queries) => Promise<T>): Promise<T> {
  if (!request.key) return db.transaction(work)
  const { key, fingerprint } = identify(request)

  return db.transaction(async (tx) => {
    const first = await tx
      .insert(answers)
      .values({ key, request: fingerprint })
      .onConflictDoNothing()
      .returning({ key: answers.key })
    if (first.length === 0) {
      return (await answered<T>(tx, request))!
    }
    const answer = await work(tx)
    await tx.update(answers).set({ answer }).where(eq(answers.key, key))
    return answer
  })
}

/** What was answered to this request before, or null. Throws 'conflict' when its key was used for another one. */
export async function answered<T>(db: Queries, request: Request): Promise<T | null> {
  if (!request.key) return null
  const { key, fingerprint } = identify(request)
  const [before] = await db.select().from(answers).where(eq(answers.key, key))
  if (!before) return null
  if (before.request === fingerprint) return before.answer as T
  const { taken = 'This Idempotency-Key was used for something else.' } = request
  throw new ShopError('conflict', taken)
}

function identify({ who, call, key, body }: Request) {
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return { key: `${call}:${who}:${key}`, fingerprint }
}
