import { sql } from 'drizzle-orm'
import { orderCounter, type Queries } from '#db/schema.ts'

/** Continues with `firstNumber` unless the last order has that number or a higher one. */
export async function startOrderNumbersAt(db: Queries, firstNumber: number): Promise<void> {
  const lastNumber = firstNumber - 1
  await db
    .insert(orderCounter)
    .values({ lastNumber })
    .onConflictDoUpdate({
      target: orderCounter.one,
      set: { lastNumber },
      setWhere: sql`${orderCounter.lastNumber} < ${lastNumber}`,
    })
}
