import { expect, test } from 'vitest'
import { newItem } from '#shop/basket/items.ts'
import type { LookedUpPart } from '#shop/parts/part.ts'
import { toLines } from './lines.ts'

const part = (_id: string, changes: Partial<LookedUpPart> = {}): LookedUpPart => ({
  _id,
  name: _id,
  shortDescription: '',
  image: '',
  partNumber: _id,
  cartonSize: null,
  minQuantity: 10,
  availableQuantity: 50,
  perUnitPrice: 7,
  multiple: 1,
  priceBreaks: [{ quantity: 20, unitPrice: 6 }],
  named: [],
  replaces: [],
  ...changes,
})

test('toLines prices each line by its own part and quantity, or says what stops it', () => {
  const [chain, hub, rim] = [part('chain'), part('hub'), part('rim')]
  const items = [newItem(chain, 10), newItem(hub, 30), newItem(rim, 10), newItem(part('gone'), 10)]
  const now = [part('rim', { perUnitPrice: 8 }), hub, chain]
  const lines = toLines(items, now, { chain: '20', hub: '9' })
  expect(lines.map(({ typed, total }) => [typed, total])).toEqual([
    ['20', 120],
    ['9', undefined],
    ['10', 80],
    ['10', undefined],
  ])
  expect(lines.map(({ error }) => error !== undefined)).toEqual([false, true, false, true])
  expect(lines.map(({ hasNewPrice }) => hasNewPrice)).toEqual([false, false, true, false])
  expect(lines[2]!.changes).toEqual(['The price was $7 each when you added it. It’s now $8.'])
  expect(lines[3]!.error).toBe('This part is no longer for sale.')
  // Where both prices are the same, nothing is new.
  const same = { total: 120, changes: [], hasNewPrice: false }
  expect(toLines([newItem(rim, 20)], now, {})[0]).toMatchObject(same)
  expect(toLines([newItem(rim, 10)], now, { rim: '20' })[0]).toMatchObject(same)
})

test('toLines proposes the part that replaces one that is no longer for sale', () => {
  const how = { name: 'Old', startsOn: '2026-12-01', kind: 'direct' as const, note: '', fit: '' }
  const chain = part('chain', { replaces: [{ ...how, partId: 'old', partNumber: 'OLD' }] })
  const [line] = toLines([newItem(part('old'), 10)], [chain], {})
  expect(line).toMatchObject({
    part: undefined,
    instead: { _id: 'chain' },
    error: 'OLD was replaced by chain on 1 December 2026: direct replacement.',
  })
})
