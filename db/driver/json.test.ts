import { expect, test } from 'vitest'
import { toRowJson, toWellFormedJson } from './json.ts'

test('JSON for the database has no half of a pair of surrogates, and keeps whole ones', () => {
  const value = { text: 'cut \ud83d', list: ['\ude00 off', '😀'] }
  expect(JSON.parse(toWellFormedJson(value))).toEqual({ text: 'cut \ufffd', list: ['\ufffd off', '😀'] })
  expect(toRowJson({ perUnitPrice: 7, name: '\\ud83d' })).toBe('{"per_unit_price":7,"name":"\\\\ud83d"}')
})
