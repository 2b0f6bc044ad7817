import { expect, onTestFinished, test } from 'vitest'
import { setCurrency } from '#shop/money.ts'
import { updateSettings } from '#shop/settings/settings.server.ts'
import { createUser, testShop } from '#test/shop.ts'
import { readOfferTerms, readPricing } from './pricing.server.ts'
import type { DeliveryAndTax } from './rates.ts'

const rate: DeliveryAndTax['tax']['rates'][number] = {
  name: 'Sales tax',
  country: 'US',
  regions: ['OR'],
  class: 'standard',
  millionths: 72_500,
  from: '2020-01-01',
  until: null,
  onDelivery: false,
  reverseCharge: false,
}
const vat = { ...rate, name: 'VAT', country: 'DE', regions: [] }

function zone(
  name: string,
  country: string,
  rate: DeliveryAndTax['zones'][number]['rate'],
): DeliveryAndTax['zones'][number] {
  return { name, places: [{ country, regions: [], postcodes: [] }], rate, freeFrom: null }
}

async function sell(mode: DeliveryAndTax['tax']['mode'], zones: DeliveryAndTax['zones'] = []) {
  const shop = await testShop()
  const admin = await createUser(shop, 'Grace', 'admin')
  const tax = {
    mode,
    rates: mode === 'none' ? [] : [vat, { ...rate, until: '2020-12-31', name: 'Old' }, rate],
  }
  await updateSettings(shop, admin, { section: 'deliveryAndTax', version: 0, zones, tax, note: '' })
  return shop
}

const parcel = zone('Home', 'US', { by: 'order', cents: 1_550 })
const freight = zone('Abroad', 'DE', { by: 'weight', steps: [{ upTo: null, cents: 9_000 }] })

test('the note beside prices follows the mode, the name of the home country’s tax, and whether delivery costs', async () => {
  const noteOf = async (...settings: Parameters<typeof sell>) => readPricing(await sell(...settings))
  expect(await noteOf('none')).toBeNull()
  expect(await noteOf('exclusive')).toEqual({ note: 'plus sales tax' })
  expect(await noteOf('exclusive', [parcel])).toEqual({ note: 'plus sales tax and delivery' })
  expect(await noteOf('inclusive')).toEqual({ note: 'incl. sales tax' })
  expect(await noteOf('inclusive', [freight])).toEqual({ note: 'incl. sales tax, plus delivery' })
  expect(await noteOf('stripe', [parcel])).toEqual({ note: 'plus tax and delivery' })
  expect(await noteOf('none', [parcel])).toEqual({ note: 'plus delivery' })
  expect(await noteOf('none', [zone('Home', 'US', { by: 'order', cents: 0 })])).toEqual({ note: null })
})

test('search engines get whether prices include tax, and zones with one price per order', async () => {
  expect(await readOfferTerms(await sell('none'))).toBeUndefined()
  expect(await readOfferTerms(await sell('none', [freight]))).toBeUndefined()
  expect(await readOfferTerms(await sell('inclusive', [parcel, freight]))).toEqual({
    tax: { valueAddedTaxIncluded: true },
    delivery: {
      shippingDetails: [
        {
          '@type': 'OfferShippingDetails',
          shippingRate: { '@type': 'MonetaryAmount', value: 15.5, currency: 'USD' },
          shippingDestination: [{ '@type': 'DefinedRegion', addressCountry: 'US' }],
        },
      ],
    },
  })
})

test('search engines get the price of delivery in the currency of the shop', async () => {
  const shop = await sell('none', [parcel])
  setCurrency('EUR')
  onTestFinished(() => setCurrency('USD'))
  expect(await readOfferTerms(shop)).toMatchObject({
    delivery: { shippingDetails: [{ shippingRate: { value: 15.5, currency: 'EUR' } }] },
  })
})
