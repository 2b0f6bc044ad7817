import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { parts } from '#db/schema.ts'
import type { PartSearch } from '#shop/parts/facets.ts'
import { findParts } from '#shop/parts/search.server.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'

const attributes = [
  { name: 'Rotor', category: 'Brakes', kind: 'number', unit: 'mm', isFilter: true },
  { name: 'Mount', category: 'Brakes', kind: 'choice', choices: ['Post', 'Flat'], isFilter: true },
  { name: 'Axle', category: 'Hubs', kind: 'text', isFilter: true },
  { name: 'Fluid', category: 'Brakes', kind: 'text' },
] as const

/** Brakes A to D, and a hub. */
async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const ids = new Map<string, string>()
  for (const attribute of attributes) {
    const choices = 'choices' in attribute ? [...attribute.choices] : []
    ids.set(attribute.name, (await admin.addAttribute({ body: { ...attribute, choices } })).insertedId)
  }
  const add = async (name: string, category: string, values: Record<string, string>) => {
    const { _id: partId } = await createPart(shop, { name, category })
    const specified = Object.entries(values).map(([name, value]) => {
      return { attributeId: ids.get(name)!, value, before: '' }
    })
    await admin.updateSpecifications({ params: { partId }, body: { values: specified } })
    return partId
  }
  const brake = await add('A', 'Brakes', { Rotor: '160', Mount: 'Post', Fluid: 'Mineral oil' })
  await add('B', 'Brakes', { Rotor: '180', Mount: 'Post' })
  await add('C', 'Brakes', { Rotor: '180', Mount: 'Flat' })
  await createPart(shop, { name: 'D', category: 'Brakes' })
  await add('Hub', 'Hubs', { Axle: '12 x 148mm' })
  const find = async (query: PartSearch) => {
    const { rows, total, specFacets, facets } = await findParts(shop, query)
    const listed = specFacets.map(({ name, choices }) => [
      name,
      ...choices.map(({ label, count }) => `${label} ${count}`),
    ])
    return { names: rows.map(({ name }) => name), total, listed, facets }
  }
  return { shop, admin, ids, brake, find }
}

test('a category offers its attributes with counts, and filters by them', async () => {
  const { find } = await setup()
  expect(await find({})).toMatchObject({ total: 5, listed: [] })
  const category = 'Brakes'
  expect(await find({ category })).toMatchObject({
    names: ['A', 'B', 'C', 'D'],
    listed: [
      ['Rotor', '160 mm 1', '180 mm 2'],
      ['Mount', 'Post 2', 'Flat 1'],
    ],
  })
  const found = await find({ category, spec: 'rotor:180' })
  expect(found).toMatchObject({
    names: ['B', 'C'],
    total: 2,
    listed: [
      ['Rotor', '160 mm 1', '180 mm 2'],
      ['Mount', 'Post 1', 'Flat 1'],
    ],
  })
  expect(found.facets.category).toEqual([{ value: 'Brakes', count: 2 }])
  expect(await find({ category, spec: ['rotor:180', 'mount:Post'] })).toMatchObject({
    names: ['B'],
    listed: [
      ['Rotor', '160 mm 1', '180 mm 1'],
      ['Mount', 'Post 1', 'Flat 1'],
    ],
  })
  expect((await find({ category, spec: ['rotor:180', 'rotor:160'] })).total).toBe(3)
  expect((await find({ spec: ['axle:12 × 148 mm'] })).names).toEqual(['Hub'])
  expect((await find({ category, spec: ['rotor:170~190'] })).listed[0]).toContain('170–190 mm 2')
  expect((await find({ category, spec: ['rotor:170~190'] })).names).toEqual(['B', 'C'])
  expect((await find({ category, spec: ['rotor:150~200'] })).names).toEqual(['A', 'B', 'C'])
  for (const spec of ['gone:1', 'rotor:999', 'rotor:\0'])
    expect((await find({ category, spec })).total).toBe(0)
})

test('a part with a range is found under each value in it, and counted there', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const speeds = {
    name: 'Speeds',
    category: 'Chains',
    kind: 'range',
    unit: 'speed',
    isFilter: true,
  } as const
  const { insertedId: attributeId } = await admin.addAttribute({ body: { ...speeds, choices: [] } })
  const ranges = [
    [10, 12],
    [12, 12],
    [11, 11],
    [9, 10],
    [8, 8],
    [7, 13],
    [10, 11],
  ] as const
  for (const [low, high] of ranges) {
    const { _id: partId } = await createPart(shop, { name: `${low} to ${high}` })
    const values = [{ attributeId, value: `${low}-${high}`, before: '' }]
    await admin.updateSpecifications({ params: { partId }, body: { values } })
  }
  await createPart(shop, { name: 'Without' })
  const overlapping = (from: number, to: number) =>
    ranges.filter(([low, high]) => low <= to && high >= from).map(([low, high]) => `${low} to ${high}`)
  const find = async (...spec: string[]) => {
    const { rows, specFacets } = await findParts(shop, { category: 'Chains', spec, sort: 'added' })
    return { names: rows.map(({ name }) => name).toSorted(), choices: specFacets[0]?.choices ?? [] }
  }
  const { choices } = await find()
  expect(choices.map(({ label }) => label)).toEqual([7, 8, 9, 10, 11, 12, 13].map((end) => `${end}-speed`))
  for (const [i, { value, count }] of choices.entries()) {
    const { names } = await find(value)
    expect(names, value).toEqual(overlapping(i + 7, i + 7).toSorted())
    expect(count, value).toBe(names.length)
  }
  for (const [from, to] of [
    [8, 9],
    [11, 12],
    [13, 20],
    [14, 20],
  ] as const) {
    const chosen = await find(`speeds:${from}..${to}`)
    expect(chosen.names).toEqual(overlapping(from, to).toSorted())
    expect(chosen.choices.at(-1)).toMatchObject({
      value: `speeds:${from}..${to}`,
      count: chosen.names.length,
    })
  }
  expect((await find('speeds:8', 'speeds:13')).names).toEqual(['7 to 13', '8 to 8'])
})

test('specifications are searched as people write them', async () => {
  const { find } = await setup()
  for (const q of ['12x148', '12 mm × 148', '12 x 148 mm', '148mm hub'])
    expect((await find({ q })).names, q).toEqual(['Hub'])
  expect((await find({ q: '180 mm' })).names).toEqual(['B', 'C'])
  expect((await find({ q: 'mineral oil' })).names).toEqual(['A'])
  expect(await find({ q: '180 mm', category: 'Brakes', spec: 'mount:Flat' })).toMatchObject({
    names: ['C'],
    listed: [['Mount', 'Post 1', 'Flat 1']],
  })
})

test('words of two values do not become one', async () => {
  const { shop, admin, ids, brake } = await setup()
  const attributeId = (
    await admin.addAttribute({
      body: { name: 'Bore', category: 'Brakes', kind: 'number', unit: 'mm', choices: [] },
    })
  ).insertedId
  await admin.updateSpecifications({
    params: { partId: brake },
    body: {
      values: [
        { attributeId, value: '27', before: '' },
        { attributeId: ids.get('Fluid')!, value: '', before: 'Mineral oil' },
        { attributeId: ids.get('Mount')!, value: '', before: 'Post' },
      ],
    },
  })
  const words = await executeRows<{ word: string }>(
    shop.db,
    sql`select unnest(tsvector_to_array(words)) as word from part_words where part_id = ${brake}`,
  )
  expect(words.map(({ word }) => word).filter((word) => word.includes('mm'))).toEqual(['160mm', '27mm', 'mm'])
})

test('filters and words follow what admins change', async () => {
  const { shop, admin, ids, brake, find } = await setup()
  const category = 'Brakes'
  const save = (name: string, value: string, before: string) => {
    const values = [{ attributeId: ids.get(name)!, value, before }]
    return admin.updateSpecifications({ params: { partId: brake }, body: { values } })
  }
  await save('Rotor', '203', '160 mm')
  await save('Fluid', '', 'Mineral oil')
  expect((await find({ category })).listed[0]).toEqual(['Rotor', '180 mm 2', '203 mm 1'])
  expect((await find({ q: 'mineral oil' })).names).toEqual([])
  expect((await find({ q: '203 mm' })).names).toEqual(['A'])

  const id = ids.get('Rotor')!
  const rotor = { name: 'Disc', category, kind: 'number', unit: 'mm' } as const
  await admin.updateAttribute({ params: { id }, body: rotor })
  expect((await find({ category })).listed).toEqual([['Mount', 'Post 2', 'Flat 1']])
  await admin.updateAttribute({ params: { id }, body: { ...rotor, isFilter: true } })
  expect((await find({ category })).listed[0]).toEqual(['Disc', '180 mm 2', '203 mm 1'])

  await shop.db.update(parts).set({ category: 'Hubs' }).where(sql`${parts._id} = ${brake}`)
  expect((await find({ category })).listed[0]).toEqual(['Disc', '180 mm 2'])
  expect((await find({ q: '203 mm' })).names).toEqual([])
  await admin.deleteAttribute({ params: { id } })
  expect((await find({ category })).listed).toEqual([['Mount', 'Post 1', 'Flat 1']])
  expect((await find({ q: '180 mm' })).names).toEqual([])
})

test('filter_step is on the scale that the labels of ranges have', async () => {
  const { db } = await testShop()
  const numbers = [0, -5, 0.1, 0.12, 1, 1.19, 9.99, 10, 99, 100, 119, 160, 1000, 1_000_000]
  const rows = await executeRows<{ step: number }>(
    db,
    sql`select filter_step(number) as step from unnest(${sql.param(numbers)}::double precision[]) as number`,
  )
  expect(rows.map(({ step }) => step)).toEqual([
    0, -1, 0.1, 0.12, 1, 1, 8, 10, 80, 100, 100, 150, 1000, 1_000_000,
  ])
})
