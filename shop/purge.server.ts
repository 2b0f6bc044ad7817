import { lt } from 'drizzle-orm'
import { answers, limits, notices, spentTokens } from '#db/schema.ts'
import { sweepPictures } from './parts/pictures.server.ts'
import type { Shop } from './ports.ts'

const day = 24 * 60 * 60 * 1000

/**
 * Forgets answers under an `Idempotency-Key` after a day, and counts of attempts and spent ID tokens once they count no
 * more. The card provider sends a message for three days at most, so those of a week ago are forgotten. Pictures that nobody
 * uses go, too.
 */
export async function tidy({ db, images }: Pick<Shop, 'db' | 'images'>, now = Date.now()) {
  await db.delete(answers).where(lt(answers.createdAt, new Date(now - day).toISOString()))
  await db.delete(limits).where(lt(limits.expire, new Date(now)))
  await db.delete(spentTokens).where(lt(spentTokens.expiresAt, new Date(now).toISOString()))
  await db.delete(notices).where(lt(notices.createdAt, new Date(now - 7 * day).toISOString()))
  await sweepPictures({ db, images }, now)
}
