import { sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import type { Queries } from '#db/schema.ts'
import type { TestShop } from './shop.ts'

/**
 * Makes `change` win a race: each attempt, or those of them that are `waiting`, has read the old rows and waits for its lock when it
 * commits. Needs several connections, so it works on the server only.
 */
export async function loseRace<T>(
  { db }: TestShop,
  change: (tx: Queries) => Promise<unknown>,
  attempts: (() => Promise<T>)[],
  waiting = attempts.length,
): Promise<PromiseSettledResult<T>[]> {
  const { outcomes } = await db.transaction(async (tx) => {
    await change(tx)
    const outcomes = Promise.allSettled(attempts.map((attempt) => attempt()))
    await expect.poll(() => waitingForLocks(db)).toBe(waiting)
    return { outcomes }
  })
  return outcomes
}

export async function waitingForLocks(db: TestShop['db']) {
  const [row] = await executeRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and backend_type = 'client backend'`,
  )
  return row!.count
}

/** For another pool of connections to the same database. */
export async function urlOf(db: TestShop['db']): Promise<string> {
  const [row] = await executeRows<{ name: string }>(db, sql`select current_database() as name`)
  const url = new URL(inject('postgresUrl')!)
  url.pathname = row!.name
  return url.href
}
