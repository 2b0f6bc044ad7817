import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts } from '#db/schema.ts'
import { listByName, namesInOrder } from '#test/part-names.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { listPartSuggestions } from './parts.server.ts'
import { findParts } from './search.server.ts'

const sizes = ['Tyre 29 x 2.25', 'Tyre 29 x 2.4', 'Tyre 100']

test('parts are in the order of their words and numbers, forwards and backwards', async () => {
  const shop = await testShop()
  for (const name of [...namesInOrder, ...sizes].toReversed()) await createPart(shop, { name })
  const expected = [...namesInOrder.slice(0, -3), ...sizes, ...namesInOrder.slice(-3)]
  expect(await listByName(shop)).toEqual(expected)
  const { rows } = await findParts(shop, { sort: '-name' })
  expect(rows.map(({ name }) => name)).toEqual(expected.toReversed())
  const found = await findParts(shop, { q: 'tyre', sort: 'name' })
  expect(found.rows.map(({ name }) => name)).toEqual(sizes)
})

test.for([
  ['CAFÉ RACK', 'case'],
  ['cafe rack', 'accents'],
  ['Cafe\u0301  Rack', 'form and spaces'],
  ['Café\u00a0Rack', 'no-break space'],
  ['Ca\u200bfé\u00ad Rack', 'invisible characters'],
  ['Ｃａｆé Rack', 'width'],
] as const)('a name is taken by %s, which differs by %s only', async ([name]) => {
  const shop = await testShop()
  const {
    _id: _,
    number,
    version,
    createdAt,
    deletedAt,
    partNumber,
    ...form
  } = await createPart(shop, { name: 'Café Rack' })
  const other = await createPart(shop, { name: 'Bell' })
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const body = { ...form, name }
  const refusal = { status: 409, fields: { name: [expect.stringContaining('already exists')] } }
  await expect(admin.addPart({ body })).rejects.toMatchObject(refusal)
  const change = { ...body, availableQuantityBefore: form.availableQuantity }
  await expect(admin.updatePart({ params: { partId: other._id }, body: change })).rejects.toMatchObject(
    refusal,
  )
})

test('a deleted part leaves its name to others, and a part may change the case of its own', async () => {
  const shop = await testShop()
  const { _id } = await createPart(shop, { name: 'Café Rack' })
  await shop.db.update(parts).set({ name: 'CAFE RACK' })
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(sql`id = ${_id}`)
  await expect(createPart(shop, { name: 'café rack' })).resolves.toMatchObject({ name: 'café rack' })
})

test('brands that differ by case, accents or spaces only are one facet and one filter', async () => {
  const shop = await testShop()
  for (const [i, brand] of ['Élan', 'ELAN', 'Élan', 'élan ', 'Other'].entries())
    await createPart(shop, { name: `Part ${i}`, brand, category: i % 2 ? 'Chain rings' : 'chain  Rings' })
  const { facets } = await findParts(shop)
  expect(facets.brand).toEqual([
    { value: 'Élan', count: 4 },
    { value: 'Other', count: 1 },
  ])
  expect(facets.category).toEqual([{ value: 'chain  Rings', count: 5 }])
  for (const brand of ['Élan', 'elan', 'E\u0301LAN'])
    expect((await findParts(shop, { brand, q: 'part' })).total, brand).toBe(4)
  expect((await findParts(shop, { brand: 'elan' })).facets.brand).toEqual(facets.brand)
  expect(await listPartSuggestions(shop)).toEqual({ brands: ['Élan', 'Other'], categories: ['chain  Rings'] })
})
