import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts } from '#db/schema.ts'
import { loseRace } from '#test/locks.ts'
import { createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'
import { placeOrder, placePurchase } from './place.server.ts'

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

const breaks = (quantity: number, unitPrice: number) => [{ quantity, unitPrice }]

for (const [change, values, refusal] of [
  ['price break falls', { priceBreaks: breaks(20, 4) }, { message: 'The price is now $80.' }],
  ['price break starts later', { priceBreaks: breaks(30, 5) }, { message: 'The price is now $140.' }],
  ['price breaks end', { priceBreaks: [] }, { message: 'The price is now $140.' }],
  [
    'multiple changes',
    { multiple: 15 },
    {
      message: 'Order in multiples of 15: 15 or 30.',
      fields: { quantity: ['Order in multiples of 15: 15 or 30.'] },
    },
  ],
] as const) {
  test(`placePurchase rejects an order whose part’s ${change} after it was read`, async () => {
    const shop = await testShop()
    const part = await createPart(shop, { priceBreaks: breaks(20, 5) })
    const buyer = await createUser(shop, 'Ada')
    const [outcome] = await loseRace(
      shop,
      (tx) =>
        tx
          .update(parts)
          .set(values as Partial<typeof part>)
          .where(eq(parts._id, part._id)),
      [() => placePurchase(shop, buyer, { ...purchase, partId: part._id, parts: undefined, quantity: 20 })],
    )
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'conflict', ...refusal } })
    expect(await readStock(shop, part)).toBe(50)
  })
}

test('placePurchase accepts an order at its price when only another price break changed after it was read', async () => {
  const shop = await testShop()
  const part = await createPart(shop, { priceBreaks: breaks(20, 5) })
  const buyer = await createUser(shop, 'Ada')
  const priceBreaks = [...breaks(20, 5), { quantity: 40, unitPrice: 3 }]
  const [outcome] = await loseRace(
    shop,
    (tx) => tx.update(parts).set({ priceBreaks, multiple: 5 }).where(eq(parts._id, part._id)),
    [
      () =>
        placePurchase(shop, buyer, {
          ...purchase,
          partId: part._id,
          parts: undefined,
          quantity: 20,
          price: 100,
        }),
    ],
  )
  expect(outcome).toMatchObject({ status: 'fulfilled', value: { quantity: 20, price: 100 } })
  expect(await readStock(shop, part)).toBe(30)
})

test('placeOrder places none of its lines when the price of one of them changed after it was read', async () => {
  const shop = await testShop()
  const [chain, stem] = [await createPart(shop), await createPart(shop, { name: 'Stem' })]
  const buyer = await createUser(shop, 'Ada')
  const lines = [chain, stem].map(({ _id: partId }) => ({ partId, quantity: 10, price: 70 }))
  const [outcome] = await loseRace(
    shop,
    (tx) => tx.update(parts).set({ perUnitPrice: 9 }).where(eq(parts._id, stem._id)),
    [() => placeOrder(shop, buyer, { ...purchase, lines })],
  )
  expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } })
  expect([await readStock(shop, chain), await readStock(shop, stem)]).toEqual([50, 50])
})
