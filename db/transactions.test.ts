import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createPart, testShop } from '#test/shop.ts'
import { parts } from './schema.ts'

test('a transaction that Postgres rolls back because of a deadlock is repeated', async () => {
  const shop = await testShop()
  const [chain, tyre] = [await createPart(shop), await createPart(shop, { name: 'Tyre' })]
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let attempts = 0
  const lockBoth = async (order: (typeof chain)[], own: 0 | 1) => {
    let repeated = false
    await shop.db.transaction(async (tx) => {
      attempts += 1
      // A repeated transaction that locks at once can deadlock with the other again.
      if (repeated) await ended[own === 0 ? 1 : 0].promise
      repeated = true
      for (const { _id } of order) {
        await tx.update(parts).set({ availableQuantity: 7 }).where(eq(parts._id, _id))
        locked[own].resolve()
        await locked[own === 0 ? 1 : 0].promise
      }
    })
    ended[own].resolve()
  }
  await Promise.all([lockBoth([chain, tyre], 0), lockBoth([tyre, chain], 1)])
  expect(attempts).toBe(3)
})
