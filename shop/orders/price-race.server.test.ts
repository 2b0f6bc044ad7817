import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts } from '#db/schema.ts'
import { loseRace } from '#test/locks.ts'
import { createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'
import { placePurchase } from './place.server.ts'

for (const [direction, perUnitPrice, message] of [
  ['rises', 9, 'The price is now $90.'],
  ['falls', 5, 'The price is now $50.'],
] as const) {
  test(`placePurchase rejects an order whose part’s price ${direction} after it was read`, async () => {
    const shop = await testShop()
    const [part, buyer] = [await createPart(shop), await createUser(shop, 'Ada')]
    const [outcome] = await loseRace(
      shop,
      (tx) => tx.update(parts).set({ perUnitPrice }).where(eq(parts._id, part._id)),
      [() => placePurchase(shop, buyer, { ...purchase, partId: part._id, parts: undefined, quantity: 10 })],
    )
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'conflict', message } })
    expect(await readStock(shop, part)).toBe(50)
  })
}
