import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { orderLines, parts } from '#db/schema.ts'
import { setCurrency } from '#shop/money.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { priceChange } from './price-change.ts'

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const chain = await createPart(shop, { perUnitPrice: 9 })
  const breaks = [
    { quantity: 20, unitPrice: 80 },
    { quantity: 40, unitPrice: 60 },
  ]
  const hub = await createPart(shop, {
    name: 'Hub',
    category: 'Hubs',
    perUnitPrice: 110,
    priceBreaks: breaks,
  })
  const tight = [{ quantity: 20, unitPrice: 49 }]
  const rim = await createPart(shop, { name: 'Rim', category: 'Rims', perUnitPrice: 50, priceBreaks: tight })
  const prices = async () => {
    const rows = await shop.db.select().from(parts).orderBy(parts.number)
    return rows.map(({ perUnitPrice, priceBreaks }) => [
      perUnitPrice,
      ...priceBreaks.map(({ unitPrice }) => unitPrice),
    ])
  }
  return { shop, admin, chain, hub, rim, prices }
}

test('previewPrices shows old and new prices with rounding, and parts whose price breaks would become equal', async () => {
  const { shop, admin, prices } = await setup()
  const preview = await admin.previewPrices({ body: { percent: '5' } })
  expect(preview).toMatchObject({ changed: 2, unchanged: 1, problems: 0 })
  expect(preview.rows.map(({ name, after, exact }) => [name, after.perUnitPrice, exact])).toEqual([
    ['Hub', 116, 115.5],
    ['Rim', 53, 52.5],
    ['Chain', 9, 9.45],
  ])
  expect(preview.rows[0]!.after.priceBreaks.map(({ unitPrice }) => unitPrice)).toEqual([84, 63])

  const lower = await admin.previewPrices({ body: { percent: -60 } })
  expect(lower.rows[0]).toMatchObject({ name: 'Rim', after: { perUnitPrice: 50 } })
  expect(lower.rows[0]!.problem).toMatch(/^Two price breaks/)
  const named = async (q: string, category: string) =>
    (await admin.previewPrices({ body: { percent: 10, q, category } })).rows.map(({ name }) => name)
  expect([await named('hub', 'Hubs'), await named('hub', 'Chains')]).toEqual([['Hub'], []])
  const filtered = async (filter: { brand?: string; stock?: 'sold out' }) =>
    (await admin.previewPrices({ body: { percent: 10, ...filter } })).rows.map(({ name }) => name)
  await createPart(shop, { name: 'Bell', brand: 'Fallow', category: 'Bells', availableQuantity: 0 })
  await createPart(shop, { name: 'Gone', brand: 'Fallow', deletedAt: new Date().toISOString() })
  expect([await filtered({ brand: 'Fallow' }), await filtered({ stock: 'sold out' })]).toEqual([
    ['Bell'],
    ['Bell'],
  ])
  const much = await admin.previewPrices({ body: { amount: -9, category: 'Chains' } })
  expect(much.rows).toMatchObject([{ name: 'Chain', problem: 'A price would be less than $1.' }])
  expect(await prices()).toEqual([[9], [110, 80, 60], [50, 49], [7], [7]])
})

test('a price may become exactly $1 or $999,999', async () => {
  const { admin } = await setup()
  const change = async (body: { percent?: number; amount?: number }) => {
    const { rows } = await admin.previewPrices({ body: { ...body, category: 'Chains' } })
    return [rows[0]!.after.perUnitPrice, rows[0]!.exact, rows[0]!.problem]
  }
  expect(await change({ amount: -8 })).toEqual([1, 1, null])
  expect(await change({ amount: 999_990 })).toEqual([999_999, 999_999, null])
  expect(await change({ amount: 999_991 })).toEqual([9, 1_000_000, expect.stringContaining('$999,999')])
  expect(await change({ percent: 128.1 })).toEqual([21, 20.529, null])
  expect(await change({ percent: -0.1 })).toEqual([9, 8.991, null])
  await expect(admin.changePrices({ body: { percent: 0.05, digest: '-' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('changePrices changes what the preview showed, of the chosen parts alone, and placed orders keep theirs', async () => {
  const { shop, admin, chain, prices } = await setup()
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  await ada.placePurchase({ body: { ...purchase, partId: chain._id, quantity: 10 } })
  type Change = { percent?: number; amount?: number; q?: string; category?: string; ids?: string }
  const change = async (body: Change) => {
    const { digest } = await admin.previewPrices({ body })
    return admin.changePrices({ body: { ...body, digest } })
  }
  expect(await change({ percent: 5, q: 'hub' })).toEqual({ modifiedCount: 1 })
  expect(await change({ amount: 3, ids: chain._id })).toEqual({ modifiedCount: 1 })
  expect(await prices()).toEqual([[12], [116, 84, 63], [50, 49]])
  expect(await change({ percent: -60 })).toEqual({ modifiedCount: 2 })
  expect(await prices()).toEqual([[5], [46, 34, 25], [50, 49]])
  const [line] = await shop.db.select().from(orderLines)
  expect(line).toMatchObject({ unitPrice: 9, price: 90 })
})

test('changePrices changes nothing when a part has changed since the preview, and once per key', async () => {
  const { shop, admin, hub, prices } = await setup()
  const { digest } = await admin.previewPrices({ body: { percent: 10 } })
  await shop.db.update(parts).set({ perUnitPrice: 111 }).where(eq(parts._id, hub._id))
  const outdated = admin.changePrices({ body: { percent: 10, digest } })
  await expect(outdated).rejects.toMatchObject({ status: 409 })
  expect(await prices()).toEqual([[9], [111, 80, 60], [50, 49]])

  const preview = await admin.previewPrices({ body: { percent: 10 } })
  const request = { body: { percent: 10, digest: preview.digest }, key: 'k' }
  expect(await admin.changePrices(request)).toEqual({ modifiedCount: 3 })
  expect(await admin.changePrices(request)).toEqual({ modifiedCount: 3 })
  expect(await prices()).toEqual([[10], [122, 88, 66], [55, 54]])
})

test('previewPrices rejects a change that is missing, double or no number', async () => {
  const { admin } = await setup()
  for (const body of [{}, { percent: 5, amount: 1 }, { percent: 'five' }, { percent: 0.05 }, { amount: 1.5 }])
    await expect(admin.previewPrices({ body })).rejects.toMatchObject({ status: 400 })
})

test('an amount that is missing is asked for in the currency of the shop', () => {
  const messageIn = (currency: string) => {
    setCurrency(currency)
    return priceChange.safeParse({ amount: '' }).error?.issues[0]?.message
  }
  onTestFinished(() => setCurrency('USD'))
  expect(messageIn('USD')).toBe('Enter an amount in whole dollars, such as 2 or -1')
  expect(messageIn('EUR')).toBe('Enter an amount in whole euros, such as 2 or -1')
})
