import { expect, test } from 'vitest'
import { changedMeanwhile, isDiskFull } from './errors.ts'

test('changedMeanwhile shows what is stored now, also a 0', () => {
  const save = 'Save again to replace it.'
  expect([0, '7'].map(changedMeanwhile)).toEqual(
    ['0', '7'].map((now) => `Another admin changed this to “${now}”. ${save}`),
  )
  for (const now of [undefined, null, ''])
    expect(changedMeanwhile(now)).toBe(`Another admin changed this. ${save}`)
})

test.each([
  [Object.assign(new Error('full'), { code: 'ENOSPC' }), true],
  [Object.assign(new Error('quota'), { code: 'EDQUOT' }), true],
  [new Error('query failed', { cause: Object.assign(new Error('disk_full'), { code: '53100' }) }), true],
  [new Error('query failed', { cause: Object.assign(new Error('memory'), { code: '53200' }) }), false],
  [new Error('other'), false],
])('isDiskFull looks at the codes of %s and its causes', (error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull)
})
