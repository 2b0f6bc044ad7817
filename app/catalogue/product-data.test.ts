import { expect, test } from 'vitest'
import type { Part } from '#shop/parts/part.ts'
import { productData } from './product-data.ts'

const part: Part = {
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
}

test('productData has the part number as SKU, and a price per range of quantities', () => {
  const { sku, offers } = productData(part, 'https://shop.test', null)
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
  const { offers } = productData(
    { ...part, priceBreaks: [], availableQuantity: 11 },
    'https://shop.test',
    null,
  )
  expect(offers).not.toHaveProperty('priceSpecification')
  expect(offers.availability).toBe('https://schema.org/OutOfStock')
})

test('productData has the rating that the page shows, and none without reviews', () => {
  expect(productData(part, 'https://shop.test', null)).not.toHaveProperty('aggregateRating')
  const { aggregateRating } = productData(part, 'https://shop.test', { average: '4.3', count: 3 })
  expect(aggregateRating).toMatchObject({ '@type': 'AggregateRating', ratingValue: '4.3', reviewCount: 3 })
})
