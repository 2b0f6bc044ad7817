import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orderLines, parts } from '#db/schema.ts'
import { loseRace } from '#test/locks.ts'
import { clientOf, createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'
import { findParts } from './search.server.ts'

const form = {
  name: 'Rotor',
  shortDescription: 'Six-bolt',
  description: 'Stops quietly.',
  minQuantity: 36,
  availableQuantity: 500,
  perUnitPrice: 26,
  image: '/images/chain.webp',
}
const rules = {
  multiple: 6,
  cartonSize: 12,
  priceBreaks: [
    { quantity: 48, unitPrice: 24 },
    { quantity: 240, unitPrice: 22 },
  ],
}

async function setup() {
  const shop = await testShop()
  const chain = await createPart(shop)
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  const add = async (body: Partial<Parameters<typeof admin.addPart>[0]['body']> = {}) => {
    const { insertedId: partId } = await admin.addPart({ body: { ...form, ...body } })
    return ada.readPart({ params: { partId } })
  }
  return { shop, chain, admin, ada, add }
}

test('a part without rules in the request gets a generated number, a multiple of 1, no carton and no price breaks', async () => {
  const { add, chain } = await setup()
  const part = await add()
  expect(part).toMatchObject({ multiple: 1, cartonSize: null, priceBreaks: [] })
  expect(part.partNumber).toMatch(/^WW-\d{4,}$/)
  expect(part.partNumber).not.toBe(chain.partNumber)
})

test('generated part numbers skip those that admins have entered, and start with the prefix of the brand', async () => {
  const { shop, add } = await setup()
  const { partNumber } = await add()
  const next = Number(partNumber.replace('WW-', '')) + 1
  await add({ name: 'Bell', partNumber: `ww-${next}` })
  expect(await add({ name: 'Horn' })).toMatchObject({ partNumber: `WW-${next + 1}` })
  shop.partNumberPrefix = 'P/'
  expect(await add({ name: 'Lamp' })).toMatchObject({ partNumber: `P/${next + 2}` })
})

test('part numbers are kept as typed, trimmed, and unique without regard to case until the part is deleted', async () => {
  const { add, admin } = await setup()
  const part = await add({ partNumber: '  Ro-160/A.1 ' })
  expect(part.partNumber).toBe('Ro-160/A.1')
  const taken = (partNumber: string) => ({
    status: 409,
    fields: { partNumber: [`Another part already has the number ${partNumber}. Choose another number.`] },
  })
  await expect(add({ name: 'Bell', partNumber: 'RO-160/a.1' })).rejects.toMatchObject(taken('RO-160/a.1'))
  const bell = await add({ name: 'Bell', partNumber: 'RO160A1' })
  const params = { partId: bell._id }
  const renumber = (partNumber: string) =>
    admin.updatePart({ params, body: { ...form, name: 'Bell', partNumber } })
  await expect(renumber('ro-160/A.1')).rejects.toMatchObject(taken('ro-160/A.1'))
  expect(await renumber('ro160a1')).toEqual({ modifiedCount: 1 })
  await admin.deleteProduct({ params: { id: part._id } })
  expect(await renumber('RO-160/A.1')).toEqual({ modifiedCount: 1 })
})

test('whoever loses a part number is told at the number, whether adding or renumbering', async () => {
  const { shop, chain, admin } = await setup()
  const { _id, number, ...copy } = chain
  const body = { ...form, partNumber: 'RO-1', availableQuantity: 50 }
  const outcomes = await loseRace<unknown>(
    shop,
    (tx) => tx.insert(parts).values({ ...copy, name: 'Bell', partNumber: 'ro-1' }),
    [() => admin.addPart({ body }), () => admin.updatePart({ params: { partId: chain._id }, body })],
  )
  const message = 'Another part already has the number RO-1. Choose another number.'
  const refused = { status: 'rejected', reason: { status: 409, fields: { partNumber: [message] } } }
  expect(outcomes).toMatchObject([refused, refused])
})

test('updatePart keeps the rules that a change leaves out, and removes a carton and price breaks on request', async () => {
  const { add, admin, ada } = await setup()
  const part = await add({ ...rules, partNumber: 'RO-1' })
  expect(part).toMatchObject(rules)
  const params = { partId: part._id }
  const read = () => ada.readPart({ params })
  await admin.updatePart({ params, body: form })
  expect(await read()).toMatchObject({ ...rules, partNumber: 'RO-1' })
  await admin.updatePart({ params, body: { ...form, partNumber: ' ', cartonSize: '', priceBreaks: [] } })
  expect(await read()).toMatchObject({ partNumber: 'RO-1', multiple: 6, cartonSize: null, priceBreaks: [] })
  await admin.updatePart({ params, body: { ...form, cartonSize: '24', multiple: '1' } })
  await admin.updatePart({ params, body: { ...form, cartonSize: null } })
  expect(await read()).toMatchObject({ multiple: 1, cartonSize: null })
})

test('addPart rejects rules that contradict each other, at the field', async () => {
  const { add } = await setup()
  const breaks = (...list: [quantity: number, unitPrice: number][]) => ({
    priceBreaks: list.map(([quantity, unitPrice]) => ({ quantity, unitPrice })),
  })
  for (const [body, fields] of [
    [breaks([36, 24]), { 'priceBreaks.0.quantity': ['Must be more than 36'] }],
    [breaks([48, 26]), { 'priceBreaks.0.unitPrice': ['Must be less than $26'] }],
    [breaks([48, 24], [48, 22]), { 'priceBreaks.1.quantity': ['Must be more than 48'] }],
    [breaks([48, 24], [60, 24]), { 'priceBreaks.1.unitPrice': ['Must be less than $24'] }],
    [{ ...breaks([50, 24]), multiple: 6 }, { 'priceBreaks.0.quantity': ['Must be a multiple of 6'] }],
    [
      { ...breaks([36, 24]), minQuantity: 31, multiple: 6 },
      { 'priceBreaks.0.quantity': ['Must be more than 36'] },
    ],
    [{ cartonSize: 10, multiple: 6 }, { cartonSize: ['Must be a multiple of 6'] }],
    [
      { minQuantity: 700_000, multiple: 600_000 },
      {
        multiple: [
          'With this minimum and multiple, the smallest possible order is 1,200,000, but at most 1,000,000 can be in stock. Choose a smaller multiple.',
        ],
      },
    ],
    [{ cartonSize: 1 }, { cartonSize: ['At least 2'] }],
    [{ multiple: 0 }, { multiple: ['At least 1'] }],
    [
      { multiple: '' },
      { multiple: ['Enter a whole number. Use 1 to allow any quantity from the minimum up.'] },
    ],
    [breaks([48.5, 24]), { 'priceBreaks.0.quantity': ['Whole numbers only'] }],
    [breaks([48, 0]), { 'priceBreaks.0.unitPrice': ['At least 1'] }],
    [{ partNumber: 'Ro 1' }, { partNumber: ['Use only A to Z, digits, dashes, dots and slashes'] }],
    [{ partNumber: '-/.' }, { partNumber: ['Use only A to Z, digits, dashes, dots and slashes'] }],
  ] as [object, object][])
    await expect(add(body), JSON.stringify(body)).rejects.toMatchObject({ status: 400, fields })
  expect(await add(rules)).toMatchObject(rules)
  const largest = { minQuantity: 1_000_000, multiple: 500_000 }
  expect(await add({ name: 'Bolt', ...largest })).toMatchObject(largest)
})

test('updatePart rejects a change that contradicts a rule that it keeps', async () => {
  const { add, admin, ada } = await setup()
  const part = await add(rules)
  const params = { partId: part._id }
  for (const [change, fields] of [
    [{ perUnitPrice: 24 }, { 'priceBreaks.0.unitPrice': ['Must be less than $24'] }],
    [{ minQuantity: 48 }, { 'priceBreaks.0.quantity': ['Must be more than 48'] }],
    [{ multiple: 24 }, { cartonSize: ['Must be a multiple of 24'] }],
    [{ multiple: 5, cartonSize: null }, { 'priceBreaks.0.quantity': ['Must be a multiple of 5'] }],
  ] as [object, object][]) {
    const refused = admin.updatePart({ params, body: { ...form, ...change } })
    await expect(refused, JSON.stringify(change)).rejects.toMatchObject({ status: 400, fields })
  }
  expect(await ada.readPart({ params })).toMatchObject({ ...rules, perUnitPrice: 26 })
})

test('placePurchase charges the unit price of the break, keeps it with the order and rejects what is between two multiples', async () => {
  const { shop, ada, add } = await setup()
  const { _id: partId } = await add(rules)
  const place = (quantity: number, price?: number) =>
    ada.placePurchase({ body: { ...purchase, partId, quantity, ...(price && { price }) } })
  expect(await place(42)).toMatchObject({ price: 42 * 26 })
  const atBreak = await place(48, 48 * 24)
  expect(atBreak).toMatchObject({ price: 48 * 24 })
  await expect(place(48, 48 * 26)).rejects.toMatchObject({ status: 409, message: 'The price is now $1,152.' })
  const message = 'Order in multiples of 6: 48 or 54.'
  await expect(place(50)).rejects.toMatchObject({ status: 400, fields: { quantity: [message] } })
  expect(await readStock(shop, { _id: partId })).toBe(410)
  const [stored] = await shop.db.select().from(orderLines).where(eq(orderLines._id, atBreak._id))
  expect(stored).toMatchObject({ unitPrice: 24, quantity: 48, price: 1_152 })
})

test('a first order of the lowest quantity may exceed the value of unpaid orders, also above the minimum', async () => {
  const shop = await testShop({ rateLimits: true })
  const buyer = await createUser(shop, 'Ada', 'customer', { confirmed: false })
  const part = await createPart(shop, {
    minQuantity: 10,
    multiple: 12,
    perUnitPrice: 900,
    availableQuantity: 500,
  })
  const client = await clientOf(shop, buyer)
  const place = (quantity: number) =>
    client.placePurchase({ body: { ...purchase, partId: part._id, quantity } })
  await expect(place(24)).rejects.toMatchObject({ status: 429 })
  expect(await place(12)).toMatchObject({ price: 10_800 })
})

test('a part with less than its lowest quantity in stock counts as sold out in filters and facets', async () => {
  const { shop, admin } = await setup()
  await shop.db.update(parts).set({ multiple: 12, availableQuantity: 35 })
  const found = async (stock: 'in stock' | 'low' | 'sold out') =>
    (await admin.listProducts({ body: { stock } })).total
  const levels = async () => [await found('in stock'), await found('low'), await found('sold out')]
  const available = async () => (await findParts(shop)).facets.available
  expect([await levels(), await available()]).toEqual([[0, 1, 0], 1])
  await shop.db.update(parts).set({ availableQuantity: 36 })
  expect([await levels(), await available()]).toEqual([[1, 0, 0], 1])
  await shop.db.update(parts).set({ availableQuantity: 11 })
  expect([await levels(), await available()]).toEqual([[0, 0, 1], 0])
})
