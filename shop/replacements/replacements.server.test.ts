import { expect, test } from 'vitest'
import { writeInterfaces } from '#shop/fit/part-interfaces.server.ts'
import { findParts } from '#shop/parts/search.server.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { startReplacements } from './replace.server.ts'
import { readFormerPart, readReplacementFacts } from './replacements.server.ts'

async function createScene() {
  const shop = await testShop()
  const [old, next, newest] = [
    await createPart(shop, { name: 'Chain 11', partNumber: 'WW-CN11' }),
    await createPart(shop, { name: 'Chain 12', partNumber: 'WW-CN12' }),
    await createPart(shop, { name: 'Chain 13', partNumber: 'WW-CN13' }),
  ]
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  const replace = (
    part: { _id: string },
    by: { _id: string },
    startsOn = '2026-01-02',
    kind: 'direct' | 'with changes' = 'direct',
  ) =>
    admin.replacePart({
      params: { partId: part._id },
      body: { byId: by._id, startsOn, kind, note: `By ${kind}.` },
    })
  return { shop, old, next, newest, admin, customer, replace }
}

test('a part that is replaced is neither listed nor sold, and its unpaid order stays', async () => {
  const { shop, old, next, admin, customer, replace } = await createScene()
  const order = await customer.placePurchase({ body: { ...purchase, partId: old._id, quantity: 10 } })
  await replace(old, next)
  expect((await admin.listProducts({})).rows.map(({ name }) => name)).toEqual(['Chain 12', 'Chain 13'])
  const message =
    /WW-CN11 was replaced by WW-CN12 on 2 January 2026: direct replacement\. By direct\. Order WW-CN12 instead\./
  const body = { ...purchase, lines: [{ partId: old._id, quantity: 10, price: 70 }] }
  await expect(customer.placeOrder({ body })).rejects.toThrow(message)
  const { perUnitPrice, minQuantity, multiple, priceBreaks } = old
  const seen = { perUnitPrice, minQuantity, multiple, priceBreaks }
  const items = [{ partId: old._id, quantity: 10, seen }]
  await expect(customer.addToBasket({ body: { items } })).rejects.toThrow(message)
  expect((await customer.readPurchase({ params: { id: order._id } })).paid).toBe(false)
  expect(await readReplacementFacts(shop, next._id)).toEqual({ replacedNumbers: ['WW-CN11'], plan: null })
})

test('a chain of replacements leads to the part that is sold now, and keeps the first day and all notes', async () => {
  const { shop, old, next, newest, customer, replace } = await createScene()
  await replace(old, next)
  await replace(next, newest, '2026-02-03', 'with changes')
  const replaced = {
    partNumber: 'WW-CN11',
    startsOn: '2026-01-02',
    kind: 'with changes',
    note: 'By direct. By with changes.',
  }
  expect((await readFormerPart(shop, old._id))?.replaced).toMatchObject({ ...replaced, byId: newest._id })
  const found = await customer.lookUpParts({ body: { ids: [old._id], texts: ['ww cn12'] } })
  expect(found).toMatchObject([
    { partNumber: 'WW-CN13', replaces: [{ partNumber: 'WW-CN12' }, { ...replaced, partId: old._id }] },
  ])
})

test('a search for the number of a part that is replaced finds the new one first', async () => {
  const { shop, old, newest, replace } = await createScene()
  await replace(old, newest)
  for (const q of ['WW-CN11', 'wwcn11', 'CN11', 'chain WW-CN11']) {
    const { rows, isFuzzy } = await findParts(shop, { q })
    expect({ q, isFuzzy, first: rows[0]?.partNumber }).toEqual({ q, isFuzzy: false, first: 'WW-CN13' })
  }
})

test('a number that a part for sale has again leads to that part', async () => {
  const { shop, old, next, customer, replace } = await createScene()
  await replace(old, next)
  await createPart(shop, { name: 'Another', partNumber: 'WW-CN11' })
  const found = await customer.lookUpParts({ body: { texts: ['WW-CN11'] } })
  expect(found).toMatchObject([{ name: 'Another', replaces: [] }])
})

test('a circle, the part itself and a part that is not sold are refused', async () => {
  const { old, next, newest, admin, replace } = await createScene()
  await replace(old, next, '2099-01-01')
  await replace(next, newest, '2099-01-01')
  await expect(replace(newest, old)).rejects.toMatchObject({
    status: 400,
    message: 'WW-CN11 is itself replaced by WW-CN13, directly or through other parts. Choose another one.',
  })
  await expect(replace(old, old)).rejects.toMatchObject({ status: 400, fields: { byId: expect.anything() } })
  await admin.deleteProduct({ params: { id: newest._id } })
  await expect(replace(old, newest)).rejects.toMatchObject({ status: 400 })
})

test('a planned replacement starts on its day, and removing it makes the part sold again', async () => {
  const { shop, old, next, admin, replace } = await createScene()
  await replace(old, next, '2099-01-02')
  const names = async () =>
    (await findParts(shop, { q: 'chain' })).rows.map(({ partNumber }) => partNumber).sort()
  const all = ['WW-CN11', 'WW-CN12', 'WW-CN13']
  expect(await readReplacementFacts(shop, old._id)).toMatchObject({
    plan: { byNumber: 'WW-CN12', startsOn: '2099-01-02' },
  })
  await startReplacements(shop, Date.parse('2099-01-01T23:59:00Z'))
  expect(await names()).toEqual(all)
  await startReplacements(shop, Date.parse('2099-01-02T00:01:00Z'))
  expect(await names()).toEqual(['WW-CN12', 'WW-CN13'])
  expect((await admin.listReplacements({ body: { q: 'cn12' } })).rows).toMatchObject([
    { partNumber: 'WW-CN11', started: true },
  ])
  await admin.removeReplacement({ params: { partId: old._id } })
  expect(await names()).toEqual(all)
  expect((await admin.listReplacements({})).rows).toEqual([])
})

test('moving the day to later makes the part sold again, and a taken name prevents that', async () => {
  const { shop, old, next, admin, replace } = await createScene()
  await replace(old, next)
  await replace(old, next, '2099-01-02')
  expect(await admin.readProduct({ params: { id: old._id } })).toMatchObject({ partNumber: 'WW-CN11' })
  await replace(old, next)
  await createPart(shop, { name: 'chain 11', partNumber: 'WW-X' })
  await expect(admin.removeReplacement({ params: { partId: old._id } })).rejects.toMatchObject({
    status: 409,
    message: 'Chain 11 can’t be sold again: chain 11 (WW-X) has its name or number now.',
  })
})

test('a part that an admin has deleted stays deleted when its replacement is removed', async () => {
  const { shop, old, next, admin, replace } = await createScene()
  await replace(old, next, '2099-01-02')
  await admin.deleteProduct({ params: { id: old._id } })
  const former = await readFormerPart(shop, old._id)
  expect(former?.replaced).toMatchObject({ byNumber: 'WW-CN12' })
  expect(former!.replaced!.startsOn < '2099').toBe(true)
  await admin.removeReplacement({ params: { partId: old._id } })
  expect((await readFormerPart(shop, old._id))?.replaced).toBeNull()
})

test('replacements are exported and imported as part data, with errors in their columns, all or nothing', async () => {
  const { old, next, admin, replace } = await createScene()
  await replace(old, next, '2099-01-02')
  const header = 'Part number,Kind,Name,Value,Source,Date,Note'
  const line = 'WW-CN11,replaced by,direct,WW-CN12,,2099-01-02,By direct.'
  const csv = async () => (await (await admin.exportPartData({ body: { format: 'csv' } })).text()).trim()
  expect((await csv()).split(/\r?\n/)[1]).toBe(line)
  const unchanged = await admin.previewPartData({ body: { csv: await csv() } })
  expect(unchanged).toMatchObject({ errors: 0, unchanged: 1 })
  const wrong = [
    'WW-CN12,replaced by,direct,WW-CN11,,2099-01-02,',
    'WW-CN13,replaced by,maybe,WW-CN12,,2099-01-02,',
    'WW-CN13,replaced by,direct,WW-NONE,,2099-01-02,',
  ]
  for (const [i, column] of ['Value', 'Name', 'Value'].entries()) {
    const { rows } = await admin.previewPartData({ body: { csv: [header, wrong[i]].join('\n') } })
    expect(rows).toMatchObject([{ kind: 'error', errors: [{ column }] }])
  }
  // Turned around.
  const turned = [
    header,
    'WW-CN11,replaced by,,,,,',
    'WW-CN12,replaced by,with changes,WW-CN11,,2099-05-06,New',
  ]
  const body = { csv: turned.join('\n') }
  const { digest } = await admin.previewPartData({ body })
  expect(await admin.importPartData({ body: { ...body, digest } })).toMatchObject({ added: 1, removed: 1 })
  expect((await admin.listReplacements({})).rows).toMatchObject([
    { partId: next._id, by: { partId: old._id }, kind: 'with changes', startsOn: '2099-05-06', note: 'New' },
  ])
})

test('whatever leads to a new part says whether it fits where the old one did', async () => {
  const { shop, old, next, customer, replace } = await createScene()
  const state = async ({ _id }: { _id: string }, text: string) =>
    writeInterfaces(shop.db, [
      { partId: _id, interface: text, role: 'needs', source: 'Data sheet', date: '2026-11-02' },
    ])
  await state(old, 'chain:11;family=HG')
  await state(next, 'chain:12;family=HG')
  const fit = 'Differs: chain speeds 12 instead of 11.'
  await replace(old, next, '2099-01-02')
  expect((await readReplacementFacts(shop, old._id)).plan, 'before its day').toMatchObject({ fit })
  await replace(old, next)
  expect((await readFormerPart(shop, old._id))?.replaced).toMatchObject({ fit })
  expect(await customer.lookUpParts({ body: { texts: ['WW-CN11'] } })).toMatchObject([
    { partNumber: 'WW-CN12', replaces: [{ fit }] },
  ])
  const body = { ...purchase, lines: [{ partId: old._id, quantity: 10, price: 70 }] }
  await expect(customer.placeOrder({ body })).rejects.toThrow(`direct replacement. ${fit} By direct.`)
})
