import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/rows.ts'
import { parts } from '#db/schema.ts'
import { createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'
import { placeOrder } from './orders.server.ts'

// Needs two connections, so it runs on the server only.
test('placeOrder rejects an order whose part changes its price after it was read', async () => {
  const shop = await testShop()
  const [part, buyer] = [await createPart(shop), await createUser(shop, 'Ada')]
  const order = await shop.db.transaction(async (tx) => {
    await tx.update(parts).set({ perUnitPrice: 9 }).where(eq(parts._id, part._id))
    const placing = placeOrder(shop, buyer, { ...purchase, partId: part._id, quantity: 10 })
    placing.catch(() => {})
    await expect.poll(() => waitingForLocks(shop.db), { timeout: 60_000 }).toBe(1)
    return { placing }
  })
  await expect(order.placing).rejects.toMatchObject({ code: 'conflict', message: 'The price is now $90.' })
  expect(await readStock(shop, part)).toBe(50)
})

async function waitingForLocks(db: Parameters<typeof executeRows>[0]) {
  const [row] = await executeRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row!.count
}
