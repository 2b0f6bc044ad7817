import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { orders, parts } from '#db/schema.ts'
import { demoParts } from '#db/seed/parts.ts'
import { placeOrder } from '#shop/orders/place/place.server.ts'
import { listSynonyms } from '#shop/search/synonyms.server.ts'
import { testDatabase } from '#test/database.ts'
import { clientOf, createPart, createUser, purchase, testApi, testShop } from '#test/shop.ts'
import type { PartSearch } from './facets.ts'
import type { PartQuery } from './part.ts'
import { priceBands } from './price-bands.ts'
import { quantityLimits } from './quantity-limits.ts'
import { findParts, readSearch } from './search.server.ts'

type Demo = Awaited<ReturnType<typeof setupDemo>>
let demo: Demo | null = null

/** The shop with the 28 demo parts that tests share when they only read. */
async function openDemo(): Promise<Demo> {
  const { db } = await testDatabase()
  if (demo?.shop.db !== db) demo = await setupDemo()
  return demo
}

/** An empty shop. */
function newShop() {
  demo = null
  return testShop()
}

/** A shop with the 28 demo parts. */
async function setupDemo() {
  const shop = await newShop()
  const image = '/images/chain.webp'
  await shop.db.insert(parts).values(demoParts.map(({ photo: _, ...part }) => ({ ...part, image })))
  const find = (query: PartSearch) => findParts(shop, query)
  const names = async (q: string) => (await find({ q })).rows.map((part) => part.name)
  return { shop, find, names }
}

async function setupSmallShop() {
  const shop = await newShop()
  const add = (name: string, brand: string, category: string, perUnitPrice: number, availableQuantity = 50) =>
    createPart(shop, { name, brand, category, perUnitPrice, availableQuantity })
  await add('Oak Chain', 'Alder', 'Chains', 24)
  await add('Elm Chain', 'Birch', 'Chains', 25)
  await add('Ash Rotor', 'Birch', 'Brakes', 49, 9)
  await add('Fir Rotor', 'Cedar', 'Brakes', 50)
  await add('Yew Rotor', '', '', 250)
  return shop
}

const allMinQuantities = (count: number) => quantityLimits.map(({ key: value }) => ({ value, count }))

test('a match in the name ranks above a match in the description', async () => {
  const { names } = await openDemo()
  const [first, second, ...others] = await names('chain')
  expect(first).toBe('Meridian 12-Speed Chain')
  expect(second).toBe('Talon 42T Narrow-Wide Chainring')
  expect(others.length).toBeGreaterThan(0)
  expect(await names('7075')).toContain('Cornice 780 Riser Bar, 25 mm')
})

test('matches rank by name, brand and category, short description, then description', async () => {
  const shop = await newShop()
  await createPart(shop, { name: 'Bell', description: 'Rings. Out of reach of the chainring.' })
  await createPart(shop, { name: 'Guard', shortDescription: 'For a chainring' })
  await createPart(shop, { name: 'Bolt', category: 'Chainrings' })
  const repeated = 'Chainring bolts, chainring nuts, chainring tools.'
  await createPart(shop, {
    name: 'Kit',
    category: 'Chainrings',
    shortDescription: repeated,
    description: repeated,
  })
  await createPart(shop, { name: 'Narrow Chainring' })
  const { rows } = await findParts(shop, { q: 'chainri' })
  expect(rows.map((part) => part.name)).toEqual(['Narrow Chainring', 'Kit', 'Bolt', 'Guard', 'Bell'])
})

test('a name with all terms ranks first, regardless of their distance', async () => {
  const shop = await newShop()
  await createPart(shop, { name: 'Chainring', brand: 'Carbon Works' })
  await createPart(shop, { name: 'Carbon Road, Track and Time Trial Narrow-Wide Single Chainring' })
  const { rows } = await findParts(shop, { q: 'carbon chainri' })
  expect(rows.map((part) => part.name)).toEqual([expect.stringMatching('Time Trial'), 'Chainring'])
})

test('a search matches word prefixes', async () => {
  const { names } = await openDemo()
  for (const q of ['d', 'de', 'der', 'derai', 'deraille', 'derailleur', 'derailleurs']) {
    expect(await names(q), q).toContain('Meridian Long-Cage Rear Derailleur')
  }
  expect((await names('bearin')).sort()).toEqual((await names('bearing')).sort())
  // “all”, a prefix of “alloy”, is a stop word.
  expect(await names('all')).toEqual(await names('allo'))
})

test('a part number finds its part first, whole or from its beginning, in any case and with or without its dashes', async () => {
  const { shop, names, find } = await setupDemo()
  const chain = 'Meridian 12-Speed Chain'
  for (const q of ['WW-CN12', 'ww-cn12', 'WWCN12', 'ww cn12', ' Ww-Cn1', 'ww/cn', '-ww-cn'])
    expect((await names(q))[0], q).toBe(chain)
  expect(await find({ q: 'WW-CN12' })).toMatchObject({ total: 1, isFuzzy: false, facets: { available: 1 } })
  expect((await names('ww-')).length).toBe(0)
  expect(await names('ww-c')).toContain(chain)
  expect((await names('WW-PD')).sort()).toEqual([
    'Latch Trail Clipless Pedals, Pair',
    'Trestle Platform Pedals, Pair',
  ])
  expect(await names('N12')).not.toContain(chain)

  await createPart(shop, { name: 'Horn', partNumber: 'chain-1' })
  const bell = await createPart(shop, { name: 'Bell', partNumber: 'CHAIN' })
  await createPart(shop, { name: 'Gone', partNumber: 'CHAIN-2', deletedAt: new Date().toISOString() })
  expect((await names('chain')).slice(0, 3)).toEqual(['Bell', 'Horn', chain])
  await createPart(shop, { name: 'Lamp', partNumber: 'X1' })
  expect([(await names('x1'))[0], (await names('X')).includes('Lamp')]).toEqual(['Lamp', false])
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const { rows } = await admin.listProducts({ body: { q: 'CHAIN', sort: 'relevance' } })
  expect(rows[0]).toMatchObject({ _id: bell._id, partNumber: 'CHAIN' })
})

test.for([
  'WW-CN12 chain',
  'Art. WW-CN12',
  '"WW-CN12"',
  'WW-CN12,',
  ...['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\uff0d'].map(
    (dash) => `WW${dash}CN12`,
  ),
  'ＷＷ－ＣＮ１２',
  'CN12',
  'cn-12',
])('a part number is found first as people write it: %s', async (q) => {
  const { names } = await openDemo()
  expect((await names(q))[0]).toBe('Meridian 12-Speed Chain')
})

test('results stay while a word that means little is typed', async () => {
  const { find } = await openDemo()
  const q = 'front hub for the trail'
  for (let length = 'front hub'.length; length <= 'front hub for the '.length; length++) {
    const { rows, isFuzzy } = await find({ q: q.slice(0, length).trim() })
    expect([rows[0]?.name, isFuzzy], q.slice(0, length)).toEqual(['Fallow Front Hub 32H, 15 x 110 mm', false])
  }
})

test('a search for a synonym also finds the word itself', async () => {
  const shop = await newShop()
  const pairs = (await listSynonyms(shop)).rows.map(({ phrase }) => phrase)
  expect(pairs).toContain('disc brake')
  for (const phrase of pairs) await createPart(shop, { name: `${phrase} of steel` })
  for (const phrase of pairs)
    expect(
      (await findParts(shop, { q: phrase })).rows.map(({ name }) => name),
      phrase,
    ).toContain(`${phrase} of steel`)
})

test.for([
  ['Spacer 12 x 148 mm', '12 x148', '12×148', '12*148mm'],
  ['Tyre 29 x 2.4', '29 x2.4', '29x2,4'],
  ['Tyre 700 x 45 C', '700x45c', '700c'],
  ['Chain, 12-speed', '12s chain', '12sp', '12 speed'],
  ['Bottle 500 ml', '500ml', '500 ml'],
  ['Bottle 750ml', '750 ml', '750ml'],
  ['Up & Down Lever', 'Up & Down', 'up down', 'DOWN'],
  ['E-bike charger', 'ebike', 'e bike', 'e-bike charger'],
  ['Ebike lamp', 'e-bike lamp', 'ebike'],
] as const)('measures and words are found as people write them: %s', async ([name, ...queries]) => {
  const shop = await newShop()
  await createPart(shop, { name })
  await createPart(shop, { name: 'Other' })
  for (const q of queries)
    expect(
      (await findParts(shop, { q })).rows.map((part) => part.name),
      q,
    ).toEqual([name])
})

test('a search requires every term to match', async () => {
  const { names } = await openDemo()
  const hubs = ['Fallow Front Hub 32H, 15 x 110 mm', 'Contour 45 Carbon Front Wheel']
  expect(await names('front hub')).toEqual(hubs)
  expect(await names('hub for the front')).toEqual(hubs)
  expect(await names('stillbrook lever')).toEqual(['Anvil Hydraulic Brake Lever'])
  expect(await names('carbon cassette')).toEqual([])
})

test.for([
  ['chian', 'Meridian 12-Speed Chain'],
  ['Meridian 12-Speed Casette 11-51T', 'Meridian 12-Speed Cassette 11-51T'],
  ['Bramble 29 x 2.4 Trial Tyre', 'Bramble 29 x 2.4 Trail Tyre'],
  ['casette', 'Meridian 12-Speed Cassette 11-51T'],
  ['deraileur', 'Meridian Long-Cage Rear Derailleur'],
  ['derailer', 'Meridian Long-Cage Rear Derailleur'],
  ['sadle', 'Heath Trail Saddle, 145 mm'],
  ['rottor', 'Cinder 180 mm Floating Rotor'],
  ['handelbar', 'Cornice 780 Riser Bar, 25 mm'],
  ['pedel', 'Pedals, Pair'],
  ['weel', 'Contour 45 Carbon Front Wheel'],
  ['narow wide chianring', 'Talon 42T Narrow-Wide Chainring'],
  ['180 mm rottor', 'Cinder 180 mm Floating Rotor'],
  ['caset', 'Meridian 12-Speed Cassette 11-51T'],
] as const)('the search corrects the typo “%s”', async ([q, expected]) => {
  const { find } = await openDemo()
  const { rows, isFuzzy } = await find({ q })
  expect(rows[0]?.name).toContain(expected)
  expect(isFuzzy).toBe(true)
})

test('an exact match is not fuzzy, even when the filters leave no result', async () => {
  const { find } = await openDemo()
  expect(await find({ q: 'chain' })).toMatchObject({ isFuzzy: false })
  expect(await find({ q: 'chain', brand: 'Ostrand' })).toMatchObject({ isFuzzy: false, total: 0, rows: [] })
  expect(await find({ q: 'chian', brand: 'Ostrand' })).toMatchObject({ isFuzzy: true, total: 0, rows: [] })
})

test.for([
  'penny-farthing',
  'xyzzy',
  'carbon xyzzy',
  'chain 999',
  '%',
  '---',
  '" \' \\',
  '🚲',
  '\0',
  `${'x'.repeat(100)}`,
])('a search for “%s” finds nothing', async (q) => {
  const { find } = await openDemo()
  const noFacets = { brand: [], category: [], price: [], minQuantity: [], available: 0 }
  expect(await find({ q })).toEqual({ rows: [], total: 0, facets: noFacets, isFuzzy: false })
})

test('a search matches American and British spellings', async () => {
  const { find, names } = await setupDemo()
  const tyres = (await names('tyre')).sort()
  expect(tyres).toContain('Bramble 29 x 2.4 Trail Tyre')
  expect((await names('tire')).sort()).toEqual(tyres)
  expect(await names('TIRES')).toContain('Bramble 29 x 2.4 Trail Tyre')
  expect(await find({ q: 'TIRES' })).toMatchObject({ isFuzzy: false })
  expect(await names('gravel tire')).toEqual(['Drover 700 x 45 Gravel Tyre, Tan'])
  const { shop } = await setupDemo()
  await createPart(shop, { name: 'Tire Lever', shortDescription: 'Aluminum', category: 'Tools' })
  await createPart(shop, { name: 'Naben-Öler' })
  for (const [q, name] of [
    ['tyre lever aluminium', 'Tire Lever'],
    // Decomposed, as some keyboards write it.
    ['naben O\u0308ler', 'Naben-Öler'],
  ] as const)
    expect(await findParts(shop, { q }), q).toMatchObject({ rows: [{ name }], total: 1, isFuzzy: false })
})

test.for([
  ['narrow-wide', 'Talon 42T Narrow-Wide Chainring'],
  ['42t', 'Talon 42T Narrow-Wide Chainring'],
  ['EC34/EC44', 'Quern Tapered Headset EC34/EC44'],
  ['ec44', 'Quern Tapered Headset EC34/EC44'],
  ['27.2', 'Plumb 27.2 mm Two-Bolt Seatpost'],
  ['27.2mm', 'Plumb 27.2 mm Two-Bolt Seatpost'],
  ['12x148', 'Fallow Rear Hub 32H, 12 x 148 mm'],
  ['29x2.4', 'Bramble 29 x 2.4 Trail Tyre'],
  ['29"', 'Ravine 130 Air Suspension Fork, 29"'],
  ['saddles & seatposts', 'Heath Trail Saddle, 145 mm'],
] as const)('a search splits “%s” into its terms', async ([q, expected]) => {
  const { names } = await openDemo()
  expect(await names(q)).toContain(expected)
})

test.for([
  [
    'disc brakes',
    [
      'Anvil Four-Piston Caliper',
      'Anvil Hydraulic Brake Lever',
      'Cinder 180 mm Floating Rotor',
      'Cinder Semi-Metallic Disc Pads, Pair',
    ],
  ],
  ['29er', ['Bramble 29 x 2.4 Trail Tyre', 'Ravine 130 Air Suspension Fork, 29"']],
  ['Ø 180', ['Cinder 180 mm Floating Rotor', 'Ravine 130 Air Suspension Fork, 29"']],
  ['Ø180mm', ['Cinder 180 mm Floating Rotor', 'Ravine 130 Air Suspension Fork, 29"']],
  ['180 mm', ['Cinder 180 mm Floating Rotor', 'Ravine 130 Air Suspension Fork, 29"']],
  ['Rear MECH', ['Meridian Long-Cage Rear Derailleur']],
  ['BB', ['Escarp 170 mm Crankset, 34T', 'Quern BSA Bottom Bracket, 24 mm']],
] as const)('a search for “%s” finds what customers mean', async ([q, expected]) => {
  const { names } = await openDemo()
  expect((await names(q)).sort()).toEqual(expected)
})

test('a search for a brand that is not sold finds nothing, until it is sold', async () => {
  const { shop, find, names } = await setupDemo()
  for (const q of ['SRAM', 'Shimano', 'zipp', 'trek', 'Time', 'Selle', 'sram chain'])
    expect(await find({ q }), q).toMatchObject({ total: 0, isFuzzy: false })
  await createPart(shop, { name: 'Eagle Chain', brand: 'SRAM' })
  expect(await names('sram')).toEqual(['Eagle Chain'])
})

test('no search input causes an error or an injection', async () => {
  const { shop, find } = await openDemo()
  const inputs = [
    "'; drop table parts; --",
    "chain' | 'rotor",
    'chain:*A',
    '!chain',
    'chain & | (rotor',
    '<-> chain',
    '\\',
    "\\'",
    '%_%',
    'the',
    'and or not',
    'naïve Zürich',
    'العربية 日本語',
    '👩🏽‍🔧 chain',
    'z'.repeat(100),
    'ab '.repeat(33),
    'abcd '.repeat(20),
    '1e400 0x1f 1_000 -5 +3.5e-7',
    'http://example.com/a?b=c a@b.example',
    '\0chain\u0001',
  ]
  for (const q of inputs) await expect(find({ q }), q).resolves.toHaveProperty('rows')
  for (const q of inputs.slice(0, -1)) {
    const { status } = await testApi(shop).request(`/api/part?${new URLSearchParams({ q })}`)
    expect(status, q).toBe(200)
  }
  expect(await find({ brand: ['\0', "x' or true"] })).toMatchObject({ total: 0 })
  expect(await find({})).toMatchObject({ total: 28 })
  expect((await find({ q: '!chain' })).rows).toEqual((await find({ q: 'chain' })).rows)
})

test('a facet counts each value with all other filters applied and its own ignored', async () => {
  const shop = await setupSmallShop()
  const facets = async (query: PartSearch) => (await findParts(shop, query)).facets
  expect(await facets({})).toEqual({
    brand: [
      { value: 'Birch', count: 2 },
      { value: 'Alder', count: 1 },
      { value: 'Cedar', count: 1 },
    ],
    category: [
      { value: 'Brakes', count: 2 },
      { value: 'Chains', count: 2 },
    ],
    price: [
      { value: 'under-25', count: 1 },
      { value: '25-49', count: 2 },
      { value: '50-99', count: 1 },
      { value: 'from-250', count: 1 },
    ],
    minQuantity: allMinQuantities(5),
    available: 4,
  })
  expect(await facets({ brand: 'Birch', price: '25-49' })).toEqual({
    brand: [{ value: 'Birch', count: 2 }],
    category: [
      { value: 'Brakes', count: 1 },
      { value: 'Chains', count: 1 },
    ],
    price: [{ value: '25-49', count: 2 }],
    minQuantity: allMinQuantities(2),
    available: 1,
  })
  expect(await facets({ category: 'Brakes', available: true })).toMatchObject({
    brand: [{ value: 'Cedar', count: 1 }],
    category: [
      { value: 'Chains', count: 2 },
      { value: 'Brakes', count: 1 },
    ],
    available: 1,
  })
  expect(await facets({ q: 'rotor' })).toMatchObject({
    brand: [
      { value: 'Birch', count: 1 },
      { value: 'Cedar', count: 1 },
    ],
    category: [{ value: 'Brakes', count: 2 }],
    available: 2,
  })
})

test('several brands or categories are combined with OR', async () => {
  const shop = await setupSmallShop()
  const names = async (query: PartSearch) => (await findParts(shop, query)).rows.map((part) => part.name)
  expect(await names({ brand: ['Alder', 'Cedar'] })).toEqual(['Oak Chain', 'Fir Rotor'])
  expect(await names({ brand: ['Alder', 'Cedar'], category: ['Brakes', 'Chains'], q: 'rotor' })).toEqual([
    'Fir Rotor',
  ])
  expect(await names({ brand: [], category: '' })).toHaveLength(5)
})

test('the price bands cover every price exactly once', async () => {
  const shop = await newShop()
  const edges = [1, 24, 25, 49, 50, 99, 100, 249, 250, 999_999]
  for (const perUnitPrice of edges) await createPart(shop, { name: `Part ${perUnitPrice}`, perUnitPrice })
  const prices = async (price: PartSearch['price']) =>
    (await findParts(shop, { price })).rows.map((part) => part.perUnitPrice)
  expect(await Promise.all(priceBands.map(({ key }) => prices(key)))).toEqual([
    [1, 24],
    [25, 49],
    [50, 99],
    [100, 249],
    [250, 999_999],
  ])
  const { facets } = await findParts(shop)
  expect(facets.price).toEqual(priceBands.map(({ key }) => ({ value: key, count: 2 })))
})

test('a limit of the minimum quantity includes the parts below it, and its count those', async () => {
  const shop = await newShop()
  for (const minQuantity of [1, 12, 13, 30, 31, 60, 61])
    await createPart(shop, { name: `Part ${minQuantity}`, minQuantity })
  const found = (query: PartSearch) => findParts(shop, { ...query, sort: 'minQuantity' })
  const quantities = async (minQuantity: PartSearch['minQuantity']) =>
    (await found({ minQuantity })).rows.map((part) => part.minQuantity)
  expect(await quantities('up-to-12')).toEqual([1, 12])
  expect(await quantities('up-to-30')).toEqual([1, 12, 13, 30])
  expect(await quantities('up-to-60')).toEqual([1, 12, 13, 30, 31, 60])
  const counts = [2, 4, 6].map((count, i) => ({ value: quantityLimits[i]!.key, count }))
  expect((await found({})).facets.minQuantity).toEqual(counts)
  expect((await found({ minQuantity: 'up-to-12' })).facets.minQuantity, 'its own filter').toEqual(counts)
  const client = await clientOf(shop)
  expect((await client.listParts({ body: { minQuantity: 'up-to-12' } })).total).toBe(2)
  const unknown = await testApi(shop).request('/api/part?minQuantity=12')
  expect([unknown.status, (await unknown.json()).fields]).toEqual([
    400,
    { minQuantity: ['minQuantity must be one of up-to-12, up-to-30, up-to-60'] },
  ])
})

test('a part is available only when its stock reaches its minimum quantity', async () => {
  const shop = await newShop()
  await createPart(shop, { name: 'Enough', minQuantity: 10, availableQuantity: 10 })
  await createPart(shop, { name: 'Too few', minQuantity: 10, availableQuantity: 9 })
  const { rows, total, facets } = await findParts(shop, { available: true })
  expect([rows.map((part) => part.name), total, facets.available]).toEqual([['Enough'], 1, 1])
  expect((await findParts(shop, { available: false })).total).toBe(2)
})

test('pages are contiguous and report the total', async () => {
  const { find } = await openDemo()
  for (const query of [{}, { q: 'alloy' }, { sort: 'price' as const }]) {
    const all = await find(query)
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => find({ ...query, limit: 5, page })))
    expect(pages.flatMap((page) => page.rows)).toEqual(all.rows)
    expect(pages.map((page) => page.total)).toEqual(pages.map(() => all.rows.length))
    expect(pages[5]!.facets).toEqual(all.facets)
  }
  expect(await find({ limit: 24, page: 1_000_000 })).toMatchObject({ rows: [], total: 28 })
})

test('equal matches keep creation order', async () => {
  const shop = await newShop()
  for (const n of [3, 1, 2]) await createPart(shop, { name: `Chain ${n}` })
  const names = async (query: PartSearch) => (await findParts(shop, query)).rows.map((part) => part.name)
  expect(await names({ q: 'chain' })).toEqual(['Chain 3', 'Chain 1', 'Chain 2'])
  expect(await names({ sort: 'price' })).toEqual(['Chain 3', 'Chain 1', 'Chain 2'])
  expect(await names({ sort: 'relevance' })).toEqual(['Chain 3', 'Chain 1', 'Chain 2'])
  expect(await names({ q: 'chain', sort: 'name' })).toEqual(['Chain 1', 'Chain 2', 'Chain 3'])
})

test('an explicit sort overrides relevance', async () => {
  const { find } = await openDemo()
  const { rows } = await find({ q: 'chain', sort: '-price' })
  const prices = rows.map((part) => part.perUnitPrice)
  expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  const added = await find({ q: 'chain', sort: 'added' })
  expect(added.rows[0]!.name).toBe('Talon 42T Narrow-Wide Chainring')
  for (const [sort, key] of [
    ['name', 'name'],
    ['minQuantity', 'minQuantity'],
    ['availableQuantity', 'availableQuantity'],
  ] as const) {
    const values = (await find({ q: 'chain', sort })).rows.map((part) => part[key])
    expect(values, sort).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    expect(values.length).toBeGreaterThan(2)
    expect((await find({ q: 'chain', sort: `-${sort}` })).rows.map((part) => part[key])).toEqual(
      values.toReversed(),
    )
  }
})

test('a deleted part is never found, not even by a typo', async () => {
  const { shop, find } = await setupDemo()
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(sql`name ilike '%rotor%'`)
  expect((await find({ q: 'floating rotor' })).rows).toEqual([])
  expect(await find({ q: 'floating rottor' })).toMatchObject({ total: 0, isFuzzy: false })
  expect((await find({})).total).toBe(27)
})

test('a search knows each change of a part at once, whoever makes it', async () => {
  const shop = await newShop()
  const { _id: part } = await createPart(shop, { name: 'Oak Chain', minQuantity: 10, availableQuantity: 30 })
  const customer = await createUser(shop, 'Ada')
  const found = (query: PartSearch) => findParts(shop, { q: 'chain', ...query })
  const change = (values: Partial<typeof parts.$inferInsert>) => shop.db.update(parts).set(values)
  await expect(found({ available: true })).resolves.toMatchObject({ total: 1, facets: { available: 1 } })

  await placeOrder(shop, customer, { ...purchase, lines: [{ partId: part, quantity: 30 }] })
  await expect(found({})).resolves.toMatchObject({ total: 1, facets: { available: 0 } })
  await change({ availableQuantity: 10 })
  await expect(found({ available: true })).resolves.toMatchObject({ total: 1 })
  await change({ multiple: 4 })
  await expect(found({ available: true })).resolves.toMatchObject({ total: 0 })

  await change({
    brand: 'Elm',
    category: 'Wheels',
    perUnitPrice: 250,
    minQuantity: 1_000_000,
    partNumber: 'ELM-7',
  })
  await expect(found({ brand: 'Elm', category: 'Wheels', price: 'from-250' })).resolves.toMatchObject({
    total: 1,
    facets: { brand: [{ value: 'Elm', count: 1 }], minQuantity: [] },
  })
  await expect(findParts(shop, { q: 'elm7' })).resolves.toMatchObject({ total: 1 })
  await change({ shortDescription: 'Forged', description: 'Hardened.' })
  await expect(found({ q: 'forged hardened' })).resolves.toMatchObject({ total: 1 })
  await change({ name: 'Oak Rotor' })
  await expect(findParts(shop, { q: 'rotor' })).resolves.toMatchObject({ rows: [{ name: 'Oak Rotor' }] })
  await change({ name: 'Oak Chain' })

  await change({ deletedAt: new Date().toISOString() })
  await expect(found({})).resolves.toMatchObject({ total: 0 })
  await change({ deletedAt: null })
  await expect(found({})).resolves.toMatchObject({ total: 1 })
  await shop.db.execute(sql`truncate ${orders}, order_lines cascade`)
  await shop.db.delete(parts)
  await expect(found({})).resolves.toMatchObject({ total: 0 })
})

test('a changed part is found by its new terms only', async () => {
  const shop = await newShop()
  await createPart(shop, { name: 'Chain', shortDescription: 'Steel', category: 'Drivetrain' })
  await shop.db.update(parts).set({ name: 'Sprocket' })
  expect((await findParts(shop, { q: 'sprokcet' })).rows).toHaveLength(1)
  expect((await findParts(shop, { q: 'chain' })).rows).toHaveLength(0)
})

test('the API list uses the same search, in creation order without a query', async () => {
  const { shop } = await openDemo()
  const visitor = await clientOf(shop)
  const found = await findParts(shop, { q: 'chian', limit: 2 })
  expect(await visitor.listParts({ body: { q: 'chian', limit: 2 } })).toMatchObject({
    rows: found.rows.map(({ name }) => ({ name })),
    total: found.total,
  })
  const { rows } = await visitor.listParts({ body: { price: 'from-250' } })
  expect(rows.map((part) => part.name)).toEqual([
    'Contour 45 Carbon Front Wheel',
    'Ravine 130 Air Suspension Fork, 29"',
  ])
  expect((await testApi(shop).request('/api/part?price=cheap')).status).toBe(400)
  expect((await visitor.listParts()).rows.map((part) => part.name)).toEqual(demoParts.map(({ name }) => name))
})

test('an admin can sort parts by every column', async () => {
  const shop = await newShop()
  const parts = [
    { name: 'Chain', minQuantity: 5, availableQuantity: 70, perUnitPrice: 9 },
    { name: 'Rotor', minQuantity: 9, availableQuantity: 50, perUnitPrice: 9 },
    { name: 'Hub', minQuantity: 7, availableQuantity: 60, perUnitPrice: 8 },
  ]
  for (const part of parts) await createPart(shop, part)
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const names = async (sort: NonNullable<PartQuery['sort']>) =>
    (await admin.listProducts({ body: { sort } })).rows.map(({ name }) => name).join(' ')

  expect(await names('added')).toBe('Chain Rotor Hub')
  expect(await names('-added')).toBe('Hub Rotor Chain')
  expect(await names('name')).toBe('Chain Hub Rotor')
  expect(await names('-name')).toBe('Rotor Hub Chain')
  expect(await names('minQuantity')).toBe('Chain Hub Rotor')
  expect(await names('-minQuantity')).toBe('Rotor Hub Chain')
  expect(await names('availableQuantity')).toBe('Rotor Hub Chain')
  expect(await names('-availableQuantity')).toBe('Chain Hub Rotor')
  expect(await names('-price')).toBe('Chain Rotor Hub')
})

test('parts are sorted by stock, by an index that an order rarely changes', async () => {
  const shop = await newShop()
  for (const availableQuantity of [1_000_000, 6, 0, 940, 941, 7, 939])
    await createPart(shop, { name: `Part ${availableQuantity}`, availableQuantity })
  const stocks = async (sort: PartSearch['sort']) =>
    (await findParts(shop, { sort })).rows.map((part) => part.availableQuantity)
  const inOrder = [0, 6, 7, 939, 940, 941, 1_000_000]
  expect(await stocks('availableQuantity')).toEqual(inOrder)
  expect(await stocks('-availableQuantity')).toEqual(inOrder.toReversed())
  for (const sort of ['availableQuantity', '-availableQuantity'] as const) {
    const { where, orderBy } = await readSearch(shop.db, { sort })
    const plan = await shop.db.transaction(async (tx) => {
      // Small tables are faster to read whole.
      await tx.execute(sql`set local enable_seqscan = off`)
      await tx.execute(sql`set local enable_sort = off`)
      return executeRows(
        tx,
        sql`explain select from ${parts} where ${where} order by ${sql.join(orderBy, sql`, `)} limit 10`,
      )
    })
    expect(JSON.stringify(plan)).toMatch(/Presorted Key: stock_level.*using parts_stock_level /)
  }
})
