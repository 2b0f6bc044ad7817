import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { basketItems, idempotencyKeys, parts } from '#db/schema.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { describeChanges, isPriceChanged } from './changes.ts'
import { addItems, newItem, pickTerms, putItems } from './items.ts'

async function shopWithParts() {
  const shop = await testShop()
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  const chain = await createPart(shop, { availableQuantity: 100 })
  const tyre = await createPart(shop, { name: 'Tyre', minQuantity: 4, perUnitPrice: 20 })
  const entry = (part: typeof chain, quantity: number) => ({
    partId: part._id,
    quantity,
    seen: pickTerms(part),
  })
  const [asAda, asBob] = [await clientOf(shop, ada), await clientOf(shop, bob)]
  const quantities = async (client = asAda) =>
    (await client.readBasket()).items.map(({ name, quantity }) => [name, quantity])
  return { shop, ada, chain, tyre, entry, asAda, asBob, quantities }
}

test('addToBasket adds quantities, once for each Idempotency-Key, and keeps the order in which parts were added', async () => {
  const { asAda, asBob, chain, tyre, entry, quantities } = await shopWithParts()
  const body = { items: [entry(tyre, 4), entry(chain, 10)] }
  await asAda.addToBasket({ body, key: 'one' })
  await asAda.addToBasket({ body, key: 'one' })
  await asAda.addToBasket({ body: { items: [entry(chain, 2)] } })
  expect(await quantities()).toEqual([
    ['Tyre', 4],
    ['Chain', 12],
  ])
  expect(await quantities(asBob)).toEqual([])
  await asAda.addToBasket({ body: { items: [entry(chain, 1_000_000)] } })
  expect(await quantities()).toContainEqual(['Chain', 1_000_000])
})

test('addToBasket keeps no copy of the basket with its Idempotency-Key, and a repeated call returns the basket', async () => {
  const { shop, asAda, chain, entry } = await shopWithParts()
  const body = { items: [entry(chain, 10)] }
  const first = await asAda.addToBasket({ body, key: 'one' })
  expect(await shop.db.select().from(idempotencyKeys)).toMatchObject([{ response: {} }])
  expect(first.items).toMatchObject([{ quantity: 10 }])
  expect(await asAda.addToBasket({ body, key: 'one' })).toEqual(first)
})

test('addToBasket rejects a part that is not for sale and adds nothing', async () => {
  const { shop, asAda, chain, tyre, entry, quantities } = await shopWithParts()
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(eq(parts._id, tyre._id))
  const unknown = { ...entry(chain, 4), partId: 'unknown' }
  const cases = [
    [entry(tyre, 4), 'Tyre is no longer for sale.'],
    [unknown, 'This part is no longer for sale.'],
  ] as const
  for (const [bad, message] of cases)
    await expect(asAda.addToBasket({ body: { items: [entry(chain, 10), bad] } })).rejects.toMatchObject({
      status: 404,
      message,
    })
  await expect(
    asAda.addToBasket({ body: { items: [entry(chain, 10), entry(chain, 10)] } }),
  ).rejects.toMatchObject({ status: 400, message: 'Send each part once.' })
  expect(await quantities()).toEqual([])
})

test('updateBasket sets quantities and what was seen, and joining keeps the larger one however often it is sent', async () => {
  const { shop, asAda, chain, tyre, entry, quantities } = await shopWithParts()
  await asAda.updateBasket({ body: { items: [entry(chain, 30), entry(tyre, 4)] } })
  const visitor = { items: [entry(chain, 12), entry(tyre, 8)], join: true }
  await asAda.updateBasket({ body: visitor })
  await asAda.updateBasket({ body: visitor })
  expect(await quantities()).toEqual([
    ['Chain', 30],
    ['Tyre', 8],
  ])
  const seen = { ...pickTerms(chain), perUnitPrice: 6 }
  const items = [
    { ...entry(chain, 12), seen },
    { ...entry(tyre, 9), partId: 'unknown' },
  ]
  expect((await asAda.updateBasket({ body: { items } })).items).toMatchObject([{ seen }, entry(tyre, 8)])
  expect(await quantities()).toEqual([
    ['Chain', 12],
    ['Tyre', 8],
  ])
  // A part that is no longer for sale stays, so that the customer is told.
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(eq(parts._id, tyre._id))
  expect(await quantities()).toContainEqual(['Tyre', 8])
  expect(await asAda.lookUpParts({ body: { ids: [tyre._id, chain._id] } })).toMatchObject([{ name: 'Chain' }])
})

test('removeFromBasket removes one part, of the caller alone', async () => {
  const { asAda, asBob, chain, tyre, entry, quantities } = await shopWithParts()
  const body = { items: [entry(chain, 10), entry(tyre, 4)] }
  for (const client of [asAda, asBob]) await client.addToBasket({ body })
  expect((await asAda.removeFromBasket({ params: { partId: chain._id } })).items).toHaveLength(1)
  expect([(await quantities()).length, (await quantities(asBob)).length]).toEqual([1, 2])
})

test('a basket holds exactly 1,000 items', async () => {
  const { shop, ada, asAda, chain, tyre, entry, quantities } = await shopWithParts()
  const many = await shop.db
    .insert(parts)
    .values(
      Array.from({ length: 999 }, (_, i) => ({
        ...chain,
        _id: `part ${i}`,
        number: undefined,
        name: `Part ${i}`,
        partNumber: `P-${i}`,
      })),
    )
    .returning()
  await shop.db
    .insert(basketItems)
    .values(many.map((part) => ({ userId: ada._id, partId: part._id, quantity: 1, seen: pickTerms(part) })))
  await asAda.addToBasket({ body: { items: [entry(chain, 10)] } })
  for (const send of [asAda.addToBasket, asAda.updateBasket])
    await expect(send({ body: { items: [entry(tyre, 4)] } })).rejects.toMatchObject({
      status: 409,
      message:
        'Your basket can have at most 1,000 items. Order some of them, or remove some, then try again.',
    })
  expect(await quantities()).toHaveLength(1_000)
})

test('placeOrder takes what was ordered out of the basket when asked to, and nothing when it is refused', async () => {
  const { asAda, asBob, chain, tyre, entry, quantities } = await shopWithParts()
  await asAda.addToBasket({ body: { items: [entry(chain, 10), entry(tyre, 4)] } })
  await asBob.addToBasket({ body: { items: [entry(chain, 20), entry(tyre, 5)] } })
  const order = (fromBasket: boolean, price?: number) =>
    asAda.placeOrder({
      body: { ...purchase, lines: [{ partId: chain._id, quantity: 10, price }], fromBasket },
    })
  await order(false)
  await expect(order(true, 1)).rejects.toMatchObject({ status: 409, message: /price/ })
  expect(await quantities()).toHaveLength(2)
  await order(true)
  expect(await quantities()).toEqual([['Tyre', 4]])
  expect(await quantities(asBob)).toEqual([
    ['Chain', 20],
    ['Tyre', 5],
  ])
})

test('a basket is ordered as it is, and once, also by two requests at a time', async () => {
  const { asAda, chain, tyre, entry, quantities } = await shopWithParts()
  // A second order of them would exceed the stock.
  await asAda.addToBasket({ body: { items: [entry(chain, 60), entry(tyre, 4)] } })
  const order = (...lines: [{ _id: string }, number][]) =>
    asAda.placeOrder({
      body: {
        ...purchase,
        lines: lines.map(([{ _id: partId }, quantity]) => ({ partId, quantity })),
        fromBasket: true,
      },
    })
  const refused = {
    status: 409,
    message:
      'Your basket has changed, or was ordered, in another tab or on another device. Check it, then order again.',
  }
  await expect(order([chain, 58], [tyre, 4])).rejects.toMatchObject(refused)
  expect(await quantities()).toHaveLength(2)
  const both = await Promise.allSettled([order([chain, 60], [tyre, 4]), order([tyre, 4], [chain, 60])])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(both).toContainEqual({ status: 'rejected', reason: expect.objectContaining(refused) })
  expect(await asAda.listMyOrders({ body: { email: 'ada@example.com' } })).toMatchObject({ total: 1 })
  await expect(order([chain, 60])).rejects.toMatchObject(refused)
})

test('an item that nobody has changed for a year is deleted, whenever it was added', async () => {
  const { shop, asAda, chain, tyre, entry, quantities } = await shopWithParts()
  const hub = await createPart(shop, { name: 'Hub' })
  await asAda.addToBasket({ body: { items: [entry(tyre, 4), entry(chain, 10), entry(hub, 10)] } })
  const day = 24 * 60 * 60 * 1000
  const purge = async (days: number) => {
    await purgeExpired(shop, Date.now() + days * day)
    return (await quantities()).map(([name]) => name)
  }
  const longAgo = new Date(Date.now() - 300 * day).toISOString()
  await shop.db.update(basketItems).set({ changedAt: longAgo })
  await asAda.updateBasket({ body: { items: [entry(chain, 11)] } })
  await asAda.addToBasket({ body: { items: [entry(hub, 1)] } })
  expect(await purge(64)).toEqual(['Tyre', 'Chain', 'Hub'])
  expect(await purge(66)).toEqual(['Chain', 'Hub'])
  expect(await purge(364)).toEqual(['Chain', 'Hub'])
  expect(await purge(366)).toEqual([])
})

test('describeChanges names a new price of this quantity, a new minimum and a new multiple', async () => {
  const seen = {
    perUnitPrice: 7,
    minQuantity: 10,
    multiple: 1,
    priceBreaks: [{ quantity: 20, unitPrice: 6 }],
  }
  const now = { ...seen, perUnitPrice: 8, minQuantity: 12, multiple: 4 }
  expect(describeChanges({ seen, quantity: 12 }, seen)).toEqual([])
  expect(describeChanges({ seen, quantity: 12 }, now)).toEqual([
    'The price was $7 each when you added it. It’s now $8.',
    'The minimum quantity was 10. It’s now 12.',
    'It’s now sold in multiples of 4.',
  ])
  expect(describeChanges({ seen: now, quantity: 12 }, { ...now, multiple: 1 })).toEqual([
    'It’s now sold in any quantity from the minimum up.',
  ])
  // The price break has not changed.
  expect([isPriceChanged({ seen, quantity: 20 }, now), isPriceChanged({ seen, quantity: 12 }, now)]).toEqual([
    false,
    true,
  ])
})

test('addItems adds to the same part up to 1,000,000, and putItems replaces it in its place', () => {
  const terms = { perUnitPrice: 7, minQuantity: 10, multiple: 1, priceBreaks: [] }
  const item = (name: string, quantity: number) => newItem({ _id: name, name, ...terms }, quantity)
  const basket = [item('Chain', 10), item('Tyre', 4)]
  expect(addItems(basket, [item('Chain', 999_995), item('Hub', 1)])).toEqual([
    item('Chain', 1_000_000),
    item('Tyre', 4),
    item('Hub', 1),
  ])
  expect(putItems(basket, [item('Chain', 5)])).toEqual([item('Chain', 5), item('Tyre', 4)])
})

test('lookUpParts finds parts for sale by id, by part number without punctuation and by name, and returns each once', async () => {
  const { shop, asAda, chain, tyre } = await shopWithParts()
  await shop.db.update(parts).set({ partNumber: 'CN-12/A' }).where(eq(parts._id, chain._id))
  const find = async (body: { ids?: string[]; texts?: string[] }) =>
    (await asAda.lookUpParts({ body })).map(({ name }) => name).toSorted()
  expect(await find({ ids: [tyre._id, 'unknown'] })).toEqual(['Tyre'])
  expect(await find({ texts: ['cn12a', 'TYRE', 'Chai', '%', '-'] })).toEqual(['Chain', 'Tyre'])
  expect(await find({ ids: [chain._id], texts: ['Chain', 'CN-12/A'] })).toEqual(['Chain'])
  expect([await find({}), await find({ ids: [], texts: [] })]).toEqual([[], []])
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(eq(parts._id, tyre._id))
  expect(await find({ ids: [tyre._id], texts: ['Tyre'] })).toEqual([])
})
