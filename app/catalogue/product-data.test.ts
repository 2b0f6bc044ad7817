import { expect, test } from 'vitest'
import type { PartDetails } from '#shop/parts/part.ts'
import { productData } from './product-data.ts'

const part: PartDetails = {
  _id: 'p',
  name: 'Chain',
  shortDescription: 's',
  description: 'd',
  image: '/chain.webp',
  views: [],
  brand: '',
  category: '',
  partNumber: 'WW-CN12',
  minQuantity: 10,
  multiple: 6,
  cartonSize: null,
  availableQuantity: 50,
  perUnitPrice: 26,
  priceBreaks: [{ quantity: 24, unitPrice: 24 }],
  weight: 252,
  taxClass: 'standard',
  origin: 'PT',
  hsCode: '731511',
  gtin: '4006381333931',
}

test('productData has the part number as SKU, and a price per range of quantities', () => {
  const { sku, mpn, gtin, offers } = productData(part, 'https://shop.test')
  expect([mpn, gtin]).toEqual([sku, '4006381333931'])
  expect(sku).toBe('WW-CN12')
  expect(offers).toMatchObject({
    price: 26,
    eligibleQuantity: { minValue: 12 },
    priceSpecification: [
      { price: 26, priceCurrency: 'USD', eligibleQuantity: { minValue: 12, maxValue: 18 } },
      { price: 24, priceCurrency: 'USD', eligibleQuantity: { minValue: 24 } },
    ],
  })
})

test('productData has one price without price breaks, and a part below its lowest quantity is out of stock', () => {
  const { offers } = productData({ ...part, priceBreaks: [], availableQuantity: 11 }, 'https://shop.test')
  expect(offers).not.toHaveProperty('priceSpecification')
  expect(offers.availability).toBe('https://schema.org/OutOfStock')
})

test('productData has the rating that the page shows, and none without reviews', () => {
  expect(productData(part, 'https://shop.test')).not.toHaveProperty('aggregateRating')
  const { aggregateRating } = productData(part, 'https://shop.test', {
    rating: { average: '4.3', count: 3 },
  })
  expect(aggregateRating).toMatchObject({ '@type': 'AggregateRating', ratingValue: '4.3', reviewCount: 3 })
})

test('productData has weight and country of origin when they are known', () => {
  expect(productData(part, 'https://shop.test')).toMatchObject({
    weight: { '@type': 'QuantitativeValue', value: 252, unitCode: 'GRM' },
    countryOfOrigin: { '@type': 'Country', name: 'PT' },
  })
  const unknown = productData({ ...part, weight: null, origin: null }, 'https://shop.test')
  expect(unknown).not.toHaveProperty('weight')
  expect(unknown).not.toHaveProperty('countryOfOrigin')
})

test('productData has whether prices include tax, also without price breaks, and what delivery costs', () => {
  const terms = { tax: { valueAddedTaxIncluded: false }, delivery: { shippingDetails: [] } }
  const { offers } = productData({ ...part, priceBreaks: [] }, 'https://shop.test', { terms })
  expect(offers).toMatchObject({
    priceSpecification: [{ price: 26, valueAddedTaxIncluded: false }],
    shippingDetails: [],
  })
})

test('productData names the parts that it goes on, and those on which it wears out', () => {
  const toCarrier = (number: string, wearsOut: boolean) => ({ id: number, name: number, number, wearsOut })
  const carriers = [toCarrier('WW-CS12', true), toCarrier('WW-FK130', false)]
  const toModel = (sku: string) => ({
    '@type': 'ProductModel',
    name: sku,
    sku,
    url: `https://shop.test/parts/${sku}`,
  })
  expect(productData(part, 'https://shop.test', { carriers })).toMatchObject({
    isConsumableFor: [toModel('WW-CS12')],
    isAccessoryOrSparePartFor: [toModel('WW-FK130')],
  })
  for (const name of ['isConsumableFor', 'isAccessoryOrSparePartFor'])
    expect(productData(part, 'https://shop.test')).not.toHaveProperty(name)
})
