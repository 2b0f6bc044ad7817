import { sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { orders } from '#db/schema.ts'
import { openInOffice } from '#test/office.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'

const phones = ['01700000000', '+49 170 1234567', '+1 (555) 010-0100', '+1-555-0100']

async function setup() {
  const shop = await testShop()
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const part = await createPart(shop, {
    partNumber: '00412',
    name: '=1+1',
    availableQuantity: 1_000,
    perUnitPrice: 139,
  })
  for (const phoneNumber of phones) {
    const { _id } = await customer.placePurchase({ body: { ...purchase, partId: part._id, quantity: 40 } })
    await shop.db
      .update(orders)
      .set({ phoneNumber })
      .where(sql`${orders._id} in (select order_id from order_lines where id = ${_id})`)
  }
  await shop.db.update(orders).set({ name: '1E5', createdAt: '2026-03-04T05:06:07.000Z' })
  return { admin, part }
}

const shown = { 'en-US': ['5560.00', '0.00'], 'de-DE': ['5560,00', '0,00'], 'fr-FR': ['5560,00', '0,00'] }

test('LibreOffice reads dates, amounts and text of an export alike in three locales', async () => {
  const { admin, part } = await setup()
  const exported = await admin.exportOrders({ body: { sort: 'added', format: 'xlsx' } })
  const products = await admin.exportProducts({ body: { format: 'xlsx' } })
  expect([exported.name, products.name]).toEqual([
    expect.stringMatching(/^orders-[\d-]+\.xlsx$/),
    expect.stringMatching(/^products-[\d-]+\.xlsx$/),
  ])
  for (const [locale, [price, zero]] of Object.entries(shown)) {
    const { cells, csv } = openInOffice(await exported.bytes(), locale)
    const times = 'date 2026-03-04T05:06:07'
    const row = [
      'string',
      times,
      ...Array(8).fill('string'),
      'float 40',
      'float 5560',
      'float 0',
      'float 0',
      'float 0',
      'float 0',
      'float 5560',
      'float 0',
    ]
    expect(cells, locale).toEqual([Array(26).fill('string'), ...phones.map(() => row)])
    const { data } = Papa.parse<Record<string, string>>(csv.trimEnd(), { header: true })
    expect(data.map(({ Phone }) => Phone)).toEqual(phones)
    for (const line of data)
      expect(line).toMatchObject({
        Order: expect.stringMatching(/^100\d$/),
        Ordered: '2026-03-04 05:06:07 UTC',
        Name: '1E5',
        Product: '=1+1',
        Price: price,
        Refunded: zero,
      })

    const list = openInOffice(await products.bytes(), locale)
    const [line] = Papa.parse<Record<string, string>>(list.csv.trimEnd(), { header: true }).data
    expect(line).toMatchObject({ 'Part number': part.partNumber, Name: '=1+1', Price: '139' })
  }
})
