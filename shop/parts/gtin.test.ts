import { expect, test } from 'vitest'
import { formatGtin, gtinField } from './gtin.ts'

test.for([
  ['96385074', '96385074'],
  ['036000291452', '036000291452'],
  [' 4 006381-333931 ', '4006381333931'],
  ['10614141000415', '10614141000415'],
  ['', null],
  [null, null],
] as const)('a GTIN is read as people write it: %s', ([typed, digits]) => {
  expect(gtinField.parse(typed)).toBe(digits)
})

test.for(['4006381333932', '4006381333391', '96385073', '036000291453'])(
  'a wrong check digit is refused: %s',
  (typed) => {
    expect(gtinField.safeParse(typed).error?.issues[0]?.message).toMatch(/^The last digit doesn’t match/)
  },
)

test.for(['123', '400638133393', '40063813339310000', 'x'.repeat(50), 4006381333931])(
  'what is no GTIN is refused: %s',
  (typed) => {
    expect(gtinField.safeParse(typed).success).toBe(false)
  },
)

test('a GTIN is shown in groups that spreadsheets keep as text', () => {
  expect(formatGtin('4006381333931')).toBe('4 0063 8133 3931')
})
