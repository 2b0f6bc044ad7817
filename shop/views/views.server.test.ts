import { expect, test } from 'vitest'
import { clientOf, createUser, testShop } from '#test/shop.ts'
import { maxViews } from './saved-view.ts'

test('each admin saves, replaces and deletes views of a list, and sees no others', async () => {
  const shop = await testShop()
  const [boss, eve] = [
    await clientOf(shop, await createUser(shop, 'Boss', 'admin')),
    await clientOf(shop, await createUser(shop, 'Eve', 'admin')),
  ]
  const list = 'orders' as const
  const view = { list, name: 'To ship', query: 'status=pending' }
  const { insertedId: id } = await boss.saveView({ body: view })
  await boss.saveView({ body: { list, name: 'Large', query: 'sort=-price' } })
  await boss.saveView({ body: { ...view, name: ' To \n ship ', query: 'status=pending&sort=name' } })
  const { insertedId: ofEve } = await eve.saveView({ body: { ...view, query: 'sort=name' } })
  const views = async (client = boss) =>
    (await client.listViews({ body: { list } })).map(({ name, query }) => [name, query])
  const large = ['Large', 'sort=-price']
  expect(await views()).toEqual([['To ship', 'status=pending&sort=name'], large])
  expect(await boss.listViews({ body: { list: 'products' } })).toEqual([])
  expect(await views(eve)).toEqual([['To ship', 'sort=name']])
  expect(await eve.deleteView({ params: { id } })).toEqual({ deletedCount: 0 })
  expect(await eve.deleteView({ params: { id: ofEve } })).toEqual({ deletedCount: 1 })
  expect(await boss.deleteView({ params: { id } })).toEqual({ deletedCount: 1 })
  expect(await views()).toEqual([large])
})

test('saveView refuses more views of a list than fit, and replaces one of these', async () => {
  const shop = await testShop()
  const boss = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const eve = await clientOf(shop, await createUser(shop, 'Eve', 'admin'))
  const save = (i: number, client = boss, list: 'orders' | 'products' = 'orders') =>
    client.saveView({ body: { list, name: `View ${i}`, query: 'status=pending' } })
  for (let i = 0; i < maxViews; i++) await save(i)
  await save(maxViews, eve)
  await save(maxViews, boss, 'products')
  await expect(save(maxViews)).rejects.toMatchObject({ status: 409 })
  await save(0)
  expect(await boss.listViews({ body: { list: 'orders' } })).toHaveLength(maxViews)
})
