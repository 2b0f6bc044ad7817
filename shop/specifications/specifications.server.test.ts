import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const add = async (body: Parameters<typeof admin.addAttribute>[0]['body']) =>
    (await admin.addAttribute({ body })).insertedId
  const { _id: partId } = await createPart(shop, { category: 'Brakes' })
  const visitor = await clientOf(shop)
  const read = async (id = partId) =>
    (await visitor.readSpecifications({ params: { partId: id } })).map(
      ({ name, value }) => `${name}: ${value}`,
    )
  const save = (attributeId: string, value: string, before = '') =>
    admin.updateSpecifications({ params: { partId }, body: { values: [{ attributeId, value, before }] } })
  return { shop, admin, add, partId, read, save }
}

const rotor = { name: 'Rotor', category: 'Brakes', kind: 'number', unit: 'mm' } as const

test('a part has the attributes of its category and of all parts, in their order', async () => {
  const { shop, admin, add, partId, read } = await setup()
  const boost = await add({ name: 'Boost', kind: 'yesNo' })
  const mount = await add({
    name: 'Mount',
    category: 'BRAKES',
    kind: 'choice',
    choices: ['Post', ' ', '12 x 100'],
  })
  const ids = [
    [await add(rotor), '18 cm'],
    [await add({ name: 'Sizes', category: 'Brakes', kind: 'range', unit: 'mm' }), '160-203'],
    [await add({ name: 'Fluid', category: 'Brakes', kind: 'text' }), 'Mineral oil'],
    [mount, '12x100'],
    [boost, 'yes'],
  ]
  const values = ids.map(([attributeId = '', value = '']) => ({ attributeId, value, before: '' }))
  await admin.updateSpecifications({ params: { partId }, body: { values } })
  const all = ['Mount: 12 x 100', 'Rotor: 180 mm', 'Sizes: 160–203 mm', 'Fluid: Mineral oil', 'Boost: Yes']
  expect(new Set(await read())).toEqual(new Set(all))
  expect((await read()).at(-1)).toBe('Boost: Yes')

  await admin.moveAttribute({ params: { id: ids[2]![0]! }, body: { direction: 'up' } })
  expect((await read()).filter((one) => /^[RSF]/.test(one))).toEqual([all[1], all[3], all[2]])
  const first = { params: { id: ids[0]![0]! }, body: { direction: 'up' as const } }
  expect(await admin.moveAttribute(first)).toEqual({ modifiedCount: 0 })

  const { _id: chain } = await createPart(shop, { name: 'Chain 2', category: 'Chains' })
  await expect(
    admin.updateSpecifications({ params: { partId: chain }, body: { values: [values[0]!] } }),
  ).rejects.toMatchObject({ status: 400 })
})

test('updateSpecifications refuses values that the attribute does not allow, and stores none', async () => {
  const { admin, add, partId, read } = await setup()
  const [diameter, mount] = [
    await add(rotor),
    await add({ name: 'Mount', category: 'Brakes', kind: 'choice', choices: ['Post', 'Flat'] }),
  ]
  const values = [
    { attributeId: diameter, value: '180', before: '' },
    { attributeId: mount, value: 'Screwed', before: '' },
    { attributeId: 'gone', value: '1', before: '' },
  ]
  await expect(admin.updateSpecifications({ params: { partId }, body: { values } })).rejects.toMatchObject({
    status: 400,
    fields: {
      'values.1.value': ['Choose one of: Post, Flat'],
      'values.2.value': ['Parts of this category don’t have this attribute.'],
    },
  })
  expect(await read()).toEqual([])
})

test('updateSpecifications notices what another admin has entered, and replaces it when told', async () => {
  const { add, save, read } = await setup()
  const id = await add(rotor)
  await save(id, '160')
  await expect(save(id, '203')).rejects.toMatchObject({
    status: 409,
    fields: { 'values.0.value': ['Another admin changed this to “160 mm”. Save again to replace it.'] },
  })
  expect(await save(id, '160 mm')).toEqual({ modifiedCount: 0 })
  await save(id, '203', '160 mm')
  expect(await read()).toEqual(['Rotor: 203 mm'])
  await save(id, '', '203 mm')
  expect(await read()).toEqual([])
})

test('a name is refused that a part would have twice', async () => {
  const { add, admin } = await setup()
  await add(rotor)
  const refused = { status: 409, fields: { name: [expect.stringContaining('in Brakes')] } }
  await expect(add({ ...rotor, name: 'ROTOR', category: ' brakes' })).rejects.toMatchObject(refused)
  await expect(add({ ...rotor, category: '' })).rejects.toMatchObject(refused)
  const id = await add({ ...rotor, category: 'Wheels' })
  const change = { params: { id }, body: { ...rotor, category: 'Brakes' } }
  await expect(admin.updateAttribute(change)).rejects.toMatchObject(refused)
  const { rows } = await admin.listAttributes({ body: {} })
  expect(rows.map(({ key }) => key)).toEqual(['rotor', 'rotor'])
  await add({ ...rotor, name: 'Rotor!' })
  expect((await admin.listAttributes({ body: { q: 'rotor!' } })).rows[0]?.key).toBe('rotor-2')
})

test('an attribute that parts have keeps its kind, unit and category, and may be renamed', async () => {
  const { add, admin, save, read } = await setup()
  const id = await add(rotor)
  await save(id, '180')
  const update = (body: object) => admin.updateAttribute({ params: { id }, body: { ...rotor, ...body } })
  for (const body of [{ kind: 'range' }, { unit: 'cm' }, { category: 'Wheels' }]) {
    const [field = ''] = Object.keys(body)
    await expect(update(body)).rejects.toMatchObject({
      status: 409,
      fields: { [field]: ['1 part has this attribute. Add another attribute instead.'] },
    })
  }
  await update({ name: 'Rotor diameter' })
  expect(await read()).toEqual(['Rotor diameter: 180 mm'])
  expect(await admin.readAttribute({ params: { id } })).toMatchObject({ key: 'rotor', parts: 1 })
})

test('a choice is renamed with the values of parts, and kept while parts have it', async () => {
  const { add, admin, save, read } = await setup()
  const mount = { name: 'Mount', category: 'Brakes', kind: 'choice' } as const
  const id = await add({ ...mount, choices: ['Pots', 'Flat'] })
  await save(id, 'Pots')
  const choose = (choices: string[]) => admin.updateAttribute({ params: { id }, body: { ...mount, choices } })
  await choose(['Post', 'Flat'])
  expect(await read()).toEqual(['Mount: Post'])
  await choose(['Flat', 'POST', 'IS'])
  expect(await read()).toEqual(['Mount: POST'])
  await expect(choose(['Flat', 'IS'])).rejects.toMatchObject({
    status: 409,
    fields: { choices: ['1 part has POST. Keep it, or give these parts another value first.'] },
  })
  await choose(['POST'])
})

test('deleteAttribute deletes the values, too', async () => {
  const { add, admin, save, read } = await setup()
  const id = await add(rotor)
  await save(id, '180')
  expect(await admin.deleteAttribute({ params: { id } })).toEqual({ deletedCount: 1 })
  expect(await read()).toEqual([])
  await expect(admin.readAttribute({ params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('listAttributes searches names, categories and choices, and filters by category', async () => {
  const { add, admin } = await setup()
  await add(rotor)
  await add({ name: 'Mount', category: 'Hubs', kind: 'choice', choices: ['Six-bolt', 'Center Lock'] })
  await add({ name: 'Boost', kind: 'yesNo' })
  const list = async (body: object) => (await admin.listAttributes({ body })).rows.map(({ name }) => name)
  expect(await list({ q: 'center' })).toEqual(['Mount'])
  expect(await list({ q: 'brakes' })).toEqual(['Rotor'])
  expect(await list({ category: 'hubs' })).toEqual(['Mount', 'Boost'])
  expect(await list({ sort: '-name' })).toEqual(['Rotor', 'Mount', 'Boost'])
})
