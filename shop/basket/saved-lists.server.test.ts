import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { savedLists } from '#db/schema.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'

async function shopWithLists() {
  const shop = await testShop()
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  const [chain, tyre] = [await createPart(shop), await createPart(shop, { name: 'Tyre' })]
  const [asAda, asBob] = [await clientOf(shop, ada), await clientOf(shop, bob)]
  return { shop, ada, asAda, asBob, chain, tyre }
}

test('a saved list keeps parts and quantities in their order, with the names of today', async () => {
  const { asAda, chain, tyre } = await shopWithLists()
  const items = [
    { partId: tyre._id, quantity: 4 },
    { partId: 'unknown', quantity: 1 },
    { partId: chain._id, quantity: 10 },
  ]
  const { insertedId: listId } = await asAda.saveList({ body: { name: 'Winter stock', items } })
  await asAda.saveList({ body: { name: 'autumn', items: items.slice(0, 1) } })
  const [first] = await asAda.listSavedLists()
  expect(await asAda.readSavedList({ params: { listId: first!._id } })).toMatchObject({ name: 'autumn' })
  expect(await asAda.readSavedList({ params: { listId } })).toEqual({
    _id: listId,
    name: 'Winter stock',
    items: [
      { partId: tyre._id, quantity: 4, name: 'Tyre' },
      { partId: chain._id, quantity: 10, name: 'Chain' },
    ],
  })
  expect((await asAda.listSavedLists()).map(({ name, itemCount }) => [name, itemCount])).toEqual([
    ['autumn', 1],
    ['Winter stock', 3],
  ])
})

test('saveList rejects a name that is taken in any spelling, replaces that list of its owner alone when asked to, and creates one list for a key', async () => {
  const { shop, asAda, asBob, chain } = await shopWithLists()
  const body = (quantity: number, replace = false) => ({
    name: quantity === 10 ? 'Winter stock' : 'Wínter  STOCK',
    replace,
    items: [{ partId: chain._id, quantity }],
  })
  const others = [
    await asBob.saveList({ body: body(10) }),
    await asAda.saveList({ body: { ...body(10), name: 'Autumn' } }),
  ]
  const first = await asAda.saveList({ body: body(10), key: 'one' })
  expect(await asAda.saveList({ body: body(10), key: 'one' })).toEqual(first)
  await expect(asAda.saveList({ body: body(20) })).rejects.toMatchObject({
    status: 409,
    fields: { name: ['You already have a list named “Wínter  STOCK”.'] },
  })
  const longAgo = '2026-01-31T23:59:59.999Z'
  await shop.db.update(savedLists).set({ changedAt: longAgo })
  expect(await asAda.saveList({ body: body(20, true) })).toEqual(first)
  expect(await asAda.readSavedList({ params: { listId: first.insertedId } })).toMatchObject({
    name: 'Wínter  STOCK',
    items: [{ quantity: 20 }],
  })
  const unchanged = { changedAt: longAgo, items: [{ quantity: 10 }] }
  for (const { insertedId } of others)
    expect(await shop.db.select().from(savedLists).where(eq(savedLists._id, insertedId))).toMatchObject([
      unchanged,
    ])
  const { changedAt } = (await asAda.listSavedLists()).find(({ _id }) => _id === first.insertedId)!
  expect(changedAt > longAgo).toBe(true)
})

test('a saved list can be read and deleted by its owner alone', async () => {
  const { asAda, asBob, chain } = await shopWithLists()
  const items = [{ partId: chain._id, quantity: 10 }]
  const { insertedId: listId } = await asAda.saveList({ body: { name: 'Winter stock', items } })
  for (const call of [asBob.readSavedList, asBob.deleteSavedList])
    await expect(call({ params: { listId } })).rejects.toMatchObject({
      status: 404,
      message: 'This list doesn’t exist.',
    })
  expect(await asBob.listSavedLists()).toEqual([])
  await asAda.saveList({ body: { name: 'Autumn', items } })
  expect(await asAda.deleteSavedList({ params: { listId } })).toEqual({ deletedCount: 1 })
  await expect(asAda.deleteSavedList({ params: { listId } })).rejects.toMatchObject({ status: 404 })
  expect((await asAda.listSavedLists()).map(({ name }) => name)).toEqual(['Autumn'])
})

test('a customer has at most 50 lists, and can replace one of 50', async () => {
  const { shop, ada, asAda, asBob, chain } = await shopWithLists()
  const items = [{ partId: chain._id, quantity: 10 }]
  await shop.db
    .insert(savedLists)
    .values(Array.from({ length: 49 }, (_, i) => ({ userId: ada._id, name: `List ${i}`, items })))
  await asBob.saveList({ body: { name: 'Winter stock', items } })
  await asAda.saveList({ body: { name: 'The last', items } })
  await expect(asAda.saveList({ body: { name: 'One more', items } })).rejects.toMatchObject({
    status: 409,
    message: 'You can save at most 50 lists. Delete one, then try again.',
  })
  await asAda.saveList({ body: { name: 'List 7', items, replace: true } })
  expect(await asAda.listSavedLists()).toHaveLength(50)
})
