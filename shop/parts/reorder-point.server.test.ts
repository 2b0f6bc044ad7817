import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, testApi, testShop } from '#test/shop.ts'

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { _id } = await createPart(shop)
  const params = { partId: _id }
  const update = async (change: object) => {
    const part = await admin.readPart({ params })
    const availableQuantityBefore = part.availableQuantity
    await admin.updatePart({ params, body: { ...part, availableQuantityBefore, ...change } })
    return (await admin.readProduct({ params: { id: _id } })).reorderPoint
  }
  return { shop, admin, params, update }
}

test('updatePart keeps the reorder point that a change leaves out, removes it on request, and rejects what is not a quantity', async () => {
  const { update } = await setup()
  expect(await update({})).toBeNull()
  expect(await update({ reorderPoint: '20' })).toBe(20)
  expect(await update({ perUnitPrice: 8 })).toBe(20)
  expect(await update({ reorderPoint: 0 })).toBe(0)
  expect(await update({ reorderPoint: ' ' })).toBeNull()
  await expect(update({ reorderPoint: -1 })).rejects.toMatchObject({
    fields: { reorderPoint: ['At least 0'] },
  })
  await expect(update({ reorderPoint: 1.5 })).rejects.toMatchObject({ status: 400 })
})

test('the public calls of parts answer the same whatever the reorder point is, and cannot filter by it', async () => {
  const { shop, params, update } = await setup()
  const api = testApi(shop)
  const lookup = { method: 'POST', body: JSON.stringify({ ids: [params.partId] }) }
  const headers = { 'content-type': 'application/json' }
  const read = async () => {
    const texts: string[] = []
    for (const path of ['part', `part/${params.partId}`, 'part-lookup'])
      texts.push(
        await (
          await api.request(`/api/${path}`, path === 'part-lookup' ? { ...lookup, headers } : {})
        ).text(),
      )
    return texts
  }
  const before = await read()
  expect(before.every((text) => text.includes('Chain'))).toBe(true)
  expect(await update({ reorderPoint: 60 })).toBe(60)
  expect(await read()).toEqual(before)
  expect((await api.request('/api/part?stock=to+reorder')).status).toBe(400)
})

test('listProducts filtered by stock to reorder finds parts at their reorder point or below, and those that are sold out', async () => {
  const { shop, admin } = await setup()
  for (const [name, availableQuantity, reorderPoint] of [
    ['At', 30, 30],
    ['Above', 31, 30],
    ['None', 10, null],
    ['Sold out', 9, null],
    ['Never', 10, 0],
  ] as const)
    await createPart(shop, { name, availableQuantity, reorderPoint })
  const { rows } = await admin.listProducts({ body: { stock: 'to reorder' } })
  expect(rows.map(({ name, reorderPoint }) => [name, reorderPoint])).toEqual([
    ['At', 30],
    ['Sold out', null],
  ])
})
