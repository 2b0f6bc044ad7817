import { text } from 'node:stream/consumers'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { inArray, sql } from 'drizzle-orm'
import { parse, validate } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { attributes, partAttributes, parts } from '#db/schema.ts'
import { writeInterfaces } from '#shop/fit/part-interfaces.server.ts'
import { updateSettings } from '#shop/settings/settings.server.ts'
import { euRates, usRates } from '#test/charges.ts'
import { createPart, createUser, type TestShop, testShop } from '#test/shop.ts'
import { streamMerchantFeed } from './merchant.server.ts'

type Item = Record<string, string> & {
  'g:shipping'?: Record<string, string> | Record<string, string>[]
  'g:related_product'?: Record<string, string>[]
  'g:product_detail'?: Record<string, string>
}

async function readFeed(shop: TestShop): Promise<Item[]> {
  const xml = await text((await streamMerchantFeed(shop)) as WebStream)
  expect(validate(xml)).toBe(true)
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u)
  const { rss } = parse(xml, {
    parseNodeValue: false,
    ignoreAttributes: false,
    trimValues: false,
    tagValueProcessor: (value: string) =>
      value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  })
  expect(rss).toMatchObject({ '@_version': '2.0', '@_xmlns:g': 'http://base.google.com/ns/1.0' })
  return [rss.channel.item ?? []].flat()
}

test('the feed has every part that is for sale once, over all batches, and no other', async () => {
  const shop = await testShop()
  expect(await readFeed(shop)).toEqual([])
  const part = await createPart(shop)
  const { number, partNumber, ...same } = part
  const copies = Array.from({ length: 450 }, (_, i) => ({ ...same, _id: `p${i + 1}`, name: `Part ${i + 1}` }))
  await shop.db.insert(parts).values(copies)
  await shop.db
    .update(parts)
    .set({ deletedAt: new Date().toISOString() })
    .where(inArray(parts._id, ['p7', 'p450']))
  const ids = (await readFeed(shop)).map((item) => item['g:id'])
  const rows = await shop.db.select().from(parts).where(sql`deleted_at is null`).orderBy(parts.number)
  expect(ids).toEqual(rows.map(({ partNumber }) => partNumber))
  expect(ids).toHaveLength(449)
})

test('an item has the price and weight of the smallest order, its codes, pictures and stock', async () => {
  const shop = await testShop()
  const part = await createPart(shop, {
    minQuantity: 10,
    multiple: 6,
    perUnitPrice: 26,
    priceBreaks: [{ quantity: 24, unitPrice: 24 }],
    weight: 252,
    gtin: '4006381333931',
  })
  await createPart(shop, { name: 'Bell', brand: '', minQuantity: 1, availableQuantity: 0 })
  const [chain, bell] = await readFeed(shop)
  expect(chain).toMatchObject({
    'g:id': part.partNumber,
    'g:title': 'Chain',
    'g:link': `http://shop.test/parts/${part._id}`,
    'g:image_link': 'http://shop.test/images/chain.webp',
    'g:availability': 'in_stock',
    'g:price': '312.00 USD',
    'g:multipack': '12',
    'g:unit_pricing_measure': '12ct',
    'g:unit_pricing_base_measure': '1ct',
    'g:brand': 'Talon',
    'g:gtin': '4006381333931',
    'g:mpn': part.partNumber,
    'g:product_type': 'Chains',
    'g:shipping_weight': '3.024 kg',
  })
  expect(bell).toMatchObject({ 'g:availability': 'out_of_stock', 'g:identifier_exists': 'no' })
  for (const name of ['g:multipack', 'g:brand', 'g:gtin', 'g:shipping_weight', 'g:shipping'])
    expect(bell).not.toHaveProperty(name)
})

test('a feed stays XML whatever texts hold, and loses only what XML forbids', async () => {
  const shop = await testShop()
  await createPart(shop, {
    name: 'A <b> & ]]> "c" \u0007😀',
    description: 'a\u0001\u001f\ufffe\nb</g:description>&amp;',
  })
  const [item] = await readFeed(shop)
  expect(item).toMatchObject({
    'g:title': 'A <b> & ]]> "c" 😀',
    'g:description': 'a\nb</g:description>&amp;',
  })
})

test('a feed names what a part needs and what goes on it, and its specifications', async () => {
  const shop = await testShop()
  const facts = { source: 'Data sheet', date: '2026-11-02' }
  const add = async (partNumber: string, text: string, role: 'has' | 'needs') => {
    const { _id } = await createPart(shop, { name: partNumber, partNumber })
    await writeInterfaces(shop.db, [{ partId: _id, interface: text, role, ...facts }])
    return _id
  }
  const cassette = await add('WW-CS1', 'cassette-mount:HG', 'needs')
  await add('WW-HUB.1', 'freehub:HG', 'has')
  await add('WW-HUB2', 'freehub:HG', 'has')
  await add('WW-HUB3', 'freehub:XD', 'has')
  const attribute = { key: 'cogs', name: 'Cogs & more', category: '', kind: 'text', position: 1 } as const
  const [{ _id: attributeId } = { _id: '' }] = await shop.db.insert(attributes).values(attribute).returning()
  await shop.db.insert(partAttributes).values({ partId: cassette, attributeId, text: '11–51' })
  const relate = (type: string, id: string) => ({
    'g:relationship_type': type,
    'g:identifier_type': 'id',
    'g:identifier': id,
  })
  const [first, , hub] = await readFeed(shop)
  // Other characters than letters, digits, hyphens and underscores are not allowed in identifiers of related products.
  expect(strip(first!['g:related_product'])).toEqual(relate('required_part', 'WW-HUB2'))
  expect(strip(hub!['g:related_product'])).toEqual(relate('accessory', 'WW-CS1'))
  expect(strip(first!['g:product_detail'])).toEqual({
    'g:attribute_name': 'Cogs & more',
    'g:attribute_value': '11–51',
  })
})

/** Without the text between elements. */
function strip(element: unknown) {
  return Object.fromEntries(Object.entries(element as object).filter(([name]) => name !== '#text'))
}

test('a feed has delivery where every order of a country costs the same, and prices with their tax', async () => {
  const shop = await testShop()
  const admin = await createUser(shop, 'Grace', 'admin')
  await createPart(shop, { minQuantity: 10, perUnitPrice: 26 })
  await createPart(shop, { name: 'Frame', minQuantity: 1, perUnitPrice: 1_300 })
  await updateSettings(shop, admin, { section: 'deliveryAndTax', version: 0, ...euRates })
  const [part, frame] = await readFeed(shop)
  const [germany, austria] = [part!['g:shipping']!].flat().map(strip)
  expect(part!['g:price']).toBe('260.00 USD')
  expect(germany).toEqual({ 'g:country': 'DE', 'g:price': '11.90 USD' })
  expect(austria).toEqual({ 'g:country': 'AT', 'g:price': '24.00 USD' })
  // Free from $1,000 without tax, which $1,300 with some tax may be or not.
  expect([frame!['g:shipping']!].flat().map(strip)).toEqual([austria])
  await updateSettings(shop, admin, { section: 'deliveryAndTax', version: 1, ...usRates })
  expect((await readFeed(shop))[0]).not.toHaveProperty('g:shipping')
})

test('a feed that cannot be read is an error before its first byte', async () => {
  const shop = await testShop()
  const db = new Proxy(shop.db, {
    get(target, name) {
      if (name === 'select') throw new Error('away')
      return Reflect.get(target, name)
    },
  })
  await expect(streamMerchantFeed({ ...shop, db })).rejects.toThrow('away')
})
