import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts, pictures } from '#db/schema.ts'
import { commandLine } from '#shop/audit/record.server.ts'
import { clientOf, createPart, createUser, purchase, readStock, testApi, testShop } from '#test/shop.ts'
import { deleteProduct } from './edit.server.ts'
import { listPartIdPages, listPartIds, relatedParts } from './parts.server.ts'

const form = {
  name: 'Rotor',
  shortDescription: 'Six-bolt',
  description: 'Stops quietly.',
  minQuantity: 4,
  availableQuantity: 100,
  perUnitPrice: 38,
  image: '/images/chain.webp',
}

async function setup() {
  const shop = await testShop()
  const chain = await createPart(shop)
  return {
    shop,
    chain,
    admin: await clientOf(shop, await createUser(shop, 'Admin', 'admin')),
    visitor: await clientOf(shop),
  }
}

test('listParts returns parts in creation order', async () => {
  const { admin, visitor } = await setup()
  await admin.addPart({ body: form })
  const { rows } = await visitor.listParts()
  expect(rows.map((part) => part.name)).toEqual(['Chain', 'Rotor'])
})

test('listParts filters by name, brand and category, and sorts by price', async () => {
  const { shop, admin, visitor } = await setup()
  await admin.addPart({ body: { ...form, brand: 'Cinder', category: 'Brakes' } })
  await createPart(shop, { name: 'Hub', perUnitPrice: 90, availableQuantity: 3 })
  const names = async (body: object) => (await visitor.listParts({ body })).rows.map((part) => part.name)
  expect(await names({ q: 'ROT' })).toEqual(['Rotor'])
  expect(await names({ q: '%' })).toEqual([])
  expect(await names({ brand: 'Cinder' })).toEqual(['Rotor'])
  expect(await names({ category: 'Brakes' })).toEqual(['Rotor'])
  expect(await names({ sort: '-price' })).toEqual(['Hub', 'Rotor', 'Chain'])
  expect(await names({ available: 'true' })).toEqual(['Chain', 'Rotor'])
  expect(await names({ limit: 1, page: 2 })).toEqual(['Rotor'])
})

test('relatedParts returns parts of the same category, those in stock first', async () => {
  const shop = await testShop()
  const add = (name: string, category: string, brand: string, availableQuantity = 50) =>
    createPart(shop, { name, category, brand, availableQuantity })
  // minQuantity is 10, so 9 is sold out.
  await add('Sold-out chain', 'Chains', 'Meridian', 9)
  await add('Ring', 'Drivetrain', 'Talon')
  await add('Saddle', 'Saddles', 'Heath')
  const chain = await add('Chain', 'Chains', 'Talon')
  const rival = await add('Rival chain', 'Chains', 'Meridian')
  await add('Last chain', 'Chains', 'Talon', 10)
  const names = async (part: typeof chain) => (await relatedParts(shop, part)).map(({ name }) => name)
  expect(await names(chain)).toEqual(['Rival chain', 'Last chain', 'Sold-out chain'])

  // The limit is four.
  await add('Long chain', 'Chains', 'Talon')
  await add('Short chain', 'Chains', 'Talon')
  expect(await names(chain)).toEqual(['Rival chain', 'Last chain', 'Long chain', 'Short chain'])
  await deleteProduct(shop, commandLine, rival._id)
  expect(await names(chain)).toEqual(['Last chain', 'Long chain', 'Short chain', 'Sold-out chain'])
})

test('relatedParts matches by brand without a category, and not by empty ones', async () => {
  const shop = await testShop()
  const bare = await createPart(shop, { category: '', brand: '' })
  const bell = await createPart(shop, { name: 'Bell', category: '', brand: 'Talon' })
  const horn = await createPart(shop, { name: 'Horn', category: 'Bells', brand: '' })
  await createPart(shop, { name: 'Lamp', category: 'Lamps', brand: 'Talon' })
  const names = async (part: typeof bell) => (await relatedParts(shop, part)).map(({ name }) => name)
  expect(await names(bare)).toEqual([])
  expect(await names(bell)).toEqual(['Lamp'])
  expect(await names(horn)).toEqual([])
})

test('listParts rejects an invalid filter', async () => {
  const { shop } = await setup()
  for (const query of ['limit=many', 'limit=0', 'page=-1', 'sort=colour', 'available=perhaps']) {
    expect((await testApi(shop).request(`/api/part?${query}`)).status, query).toBe(400)
  }
})

test('addPart rejects an empty form with the required message for each field', async () => {
  const { admin } = await setup()
  await expect(admin.addPart({ body: {} as typeof form })).rejects.toMatchObject({
    status: 400,
    fields: {
      name: ['Product Name is required'],
      shortDescription: ['Short Description is required'],
      description: ['Description is required'],
      minQuantity: ['Minimum Quantity is required'],
      availableQuantity: ['Available Quantity is required'],
      perUnitPrice: ['Price is required'],
      image: ['Image is required'],
    },
  })
})

test('addPart rejects quantities and prices that are fractional or out of bounds', async () => {
  const { admin } = await setup()
  for (const perUnitPrice of [12.7, '12.7', '1e3', 0, -1, 1_000_000, 2 ** 53]) {
    const added = admin.addPart({ body: { ...form, perUnitPrice } })
    await expect(added, String(perUnitPrice)).rejects.toMatchObject({ status: 400 })
  }
  await expect(admin.addPart({ body: { ...form, minQuantity: 12.7 } })).rejects.toMatchObject({
    fields: { minQuantity: ['Whole numbers only'] },
  })
})

test('part names are unique, and the name of a deleted part can be reused', async () => {
  const { admin } = await setup()
  const outcomes = await Promise.allSettled([
    admin.addPart({ body: form }),
    admin.addPart({ body: { ...form, name: 'ROTOR' } }),
  ])
  const [added] = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused?.reason).toMatchObject({
    status: 409,
    fields: { name: [expect.stringContaining('already exists')] },
  })
  const params = { id: added!.value.insertedId }
  const { partNumber } = await admin.readProduct({ params })
  const deletions = [await admin.deleteProduct({ params }), await admin.deleteProduct({ params })]
  expect(deletions).toEqual([{ deletedCount: 1 }, { deletedCount: 0 }])
  const ofPart = { subjectId: params.id, action: 'deleteProduct' } as const
  expect((await admin.listAuditLog({ body: ofPart })).total).toBe(1)
  expect(await admin.addPart({ body: form })).toHaveProperty('insertedId')
  // The number is free, too: only the name is to blame.
  await expect(admin.addPart({ body: { ...form, partNumber } })).rejects.toMatchObject({
    fields: { name: [expect.stringContaining('already exists')] },
  })
})

test('updatePart changes a part and rejects a duplicate name or an unknown id', async () => {
  const { admin, chain, visitor } = await setup()
  const params = { partId: chain._id }
  const change = { ...form, name: 'Chain', availableQuantityBefore: 50 }
  expect(await admin.updatePart({ params, body: change })).toEqual({ modifiedCount: 1 })
  expect(await visitor.readPart({ params })).toMatchObject({
    name: 'Chain',
    availableQuantity: 100,
    brand: '',
  })
  await admin.addPart({ body: form })
  await expect(admin.updatePart({ params, body: form })).rejects.toMatchObject({ status: 409 })
  const unknown = admin.updatePart({ params: { partId: 'nothing' }, body: form })
  await expect(unknown).rejects.toMatchObject({ status: 404 })
})

test('updatePart rejects a stale stock value, and a changed one without the value that was read', async () => {
  const { shop, admin, chain } = await setup()
  const params = { partId: chain._id }
  const change = { ...form, name: 'Chain', availableQuantity: 60, availableQuantityBefore: 50 }
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  await ada.placePurchase({ body: { ...purchase, partId: chain._id, quantity: 10 } })
  await expect(admin.updatePart({ params, body: change })).rejects.toMatchObject({
    status: 409,
    fields: { availableQuantity: ['The stock has changed to 40. Check it and save again.'] },
  })
  const { availableQuantityBefore: _, ...unseen } = change
  for (const availableQuantityBefore of [39, 41])
    await expect(
      admin.updatePart({ params, body: { ...change, availableQuantityBefore } }),
    ).rejects.toMatchObject({
      status: 409,
    })
  expect(await admin.updatePart({ params, body: { ...unseen, availableQuantity: 40 } })).toEqual({
    modifiedCount: 1,
  })
  await expect(admin.updatePart({ params, body: unseen })).rejects.toMatchObject({ status: 409 })
  expect(await readStock(shop, chain)).toBe(40)
  expect(await admin.updatePart({ params, body: { ...change, availableQuantityBefore: 40 } })).toEqual({
    modifiedCount: 1,
  })
  expect(await readStock(shop, chain)).toBe(60)
})

test('updatePart changes the price alone although the stock has changed, and keeps the stock', async () => {
  const { shop, admin, chain, visitor } = await setup()
  const params = { partId: chain._id }
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  await ada.placePurchase({ body: { ...purchase, partId: chain._id, quantity: 10 } })
  const body = { ...form, perUnitPrice: 39, availableQuantity: 50, availableQuantityBefore: 50 }
  expect(await admin.updatePart({ params, body })).toEqual({ modifiedCount: 1 })
  expect(await visitor.readPart({ params })).toMatchObject({ perUnitPrice: 39, availableQuantity: 40 })
})

test('listProducts filters by stock level, and listPartSuggestions lists brands and categories once', async () => {
  const { shop, admin } = await setup()
  await createPart(shop, { name: 'Hub', availableQuantity: 9, brand: 'Fallow', category: 'Hubs' })
  await createPart(shop, { name: 'Rim', availableQuantity: 29, brand: '', category: 'Hubs' })
  await createPart(shop, { name: 'Axle', availableQuantity: 10 })
  const gone = { brand: 'Gone', category: 'Gone', deletedAt: new Date().toISOString() }
  await createPart(shop, { name: 'Old hub', availableQuantity: 0, ...gone })
  const names = async (stock: 'in stock' | 'low' | 'sold out', q = '') =>
    (await admin.listProducts({ body: { stock, q } })).rows.map((part) => part.name)
  expect(await names('in stock')).toEqual(['Chain'])
  expect(await names('low')).toEqual(['Rim', 'Axle'])
  expect(await names('sold out')).toEqual(['Hub'])
  expect([await names('low', 'hubs'), await names('sold out', 'hubs')]).toEqual([['Rim'], ['Hub']])
  expect(await admin.listPartSuggestions()).toEqual({
    brands: ['Fallow', 'Talon'],
    categories: ['Chains', 'Hubs'],
  })
})

test('updatePart keeps what another admin changed meanwhile, and rejects a field that both changed until it was seen', async () => {
  const { shop, admin, chain } = await setup()
  const partId = chain._id
  await shop.db.update(parts).set({ category: '' })
  const { _id, views, availableQuantity, ...seen } = await admin.readProduct({ params: { id: partId } })
  const form = { ...seen, availableQuantity, availableQuantityBefore: availableQuantity }
  const save = (change: object, before: object = seen) =>
    admin.updatePart({ params: { partId }, body: { ...form, ...change, before: { ...seen, ...before } } })
  await save({ perUnitPrice: 31, category: 'Brakes', priceBreaks: [{ quantity: 90, unitPrice: 5 }] })
  await save({ description: 'Quiet' })
  // Both meant the same.
  await save({ perUnitPrice: 31 })
  const stored = () => admin.readProduct({ params: { id: partId } })
  expect(await stored()).toMatchObject({
    perUnitPrice: 31,
    description: 'Quiet',
    category: 'Brakes',
    availableQuantity,
    priceBreaks: [{ quantity: 90, unitPrice: 5 }],
  })

  const message = 'Another admin changed this to “31”. Save again to replace it.'
  await expect(save({ perUnitPrice: 40, brand: 'Fallow' })).rejects.toMatchObject({
    status: 409,
    fields: { perUnitPrice: [message] },
  })
  expect(await stored()).toMatchObject({ perUnitPrice: 31, brand: chain.brand })
  await save({ perUnitPrice: 40, brand: 'Fallow' }, { perUnitPrice: 31 })
  expect(await stored()).toMatchObject({ perUnitPrice: 40, brand: 'Fallow', description: 'Quiet' })
})

test('updatePart rejects other pictures than those that were read', async () => {
  const { shop, admin, chain } = await setup()
  const [side, back] = ['/images/side.webp', '/images/back.webp']
  await shop.db.insert(pictures).values([{ url: side }, { url: back }])
  const { _id: partId, availableQuantity } = chain
  const stock = { availableQuantity, availableQuantityBefore: availableQuantity }
  const save = (views: string[], seen: string[]) =>
    admin.updatePart({ params: { partId }, body: { ...form, ...stock, views, before: { views: seen } } })
  await save([side], [])
  await expect(save([back], [])).rejects.toMatchObject({
    status: 409,
    fields: { views: ['Another admin changed this. Save again to replace it.'] },
  })
  await save([back], [side])
  expect((await admin.readProduct({ params: { id: partId } })).views).toEqual([back])
})

test('updatePart keeps the views unless the change includes them', async () => {
  const { shop, admin, visitor } = await setup()
  const views = ['/images/side.webp', '/images/chain.webp']
  await shop.db.insert(pictures).values({ url: '/images/side.webp' })
  const { insertedId: partId } = await admin.addPart({ body: { ...form, views } })
  const shown = async () => (await visitor.readPart({ params: { partId } })).views
  expect(await shown()).toEqual(views)
  expect((await visitor.listParts()).rows.map((part) => part.views)).toEqual([[], views])

  await admin.updatePart({ params: { partId }, body: form })
  expect(await shown()).toEqual(views)
  await admin.updatePart({ params: { partId }, body: { ...form, views: ['/images/chain.webp'] } })
  expect(await shown()).toEqual(['/images/chain.webp'])
  await admin.updatePart({ params: { partId }, body: { ...form, views: [] } })
  expect(await shown()).toEqual([])
})

test('addPart accepts a picture that another part shows as image or view', async () => {
  const { shop, admin } = await setup()
  await createPart(shop, {
    name: 'Hub',
    image: '/images/hub.webp',
    views: ['/images/a,"{}\\.webp', '/images/side.webp'],
  })
  const body = { ...form, image: '/images/side.webp', views: ['/images/hub.webp', '/images/a,"{}\\.webp'] }
  expect(await admin.addPart({ body })).toHaveProperty('insertedId')
})

test('addPart and updatePart reject a picture or view that was not uploaded', async () => {
  const { shop, admin, chain } = await setup()
  const message = 'Upload the photo first'
  const deletedAt = new Date().toISOString()
  await createPart(shop, { name: 'Gone', image: '/images/gone.webp', deletedAt })
  const others = ['http://169.254.169.254/', 'https://evil.example/x.png', 'data:image/png;base64,']
  for (const url of [...others, '/images/other.webp', '/images/gone.webp', '{}', '%']) {
    const views = ['/images/chain.webp', url]
    for (const [pictures, fields] of [
      [{ image: url }, { image: [message] }],
      [{ views }, { views: [message] }],
    ] as const) {
      const body = { ...form, ...pictures }
      const refused = { status: 400, fields }
      await expect(admin.addPart({ body }), url).rejects.toMatchObject(refused)
      const changed = admin.updatePart({ params: { partId: chain._id }, body })
      await expect(changed, url).rejects.toMatchObject(refused)
    }
  }
  const both = admin.addPart({ body: { ...form, image: '/images/x.webp', views: ['/images/y.webp'] } })
  await expect(both).rejects.toMatchObject({ fields: { image: [message], views: [message] } })
})

test('addPart accepts at most seven views, each of them a URL', async () => {
  const { admin } = await setup()
  const seven = Array.from({ length: 7 }, () => '/images/chain.webp')
  expect(await admin.addPart({ body: { ...form, views: seven } })).toHaveProperty('insertedId')
  for (const [views, message] of [
    [[...seven, '/images/chain.webp'], 'At most 7 photos'],
    [7, 'Must be a list of photos'],
    [[''], 'Image is required'],
    [[7], 'Image is required'],
    [[null], 'Image is required'],
    [['x'.repeat(501)], 'At most 500 characters'],
  ] as [never, string][]) {
    const added = admin.addPart({ body: { ...form, name: 'Hub', views } })
    await expect(added, message).rejects.toMatchObject({ status: 400, fields: { views: [message] } })
  }
})

test('updatePart applies a repeated request with the same key once', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const { _id: partId, image, ...rest } = await createPart(shop, { availableQuantity: 50 })
  const { name, shortDescription, description, minQuantity, perUnitPrice } = rest
  const params = { partId }
  const form = { name, shortDescription, description, minQuantity, perUnitPrice, image }
  const body = { ...form, availableQuantity: 90, availableQuantityBefore: 50 }
  const answer = await admin.updatePart({ params, body, key: 'arrived' })
  // Without the key, the repeat would be a conflict after this change of stock.
  await shop.db.update(parts).set({ availableQuantity: 80 }).where(eq(parts._id, partId))
  expect(await admin.updatePart({ params, body, key: 'arrived' })).toEqual(answer)
  expect(await readStock(shop, { _id: partId })).toBe(80)
  const other = admin.updatePart({ params, body: { ...body, availableQuantity: 91 }, key: 'arrived' })
  await expect(other).rejects.toMatchObject({ status: 409 })
})

test('a part whose stock is above the limit can be edited, and its stock lowered but not raised', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const stock = 1_000_500
  const part = await createPart(shop, { availableQuantity: stock })
  const { name, shortDescription, description, minQuantity, perUnitPrice, image } = part
  const form = { name, shortDescription, description, minQuantity, perUnitPrice, image }
  const update = (availableQuantity: number) =>
    admin.updatePart({
      params: { partId: part._id },
      body: { ...form, description: 'New', availableQuantity, availableQuantityBefore: stock },
    })
  expect(await update(stock)).toEqual({ modifiedCount: 1 })
  await expect(update(stock + 1)).rejects.toMatchObject({
    fields: { availableQuantity: ['At most 1,000,000'] },
  })
  expect(await update(1_000_000)).toEqual({ modifiedCount: 1 })
})

test('the Idempotency-Key of a restock that was refused can be reused', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const { _id: partId } = await createPart(shop, { availableQuantity: 999_000 })
  const restock = (arrived: number) =>
    admin.restockPart({ params: { partId }, body: { arrived }, key: 'once' })
  await expect(restock(2_000)).rejects.toMatchObject({ status: 400 })
  expect(await restock(1_000)).toEqual({ availableQuantity: 1_000_000 })
})

test('restockPart adds to the current stock, once per key', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const { _id: partId } = await createPart(shop, { availableQuantity: 50 })
  const params = { partId }
  const restock = (arrived: number, key?: string) =>
    admin.restockPart({ params, body: { arrived }, ...(key && { key }) })

  expect(await restock(40, 'once')).toEqual({ availableQuantity: 90 })
  expect(await restock(40, 'again')).toEqual({ availableQuantity: 130 })
  await shop.db.update(parts).set({ availableQuantity: 80 })
  expect(await restock(40, 'once')).toEqual({ availableQuantity: 90 })
  // The same key and body for another part are another request.
  const { _id: other } = await createPart(shop, { name: 'Hub', availableQuantity: 1 })
  const ofOther = await admin.restockPart({ params: { partId: other }, body: { arrived: 40 }, key: 'new' })
  expect(ofOther).toEqual({ availableQuantity: 41 })
  expect(await readStock(shop, { _id: partId })).toBe(80)
  await Promise.all(Array.from({ length: 20 }, () => restock(1)))
  expect(await readStock(shop, { _id: partId })).toBe(100)

  await expect(restock(999_901)).rejects.toMatchObject({
    status: 400,
    fields: { arrived: ['Enter at most 999,900: 100 are already in stock'] },
  })
  expect(await restock(999_900)).toEqual({ availableQuantity: 1_000_000 })
  await expect(restock(1)).rejects.toMatchObject({ status: 400 })
  await shop.db.update(parts).set({ availableQuantity: 100 })
  for (const arrived of [0, -5, 1.5]) await expect(restock(arrived)).rejects.toMatchObject({ status: 400 })
  const unknown = admin.restockPart({ params: { partId: 'nothing' }, body: { arrived: 1 } })
  await expect(unknown).rejects.toMatchObject({ status: 404 })
  await deleteProduct(shop, commandLine, partId)
  await expect(restock(1)).rejects.toMatchObject({ status: 404 })
  expect(await readStock(shop, { _id: partId })).toBe(100)
})

test('listPartIds has 10,000 numbers a page, and pages without parts are not listed', async () => {
  const shop = await testShop()
  expect(await listPartIdPages(shop)).toEqual([])
  const created = []
  for (const [i, number] of [9_999, 10_000, 29_999, 40_000].entries()) {
    const part = await createPart(shop, { name: `Part ${i}` })
    await shop.db.update(parts).set({ number }).where(eq(parts._id, part._id))
    created.push(part._id)
  }
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString() }).where(eq(parts._id, created[3]!))
  expect(await listPartIdPages(shop)).toEqual([1, 2, 3])
  const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => listPartIds(shop, page)))
  expect(pages).toEqual([[created[0]], [created[1]], [created[2]], [], []])
})

test('restockParts adds to several parts or, when one is too much, to none', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const [chain, hub] = [await createPart(shop), await createPart(shop, { name: 'Hub' })]
  const arrivals = (hubs: number) => [
    { partId: chain._id, arrived: 5 },
    { partId: hub._id, arrived: hubs },
  ]
  const rejected = admin.restockParts({ body: { arrivals: arrivals(999_999) } })
  await expect(rejected).rejects.toMatchObject({
    fields: { 'arrivals.1.arrived': [expect.stringMatching(/^Hub: Enter at most 999,950/)] },
  })
  expect([await readStock(shop, chain), await readStock(shop, hub)]).toEqual([50, 50])
  const request = { body: { arrivals: arrivals(7) }, key: 'k' }
  await admin.restockParts(request)
  expect(await admin.restockParts(request)).toEqual({ modifiedCount: 2 })
  expect([await readStock(shop, chain), await readStock(shop, hub)]).toEqual([55, 57])
  await admin.deleteProduct({ params: { id: hub._id } })
  await expect(admin.restockParts({ body: { arrivals: arrivals(8) } })).rejects.toMatchObject({
    status: 400,
    message: 'Hub was deleted. Leave its quantity empty',
  })
  expect(await readStock(shop, chain)).toBe(55)
})
