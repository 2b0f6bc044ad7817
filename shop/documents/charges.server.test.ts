import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema.ts'
import type { DeliveryAndTax } from '#shop/charges/rates.ts'
import { euRates, usRates, withRates } from '#test/charges.ts'
import { copyPdfText } from '#test/pdf.ts'
import { clientOf, createPart, createUser, payByCard, purchase, testShop } from '#test/shop.ts'
import { layoutDocument } from './layout.ts'

async function setup(rates: DeliveryAndTax, country: string) {
  const shop = withRates(await testShop(), rates, country)
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const hub = await createPart(shop, { name: 'Hub', perUnitPrice: 119, minQuantity: 1 })
  const tyre = await createPart(shop, {
    name: 'Tyre',
    perUnitPrice: 107,
    minQuantity: 1,
    taxClass: 'reduced',
  })
  const lines = [
    { partId: hub._id, quantity: 2 },
    { partId: tyre._id, quantity: 1 },
  ]
  async function order(to: object) {
    const placed = await client.placeOrder({ body: { ...purchase, ...to, lines } })
    const body = { price: placed.price, purchase: placed._id }
    const { clientSecret } = await client.startPayment({ body })
    const { id } = await payByCard(shop, clientSecret)
    await client.payPurchase({ params: { id: placed._id }, body: { transactionId: id } })
    return placed
  }
  const read = async ({ _id: id }: { _id: string }) =>
    (await client.listDocuments({ params: { id } })).map(layoutDocument)
  return { shop, ada, client, admin, order, read }
}

test('an invoice of inclusive prices says net, rate and tax, and credit notes take them back', async () => {
  const { admin, client, order, read } = await setup(euRates, 'DE')
  const placed = await order({ country: 'DE', postcode: '28195', town: 'Bremen' })
  const [invoice] = await read(placed)
  expect(invoice).toMatchObject({
    rows: [
      [expect.any(String), 'Hub', '2', '$119', '$238'],
      [expect.any(String), 'Tyre', '1', '$107', '$107'],
    ],
    rowDetails: ['VAT 19 %', 'VAT 7 %'],
    subtotals: [
      ['Goods', '$345'],
      ['Delivery', '$11.90'],
      ['Without tax', '$310.35'],
      ['VAT 19 % on $206.90', '$39.31'],
      ['VAT 7 % on $103.45', '$7.24'],
    ],
    totals: [['Total paid', '$356.90']],
  })
  const pdf = await client.downloadDocument({ params: { id: placed._id, document: 'invoice' } })
  const text = (await copyPdfText(pdf)).join('\n')
  for (const part of ['VAT 19 % on $206.90', '$39.31', 'Total paid', '$356.90']) expect(text).toContain(part)

  const [hub] = placed.lines
  const refund = (body: object) =>
    admin.refundOrder({ params: { id: placed._id }, body: { lines: [], reason: 'Bent.', ...body } })
  await refund({ lines: [{ lineId: hub!._id, amount: 119, quantity: 1, returned: 0 }] })
  await refund({ delivery: 11.9 })
  const [, ofHub, ofDelivery] = await read(placed)
  expect(ofHub).toMatchObject({
    rows: [[expect.any(String), '1 × Hub', '$119']],
    subtotals: [
      ['Without tax', '$100'],
      ['VAT 19 % on $100', '$19'],
    ],
    totals: [['Total credited', '$119']],
  })
  expect(ofDelivery).toMatchObject({
    rows: [],
    subtotals: [
      ['Delivery', '$11.90'],
      ['Without tax', expect.any(String)],
      [expect.stringMatching(/^VAT 19 % on/), expect.any(String)],
      [expect.stringMatching(/^VAT 7 % on/), expect.any(String)],
    ],
    totals: [['Total credited', '$11.90']],
  })
})

test('an invoice of exclusive prices adds the tax, and says what of delivery has none', async () => {
  const { order, read } = await setup(usRates, 'US')
  const [invoice] = await read(await order({ country: 'US', region: 'CA', postcode: '94016' }))
  // The rates have none for the reduced class.
  expect(invoice).toMatchObject({
    rowDetails: ['Sales tax 8.875 %: $21.12', 'No tax'],
    subtotals: [
      ['Goods', '$345'],
      ['Delivery', '$15.50'],
      ['Without tax', '$360.50'],
      ['Sales tax 8.875 % on $238', '$21.12'],
      ['No tax on $111.81', '$0'],
      ['No tax on delivery on $10.69', '$0'],
    ],
    totals: [['Total paid', '$381.62']],
  })
})

test('an invoice without tax to a checked VAT ID says why, and has prices without the tax of the shop’s country', async () => {
  const { shop, ada, order, read } = await setup({ ...euRates, note: 'Of before.' }, 'DE')
  const vatId = { country: 'AT', number: 'ATU13585627', checked: { at: '2026-11-30', by: 'Boss' } }
  await shop.db
    .update(users)
    .set({ taxStatus: { vatId, exemption: null } })
    .where(eq(users._id, ada._id))
  const [invoice] = await read(await order({ country: 'AT', postcode: '1010', town: 'Wien' }))
  expect(invoice).toMatchObject({
    facts: expect.arrayContaining([['Your tax ID', 'ATU13585627']]),
    rowDetails: ['Reverse charge', 'Reverse charge'],
    notes: [],
  })
  expect(invoice!.rows.map((row) => row.slice(1))).toEqual([
    ['Hub', '2', '$100', '$200'],
    ['Tyre', '1', '$100', '$100'],
  ])
  expect(invoice!.subtotals!.at(-1)![0]).toMatch(/^Reverse charge on \$32/)
})

test('papers of orders without delivery and tax are as they were, but for the sentence about why there is no tax', async () => {
  const none: DeliveryAndTax = {
    zones: [],
    tax: { mode: 'none', rates: [] },
    note: 'Small business: no VAT is charged.',
  }
  const { client, order } = await setup(none, 'US')
  const { _id: id } = await order({})
  const [invoice] = await client.listDocuments({ params: { id } })
  expect(invoice).not.toHaveProperty('charges')
  expect(Object.keys(invoice!.lines[0]!).toSorted()).toEqual(
    ['amount', 'partNumber', 'parts', 'purchase', 'quantity', 'unitPrice'].toSorted(),
  )
  expect(layoutDocument(invoice!).totals).toEqual([['Total paid', '$345']])
  expect(layoutDocument(invoice!).notes).toEqual(['Small business: no VAT is charged.'])
})
