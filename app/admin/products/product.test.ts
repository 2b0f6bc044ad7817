import { expect, test } from 'vitest'
import type { Product } from '#shop/parts/part.ts'
import { existingProduct, newProduct, productInput } from './product.ts'

const product: Product = {
  _id: 'p',
  name: 'Chain',
  shortDescription: 's',
  description: 'd',
  image: '/images/chain.webp',
  views: ['/images/side.webp'],
  brand: '',
  category: '',
  partNumber: 'WW-1',
  minQuantity: 10,
  multiple: 1,
  cartonSize: null,
  priceBreaks: [],
  availableQuantity: 1_000_500,
  perUnitPrice: 7,
  reorderPoint: 0,
  weight: 1_960,
  taxClass: 'zero',
  origin: 'TW',
  hsCode: '87149130',
  gtin: null,
}

test('the form of a product keeps its values, and sends what was seen of each', () => {
  const input = productInput(product)
  const { _id, image, views, ...fields } = product
  expect(input).toMatchObject({ cartonSize: '', reorderPoint: 0, availableQuantityBefore: 1_000_500 })
  expect(input.before).toMatchObject({ image, views, cartonSize: '', name: 'Chain' })
  const customs = { weight: '1.96 kg', taxClass: 'zero', origin: 'TW', hsCode: '8714 91 30' }
  expect(input).toMatchObject({ ...customs, before: customs })
  const unknown = productInput({ ...product, weight: null, origin: null, hsCode: null })
  expect(unknown).toMatchObject({ weight: '', origin: '', hsCode: '' })
  expect(existingProduct.parse(unknown)).toMatchObject({ weight: null, origin: null, hsCode: null })
  expect(input.before).not.toHaveProperty('availableQuantity')
  const { before, availableQuantityBefore, ...sent } = existingProduct.parse(input)
  const empty = { brand: undefined, category: undefined }
  expect(sent).toEqual({ ...fields, ...empty })
  expect(newProduct.safeParse(input).error?.issues.map(({ path }) => path[0])).toEqual(['image'])
  const changed = existingProduct.safeParse({ ...input, availableQuantity: 1_000_501 })
  expect(changed.error?.issues).toMatchObject([{ path: ['availableQuantity'], message: 'At most 1,000,000' }])
})
