import { lt } from 'drizzle-orm'
import { answers, limits } from '#db/schema.ts'
import type { Shop } from './ports.ts'

const day = 24 * 60 * 60 * 1000

/** Forgets answers under an `Idempotency-Key` after a day, and counts of attempts once they count no more. */
export async function tidy({ db }: Pick<Shop, 'db'>, now = Date.now()) {
  await db.delete(answers).where(lt(answers.createdAt, new Date(now - day).toISOString()))
  await db.delete(limits).where(lt(limits.expire, new Date(now)))
}
