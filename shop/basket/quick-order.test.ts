import { expect, test } from 'vitest'
import { toSavedItems } from './quick-order.ts'

const part = {
  _id: 'WW-1',
  partNumber: 'WW-1',
  name: 'Chain',
  shortDescription: '',
  image: '',
  minQuantity: 1,
  availableQuantity: 9,
  perUnitPrice: 5,
  multiple: 1,
  cartonSize: null,
  priceBreaks: [],
}

test('toSavedItems keeps what cannot be ordered now, and adds the quantities of a part', () => {
  const row = { id: '1', lines: [], text: 'Chain', quantity: '4' }
  expect(
    toSavedItems([
      { ...row, part },
      { ...row, part: undefined, partId: 'gone', quantity: ' 7 ' },
      { ...row, part, partId: 'corrected', quantity: '6' },
      { ...row, part: { ...part, _id: 'WW-2' }, quantity: '1.5' },
      { ...row, part: undefined },
    ]),
  ).toEqual([
    { partId: 'WW-1', quantity: 10 },
    { partId: 'gone', quantity: 7 },
  ])
})
