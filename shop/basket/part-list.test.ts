import { expect, test } from 'vitest'
import { type ListLine, parsePartList } from './part-list.ts'
import { findByText, textsToLookUp, toRows, toSavedItems } from './quick-order.ts'

function read(text: string) {
  const list = parsePartList(text)
  if ('error' in list) throw new Error(list.error)
  return list.lines
}
const short = ({ texts, quantity }: ListLine) => [texts[0], quantity]

test('parsePartList reads tabs, semicolons, commas and spaces, CRLF, blank lines and a byte order mark', () => {
  const expected = [
    ['WW-CN12', '60'],
    ['Bramble Tyre', '24'],
  ]
  for (const text of [
    'WW-CN12\t60\nBramble Tyre\t24',
    '\uFEFFWW-CN12;60\r\n\r\nBramble Tyre;24\r\n',
    'WW-CN12, 60\n"Bramble Tyre", "24"',
    'WW-CN12 60\nBramble Tyre 24',
    'WW-CN12 60\nBramble Tyre; 24',
    '60 x WW-CN12\n24 × Bramble Tyre',
    'WW-CN12 x 60\nBramble Tyre ×24',
    '60\tWW-CN12\n24\tBramble Tyre',
    'Quantity;Part number\n60;WW-CN12\n24;Bramble Tyre',
    'SKU,Colour,Qty\nWW-CN12,silver,60\nBramble Tyre,black,24',
    '="WW-CN12"\t60.0\n\'Bramble Tyre\t24,0',
  ])
    expect(read(text).map(short), text).toEqual(expected)
})

test('parsePartList reads thousands separators, and keeps what is no whole number for the error', () => {
  expect(read('A\t1,000\nB\t1.000\nC\t1 000\nD\t12.5\nE').map(short)).toEqual([
    ['A', '1000'],
    ['B', '1000'],
    ['C', '1000'],
    ['D', '12.5'],
    ['E', ''],
  ])
  expect(read('part;qty\nA;12.5\nB;many').map(short)).toEqual([
    ['A', '12.5'],
    ['B', 'many'],
  ])
})

test('parsePartList offers a name whole when it contains the separator, and digits as a part number', () => {
  expect(read('Crankset, 34T, 8')).toMatchObject([{ texts: ['Crankset', 'Crankset, 34T'], quantity: '8' }])
  expect(read('No;Description;Name;Qty\n;black;Chain;6\nWW-1;;Chain;6').map(({ texts }) => texts)).toEqual([
    ['Chain'],
    ['WW-1', 'Chain'],
  ])
  expect(read('10042;48\n10043;12').map(short)).toEqual([
    ['10042', '48'],
    ['10043', '12'],
  ])
})

test('parsePartList is not confused by inches, and says what is wrong with an empty, long or large list', () => {
  expect(read('"29 tyre\t4\nWW-CN12\t60').map(short)).toEqual([
    ['29 tyre', '4'],
    ['WW-CN12', '60'],
  ])
  expect(parsePartList(' \n\t\n')).toEqual({
    error: 'Enter at least one line with a part number or name, and a quantity.',
  })
  expect(read('A 1\n'.repeat(1_000))).toHaveLength(1_000)
  expect(parsePartList('A 1\n'.repeat(1_001))).toEqual({
    error: 'A list can have at most 1,000 lines, and this one has 1,001. Split it into smaller lists.',
  })
  expect(parsePartList('x'.repeat(1_000_001))).toEqual({
    error: 'This list is larger than 1 MB. Split it into smaller lists.',
  })
})

test('parsePartList gives lines or an error for any text', () => {
  const pieces = [
    '"',
    '""',
    '\t',
    ';',
    ',',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\0',
    '=1+1',
    '=cmd|x',
    '😀',
    'ß',
    '\u202e',
    '1,000',
    '-5',
    '1e9',
  ]
  pieces.push('WW-1', '٣', '\uFEFF', 'é', '\u0301'.repeat(50), 'qty', 'part', 'x', '0', '9'.repeat(400))
  let seed = 21
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let run = 0; run < 2_000; run++) {
    const text = Array.from({ length: next(60) }, () => pieces[next(pieces.length)]).join('')
    const list = parsePartList(text)
    if ('error' in list) expect(list.error).toMatch(/\.$/)
    else
      for (const { texts, quantity } of list.lines) {
        expect(
          texts.every((one) => one.length > 0 && one.length <= 120),
          text,
        ).toBe(true)
        expect(quantity.length, text).toBeLessThan(1_000_000)
      }
  }
  for (const long of [
    '"'.repeat(1_000_000),
    'a,'.repeat(500_000),
    '1 '.repeat(500_000),
    '\u0301'.repeat(1_000_000),
  ])
    expect(parsePartList(long)).toBeDefined()
})

const part = (partNumber: string, name: string) => ({
  _id: partNumber,
  partNumber,
  name,
  shortDescription: '',
  image: '',
  minQuantity: 1,
  availableQuantity: 9,
  perUnitPrice: 5,
  multiple: 1,
  cartonSize: null,
  priceBreaks: [],
})

test('findByText prefers the exact part number, then the name, then a number without punctuation', () => {
  const parts = [part('WW-1-2', 'Chain'), part('WW-12', 'WW12'), part('X.9', 'Hub')]
  const find = (text: string) => findByText(parts, text)?.partNumber
  expect([
    find('ww-12'),
    find('ww-1-2'),
    find('WW12'),
    find('x9'),
    find('  hub '),
    find('ww 12'),
    find('-'),
  ]).toEqual(['WW-12', 'WW-1-2', 'WW-12', 'X.9', 'X.9', undefined, undefined])
})

test('toRows takes a number for the quantity unless the whole line is the name of a part', () => {
  const parts = [part('WW-1', 'Chain 11'), part('WW-2', 'Tyre'), part('WW-3', '9 Speed Cassette')]
  const lines = read('Chain 11\nTyre 4\nCHAIN 11 6\n9 speed cassette')
  expect(textsToLookUp(lines)).toContain('Chain 11')
  expect(toRows(lines, parts).map(({ text, part, quantity }) => [text, part?.partNumber, quantity])).toEqual([
    ['Chain 11', 'WW-1', ''],
    ['Tyre', 'WW-2', '4'],
    ['CHAIN 11', 'WW-1', '6'],
    ['9 speed cassette', 'WW-3', ''],
  ])
})

test('toSavedItems keeps what cannot be ordered now, and adds the quantities of a part', () => {
  const row = { id: '1', lines: [], text: 'Chain', quantity: '4' }
  const chain = part('WW-1', 'Chain')
  expect(
    toSavedItems([
      { ...row, part: chain },
      { ...row, part: undefined, partId: 'gone', quantity: ' 7 ' },
      { ...row, part: chain, partId: 'corrected', quantity: '6' },
      { ...row, part: part('WW-2', 'Tyre'), quantity: '1.5' },
      { ...row, part: undefined },
    ]),
  ).toEqual([
    { partId: 'WW-1', quantity: 10 },
    { partId: 'gone', quantity: 7 },
  ])
})

test('toRows adds the quantities of a part that is in the list twice, by number and by name', () => {
  const rows = toRows(read('WW-1\t10\nunknown\t3\nChain\t2\nCrankset, 34T\t8'), [
    part('WW-1', 'Chain'),
    part('WW-2', 'Crankset, 34T'),
  ])
  expect(rows.map(({ lines, text, part, quantity }) => [lines, text, part?.partNumber, quantity])).toEqual([
    [[1, 3], 'WW-1', 'WW-1', '12'],
    [[2], 'unknown', undefined, '3'],
    [[4], 'Crankset, 34T', 'WW-2', '8'],
  ])
})
