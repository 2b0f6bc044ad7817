import { expect } from 'vitest'
import type { DeliveryAndTax } from '#shop/charges/rates.ts'
import { createSettingsMemory } from '#shop/settings/settings-memory.server.ts'
import { findLedgerErrors } from './ledger.ts'
import { clientOf, createPart, createUser, payByCard, purchase, type TestShop, testShop } from './shop.ts'

const always = { from: '2020-01-01', until: null, onDelivery: true, regions: [] }

function toPlace(country: string, regions: string[] = []) {
  return { country, regions, postcodes: [] }
}

/** Of a shop in Germany: prices with tax, two rates, and reverse charge to Austria. */
export const euRates: DeliveryAndTax = {
  zones: [
    {
      name: 'Germany',
      places: [toPlace('DE')],
      rate: { by: 'order', cents: 1_190 },
      freeFrom: 100_000,
    },
    { name: 'Austria', places: [toPlace('AT')], rate: { by: 'order', cents: 2_400 }, freeFrom: null },
  ],
  tax: {
    mode: 'inclusive',
    rates: [
      { ...always, name: 'VAT', country: 'DE', class: 'standard', millionths: 190_000, reverseCharge: false },
      { ...always, name: 'VAT', country: 'DE', class: 'reduced', millionths: 70_000, reverseCharge: false },
      { ...always, name: 'VAT', country: 'AT', class: 'standard', millionths: 200_000, reverseCharge: true },
      { ...always, name: 'VAT', country: 'AT', class: 'reduced', millionths: 100_000, reverseCharge: true },
    ],
  },
  note: '',
}

/** Of a shop in the United States: prices without tax, and two states, of which one leaves delivery untaxed. */
export const usRates: DeliveryAndTax = {
  zones: [
    {
      name: 'West',
      places: [toPlace('US', ['CA', 'WA'])],
      rate: {
        by: 'goods',
        steps: [
          { upTo: 50_000, cents: 1_550 },
          { upTo: null, cents: 2_995 },
        ],
      },
      freeFrom: 100_000,
    },
  ],
  tax: {
    mode: 'exclusive',
    rates: [
      {
        ...always,
        name: 'Sales tax',
        country: 'US',
        regions: ['CA'],
        class: 'standard',
        millionths: 88_750,
        onDelivery: false,
        reverseCharge: false,
      },
      {
        ...always,
        name: 'Sales tax',
        country: 'US',
        regions: ['WA'],
        class: 'standard',
        millionths: 101_000,
        reverseCharge: false,
      },
    ],
  },
  note: '',
}

/** Of a shop that nobody has set up: its country is the one of the United States. */
export const homeRates: DeliveryAndTax = {
  zones: [
    { name: 'Home', places: [toPlace('US')], rate: { by: 'order', cents: 1_550 }, freeFrom: 1_000_000 },
  ],
  tax: {
    mode: 'exclusive',
    rates: (['standard', 'reduced'] as const).map((taxClass) => ({
      ...always,
      name: 'Sales tax',
      country: 'US',
      class: taxClass,
      millionths: 88_750,
      reverseCharge: false,
    })),
  },
  note: '',
}

/** Until an admin saves others. */
export function withRates(shop: TestShop, deliveryAndTax: DeliveryAndTax, country: string): TestShop {
  const { defaults } = shop.settings
  const company = { ...defaults.company, country }
  return { ...shop, settings: createSettingsMemory(shop.db, { ...defaults, company, deliveryAndTax }) }
}

/** A shop with three parts, whose customer orders, pays and asks what is charged. */
export async function chargedShop(rates = euRates, country = 'DE') {
  const shop = withRates(await testShop(), rates, country)
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const [chain, tyre, hub] = [
    await createPart(shop, { minQuantity: 1, perUnitPrice: 7 }),
    await createPart(shop, { name: 'Tyre', perUnitPrice: 20, minQuantity: 1, taxClass: 'reduced' }),
    await createPart(shop, { name: 'Hub', perUnitPrice: 101, minQuantity: 1 }),
  ]
  const german = { ...purchase, country: 'DE', postcode: '28195', town: 'Bremen' }
  const lines = [
    { partId: chain._id, quantity: 3 },
    { partId: tyre._id, quantity: 2 },
    { partId: hub._id, quantity: 1 },
  ]
  const place = (change: object = {}) => client.placeOrder({ body: { ...german, lines, ...change } })
  const pay = async (
    { _id, price, charges }: { _id: string; price: number; charges: { total: number } },
    card?: string,
  ) => {
    const body = { price, total: charges.total, purchase: _id }
    const { clientSecret } = await client.startPayment({ body })
    const { id } = await payByCard(shop, clientSecret, card)
    await client.payPurchase({ params: { id: _id }, body: { transactionId: id } })
    return client.readOrder({ params: { id: _id } })
  }
  const expectConsistent = async () =>
    expect(await findLedgerErrors(shop.db, { stocked: [], settled: true })).toEqual([])
  return { shop, ada, client, admin, chain, tyre, hub, german, lines, place, pay, expectConsistent }
}
