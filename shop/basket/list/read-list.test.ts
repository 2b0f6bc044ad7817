import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { findByText } from './find-parts.ts'
import type { ListAnswers } from './quantities.ts'
import { listTextsToLookUp, parsePartList, readPartList } from './read-list.ts'

const part = (partNumber: string, name: string) => ({
  _id: partNumber,
  partNumber,
  name,
  shortDescription: '',
  image: '',
  minQuantity: 1,
  availableQuantity: 5_000,
  perUnitPrice: 5,
  multiple: 1,
  cartonSize: null,
  priceBreaks: [],
})

const parts = [
  part('WW-CN12', 'Chain'),
  part('WW-TY29', 'Bramble Tyre 29" x 2.4'),
  part('10042', 'Crankset, 34T'),
  part('WW-PD9', 'Trestle Pedals ISO 4210'),
  part('WW-CN11', 'Chain 11'),
  part('WW-CS9', '9 Speed Cassette'),
]

function read(text: string, answers: ListAnswers = {}) {
  const list = parsePartList(text)
  if ('error' in list) throw new Error(list.error)
  const texts = listTextsToLookUp(list.rows)
  const found = parts.filter((one) => texts.some((text) => findByText([one], text)))
  return readPartList(list.rows, found, answers)
}

function readRows(text: string, answers: ListAnswers = {}) {
  const reading = read(text, answers)
  if ('question' in reading) throw new Error(JSON.stringify(reading.question))
  return reading.rows.map(({ part, text, quantity }) => [part?.partNumber ?? text, quantity])
}

function readQuestion(text: string, answers: ListAnswers = {}) {
  const reading = read(text, answers)
  if ('rows' in reading) throw new Error(JSON.stringify(reading.rows))
  return reading.question
}

const chainAndTyre = [
  ['WW-CN12', '60'],
  ['WW-TY29', '24'],
]

test('readPartList reads tabs, semicolons, commas and spaces, CRLF, blank lines and a byte order mark', () => {
  for (const text of [
    'WW-CN12\t60\nBramble Tyre 29" x 2.4\t24',
    '\uFEFFWW-CN12;60\r\n\r\nWW-TY29;24\r\n',
    'WW-CN12, 60\n"WW-TY29", "24"',
    'WW-CN12 60\nBramble Tyre 29" x 2.4 24',
    'WW-CN12 60\nWW-TY29; 24',
    '60 x WW-CN12\n24 × WW-TY29',
    'WW-CN12 x 60\nWW-TY29 ×24',
    '60\tWW-CN12\n24\tWW-TY29',
    'Quantity;Part number\n60;WW-CN12\n24;WW-TY29',
    'SKU,Colour,Qty\nWW-CN12,silver,60\nWW-TY29,black,24',
    '="WW-CN12"\t60.0\n\'WW-TY29\t24,0',
    '> WW-CN12 60\n> > WW-TY29 24',
    '1. WW-CN12: 60\n2. WW-TY29 -> 24 pcs',
    'Hello,\nplease send:\n- WW-CN12 60\n- WW-TY29 24 @ 42.00\nKind regards',
    'WW-CN12 60, WW-TY29 24',
    '| Part | Qty |\n|:--|--:|\n| WW-CN12 | 60 |\n| WW-TY29 | 24 |',
  ])
    expect(readRows(text), text).toEqual(chainAndTyre)
})

test('readPartList keeps what is no quantity as it was typed', () => {
  for (const typed of ['60-', '-60', '12.5', '6E+01', 'sixty', '6O', '2 boxes', '60 pairs', '1,2,3'])
    for (const text of [`WW-CN12\t${typed}`, `Part number\tQuantity\nWW-CN12\t${typed}`])
      expect(readRows(text), text).toEqual([['WW-CN12', typed]])
})

test('readPartList takes no quantity out of a name, known or not', () => {
  expect(readRows('Trestle Pedals ISO 4210')).toEqual([['WW-PD9', '']])
  expect(readRows('Trestle Pedals ISO 4210 8')).toEqual([['WW-PD9', '8']])
  expect(readRows('WW-PD9 Pedals ISO 4210')).toEqual([['WW-PD9', '']])
  expect(readRows('Bolt ISO 4210')).toEqual([['Bolt ISO 4210', '']])
  expect(readRows('WW-XX99 4210')).toEqual([['WW-XX99', '4210']])
  expect(readRows('Chain 11\nCHAIN 11 6\n9 speed cassette\nChain 4')).toEqual([
    ['WW-CN11', ''],
    ['WW-CN11', '6'],
    ['WW-CS9', ''],
    ['WW-CN12', '4'],
  ])
})

test('readPartList finds names with commas, parts with digits only, and both parts of a line', () => {
  for (const text of ['Crankset, 34T, 8', 'Crankset, 34T 8', '8*Crankset, 34T'])
    expect(readRows(text), text).toEqual([['10042', '8']])
  expect(readRows('10042;48\n10043;12')).toEqual([
    ['10042', '48'],
    ['10043', '12'],
  ])
  expect(readRows('WW-CN12 WW-TY29 60')).toEqual([['WW-CN12 WW-TY29 60', '']])
})

test('readPartList adds the quantities of a part that is in the list twice', () => {
  const reading = read('WW-CN12\t10\nunknown\t3\nChain\t2')
  expect('rows' in reading && reading.rows.map(({ lines, quantity }) => [lines, quantity])).toEqual([
    [[1, 3], '12'],
    [[2], '3'],
  ])
})

test('readPartList leaves out remarks, titles and totals, and says which', () => {
  const reading = read('Order of May;;\nSKU;Qty;Price\nWW-CN12;60;5.00\n;Total;300.00\nThank you')
  expect(reading).toMatchObject({ rows: [{ quantity: '60' }] })
  expect('leftOut' in reading && reading.leftOut).toEqual([
    { line: 1, text: 'Order of May' },
    { line: 4, text: 'Total 300.00' },
    { line: 5, text: 'Thank you' },
  ])
})

test('readPartList keeps names that are not known when there is nothing else', () => {
  expect(readRows('Brambel Tire\nChian')).toEqual([
    ['Brambel Tire', ''],
    ['Chian', ''],
  ])
})

test('readPartList asks once which of two columns is the quantity, and takes the answer', () => {
  const text = 'WW-CN12;60;96\nWW-TY29;24;48'
  const question = readQuestion(text)
  expect(question).toMatchObject({
    kind: 'column',
    texts: ['Chain', 'Bramble Tyre 29" x 2.4'],
    columns: [
      { index: 1, name: 'Column 2', samples: ['60', '24'] },
      { index: 2, name: 'Column 3', samples: ['96', '48'] },
    ],
  })
  expect(readRows(text, { [question.shape]: { column: 2 } })).toEqual([
    ['WW-CN12', '96'],
    ['WW-TY29', '48'],
  ])
  expect(readRows(text, { [question.shape]: { column: null } })).toEqual([
    ['WW-CN12', ''],
    ['WW-TY29', ''],
  ])
})

test('readPartList asks about columns whose names say no more, and about packs', () => {
  for (const text of [
    'SKU;Qty;Qty 2\nWW-CN12;60;96',
    'SKU;Torque\nWW-CN12;60',
    'SKU;Pack;Packs ordered\nWW-CN12;6;10',
  ])
    expect(readQuestion(text), text).toMatchObject({ kind: 'column' })
})

test('readPartList asks what 1.000 is unless the list or the stock says it', () => {
  const text = 'WW-CN12;1.000\nWW-TY29;2.000'
  const question = readQuestion(text)
  expect(question).toMatchObject({ kind: 'mark', sample: '1.000', values: { ',': 1_000, '.': 1 } })
  expect(readRows(text, { [question.shape]: { mark: '.' } })).toEqual([
    ['WW-CN12', '1'],
    ['WW-TY29', '2'],
  ])
  expect(readRows('WW-CN12;1.000;5,00')).toEqual([['WW-CN12', '1000']])
  expect(readRows('WW-CN12;1.000\nWW-TY29;1.250')[0]).toEqual(['WW-CN12', '1000'])
  expect(readRows('WW-CN12;60.000')).toEqual([['WW-CN12', '60']])
})

test('parsePartList says what is wrong with an empty, long or large list', () => {
  expect(parsePartList(' \n\t\n')).toEqual({
    error: 'Enter at least one line with a part number or name, and a quantity.',
  })
  expect(parsePartList('A 1\n'.repeat(1_000))).toHaveProperty('rows')
  expect(parsePartList('A 1\n'.repeat(1_001))).toEqual({
    error: 'A list can have at most 1,000 lines, and this one has 1,001. Split it into smaller lists.',
  })
  expect(parsePartList('x'.repeat(1_000_001))).toEqual({
    error: 'This list is larger than 1 MB. Split it into smaller lists.',
  })
})

/** What programs write for a number. */
const writings = {
  plain: (value: number, decimals: number) => value.toFixed(decimals),
  english: (value: number, decimals: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  german: (value: number, decimals: number) =>
    value.toLocaleString('de-DE', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
}

const names = {
  number: ['Part number', 'Artikelnummer', 'Référence', 'Referencia', 'Codice', 'SKU'],
  name: ['Name', 'Bezeichnung', 'Désignation', 'Descripción', 'Descrizione', 'Omschrijving'],
  quantity: ['Quantity', 'Menge', 'Quantité', 'Cantidad', 'Quantità', 'Aantal'],
  price: ['Unit price', 'Einzelpreis', 'Prix unitaire', 'Precio', 'Prezzo', 'Prijs'],
  amount: ['Line total', 'Gesamtpreis', 'Montant', 'Importe', 'Importo', 'Bedrag'],
  position: ['Pos', 'Position', 'Ligne', 'Línea', 'Riga', 'Regel'],
  unit: ['Unit', 'Einheit', 'Unité', 'Unidad', 'Unità', 'Eenheid'],
}
type Column = keyof typeof names
const columns = Object.keys(names) as Column[]

const tables = fc.record({
  order: fc
    .shuffledSubarray(columns, { minLength: 2 })
    .map((some) => [...new Set([...some, 'quantity', 'number'] as const)]),
  lines: fc.array(fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 30_000 })), {
    minLength: 1,
    maxLength: 40,
  }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  language: fc.option(fc.integer({ min: 0, max: 5 })),
  writing: fc.constantFrom('plain', 'english', 'german' as const),
  quantityDecimals: fc.constantFrom(0, 0, 2, 3),
  priceDecimals: fc.constantFrom(2, 2, 0),
  quotes: fc.boolean(),
})

test('readPartList gives the quantities of any table that papaparse writes, or asks', () => {
  let asked = 0
  const runs = 500
  fc.assert(
    fc.property(
      tables,
      ({ order, lines, delimiter, language, writing, quantityDecimals, priceDecimals, quotes }) => {
        const write = writings[writing]
        const catalogue = lines.map((_, i) =>
          part(`AB-${i}X${i}`, `Part ${'abcdefgh'[i % 8]} ${i}, 29" x ${i}.4`),
        )
        const data = lines.map(([quantity, cents], i) => {
          const price = priceDecimals === 0 ? cents : cents / 100
          const cells: Record<Column, string> = {
            number: catalogue[i]!.partNumber,
            name: catalogue[i]!.name,
            quantity: write(quantity, quantityDecimals),
            price: write(price, priceDecimals),
            amount: write(price * quantity, priceDecimals),
            position: String((i + 1) * 10),
            unit: 'pcs',
          }
          return order.map((column) => cells[column])
        })
        const header = language === null ? [] : [order.map((column) => names[column][language]!)]
        const text = Papa.unparse([...header, ...data], { delimiter, quotes })
        const list = parsePartList(text)
        if ('error' in list) throw new Error(list.error)
        const reading = readPartList(list.rows, catalogue, {})
        if ('question' in reading) {
          asked++
          return
        }
        expect(reading.rows.map(({ part, quantity }) => [part?.partNumber, quantity])).toEqual(
          lines.map(([quantity], i) => [catalogue[i]!.partNumber, String(quantity)]),
        )
      },
    ),
    { numRuns: runs },
  )
  expect(asked, 'how often it asks').toBeLessThan(runs / 3)
})

test('readPartList gives rows, remarks or a question for any text', () => {
  const pieces = fc.constantFrom(
    ...[
      '"',
      '""',
      '\t',
      ';',
      ',',
      '|',
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
    ],
    ...[
      '-5',
      '1e9',
      'WW-CN12',
      '٣',
      '\uFEFF',
      'é',
      '\u0301'.repeat(50),
      'qty',
      'part',
      'x',
      '0',
      '9'.repeat(400),
      '29"',
    ],
    ...['Chain', '@', '€', 'pcs', 'dozen', '> ', '|--|', 'sep=;', '(', '10042', '½', '²'],
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (some) => {
      const list = parsePartList(some.join(''))
      if ('error' in list) {
        expect(list.error).toMatch(/\.$/)
        return
      }
      expect(listTextsToLookUp(list.rows).every((text) => text.length > 0 && text.length <= 120)).toBe(true)
      const reading = readPartList(list.rows, parts, {})
      if ('rows' in reading)
        for (const { quantity, text } of reading.rows) expect(`${quantity}${text}`.length).toBeLessThan(400)
    }),
    { numRuns: 2_000 },
  )
  for (const long of [
    '"'.repeat(1_000_000),
    'a,'.repeat(500_000),
    '1 '.repeat(500_000),
    '\u0301'.repeat(1_000_000),
  ]) {
    const list = parsePartList(long)
    if ('rows' in list) expect(readPartList(list.rows, parts, {})).toBeDefined()
  }
})

test('findByText prefers the exact part number, then the name, then a number without punctuation', () => {
  const some = [part('WW-1-2', 'Chain'), part('WW-12', 'WW12'), part('X.9', 'Driver’s Hub')]
  const find = (text: string) => findByText(some, text)?.partNumber
  expect(['ww-12', 'ww-1-2', 'WW12', 'x9', "  driver's  hub ", 'ww 12', '-'].map(find)).toEqual([
    'WW-12',
    'WW-1-2',
    'WW-12',
    'X.9',
    'X.9',
    undefined,
    undefined,
  ])
})
