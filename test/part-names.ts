import { findParts } from '#shop/parts/search.server.ts'
import type { TestShop } from './shop.ts'

/** In the order of the catalogue. */
export const namesInOrder = [
  '007 Bolt',
  '9 mm Bolt',
  '10 mm Bolt',
  'Ähre',
  'axle 2',
  'Axle 10',
  'Élan',
  'Łańcuch',
  'ŁAŃCUCH 2',
  'zebra',
  'Ямаха',
  'チェーン',
]

export async function listByName(shop: Pick<TestShop, 'db'>) {
  const { rows } = await findParts(shop, { sort: 'name' })
  return rows.map(({ name }) => name)
}
