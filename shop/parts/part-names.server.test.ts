import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findByText } from '#shop/basket/list/find-parts.ts'
import { placeOrder } from '#shop/orders/place/place.server.ts'
import { listPurchases } from '#shop/orders/read/lists.server.ts'
import { testDatabase } from '#test/database.ts'
import { createPart, createUser, purchase, type TestShop, testShop } from '#test/shop.ts'
import { listParts, lookUpParts } from './parts.server.ts'
import { previewPrices } from './prices.server.ts'
import { findParts } from './search.server.ts'

interface Cases {
  names: string[]
  queries: { name: string; find: string[] }[]
}
const { names, queries } = JSON.parse(readFileSync('test/world/part-names.json', 'utf8')) as Cases

let known: TestShop | undefined

/** All names, each as a part that was ordered. Tests only read it; after one has failed, the next gets another one. */
async function openShop(): Promise<TestShop> {
  const { db } = await testDatabase()
  if (known?.db !== db) known = await setupShop()
  return known
}

async function setupShop() {
  const shop = await testShop()
  const customer = await createUser(shop, 'Ada')
  const all = [...new Set([...names, ...queries.map(({ name }) => name)])]
  const texts = { shortDescription: 'Forged', description: 'Forged.', brand: '', category: '' }
  const lines: { partId: string; quantity: number }[] = []
  for (const name of all) {
    const part = await createPart(shop, { ...texts, name, minQuantity: 1, availableQuantity: 1_000 })
    lines.push({ partId: part._id, quantity: 1 })
  }
  while (lines.length > 0) await placeOrder(shop, customer, { ...purchase, lines: lines.splice(0, 20) })
  return shop
}

/** The names that each search of the shop finds. */
const searches: Record<string, (shop: TestShop, q: string) => Promise<string[]>> = {
  catalogue: async (shop, q) => (await findParts(shop, { q, limit: 100 })).rows.map(({ name }) => name),
  products: async (shop, q) => (await listParts(shop, { q, limit: 100 })).rows.map(({ name }) => name),
  prices: async (shop, q) => (await previewPrices(shop, { q, percent: 5 })).rows.map(({ name }) => name),
  orders: async (shop, q) => (await listPurchases(shop, { q, limit: 200 })).rows.map(({ parts }) => parts),
}

const beginningsOf = (name: string) => {
  const letters = [...name]
  return letters.slice(2).map((_, i) =>
    letters
      .slice(0, i + 2)
      .join('')
      .trim(),
  )
}
const wholesOf = (name: string) => [name, name.toUpperCase(), name.toLowerCase()]

test.for(names)('the name %s finds its part first in the catalogue', async (name) => {
  const shop = await openShop()
  for (const q of wholesOf(name)) expect((await searches.catalogue!(shop, q))[0], q).toBe(name)
})

/** Words and numbers, each by itself. */
const piecesOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|\p{Cf}/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('×', 'x')
    .replaceAll('ı', 'i')
    .match(/\d+|[^\P{L}\d]+/gu) ?? []

const sharesWords = (name: string, q: string) =>
  piecesOf(q).every((piece) => piecesOf(name).some((other) => other.startsWith(piece)))

test.for(names)('each word and beginning of %s finds it among those that share it', async (name) => {
  const shop = await openShop()
  const before: string[] = []
  for (const q of new Set([...name.split(/\s+/), ...beginningsOf(name)])) {
    const found = await searches.catalogue!(shop, q)
    const others = found.slice(0, found.indexOf(name)).filter((other) => !sharesWords(other, q))
    before.push(...others.map((other) => `${q}: ${other}`))
  }
  expect(before).toEqual([])
})

test.for(names)('each word and beginning of %s finds its part everywhere', async (name) => {
  const shop = await openShop()
  const missing: string[] = []
  for (const q of new Set([...wholesOf(name), ...name.split(/\s+/), ...beginningsOf(name)]))
    for (const [place, find] of Object.entries(searches))
      if (!(await find(shop, q)).includes(name)) missing.push(`${place}: ${q}`)
  expect(missing).toEqual([])
})

test.for(names)('quick order looks up the name %s', async (name) => {
  const shop = await openShop()
  const withoutAccents = name.normalize('NFD').replace(/\p{M}/gu, '')
  for (const text of [...wholesOf(name), withoutAccents])
    expect(findByText(await lookUpParts(shop, { texts: [text] }), text)?.name, text).toBe(name)
})

test.for(queries)('people find $name by other spellings', async ({ name, find: texts }) => {
  const shop = await openShop()
  const missing: string[] = []
  for (const q of texts)
    for (const [place, find] of Object.entries(searches))
      if (!(await find(shop, q)).includes(name)) missing.push(`${place}: ${q}`)
  expect(missing).toEqual([])
})
