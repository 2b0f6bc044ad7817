import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createPart, testShop } from '#test/shop.ts'
import { parts } from './schema.ts'

test('a transaction that Postgres rolls back because of a deadlock is repeated', async () => {
  const shop = await testShop()
  const [chain, tyre] = [await createPart(shop), await createPart(shop, { name: 'Tyre' })]
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let attempts = 0
  const lockBoth = (order: (typeof chain)[], own: 0 | 1) =>
    shop.db.transaction(async (tx) => {
      attempts += 1
      for (const { _id } of order) {
        await tx.update(parts).set({ availableQuantity: 7 }).where(eq(parts._id, _id))
        locked[own].resolve()
        await locked[own === 0 ? 1 : 0].promise
      }
    })
  await Promise.all([lockBoth([chain, tyre], 0), lockBoth([tyre, chain], 1)])
  expect(attempts).toBe(3)
})
