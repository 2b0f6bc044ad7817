import { expect, test } from 'vitest'
import { isDiskFull } from './errors.ts'

test.each([
  [Object.assign(new Error('full'), { code: 'ENOSPC' }), true],
  [Object.assign(new Error('quota'), { code: 'EDQUOT' }), true],
  [new Error('query failed', { cause: Object.assign(new Error('disk_full'), { code: '53100' }) }), true],
  [new Error('query failed', { cause: Object.assign(new Error('memory'), { code: '53200' }) }), false],
  [new Error('other'), false],
])('isDiskFull looks at the codes of %s and its causes', (error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull)
})
