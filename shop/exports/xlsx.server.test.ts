import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { amountColumn, type Columns, countColumn, textColumn, timeColumn } from './columns.ts'
import { writeWorkbook } from './xlsx.server.ts'

interface Row {
  at: string | null
  price: number
  stock: number | null
  name: string
}

const columns: Columns<Row> = {
  Date: timeColumn(({ at }) => at),
  Price: amountColumn(({ price }) => price),
  Stock: countColumn(({ stock }) => stock),
  Name: textColumn(({ name }) => name),
}

async function read(batches: AsyncIterable<Row[]>) {
  const file = await new Response(writeWorkbook('parts', 'UTC', columns, batches)).bytes()
  const { sheets } = await readXlsx(file)
  expect(sheets.map(({ name }) => name)).toEqual(['parts'])
  return sheets[0]!.rows
}

async function* inBatches(...batches: Row[][]) {
  yield* batches
}

test('a workbook has dates, amounts and counts as values and any text as text', async () => {
  const row = fc.record({
    at: fc.option(
      fc
        .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => `${date.toISOString().slice(0, 19)}.000Z`),
    ),
    price: fc.integer({ min: -1_000_000_00, max: 1_000_000_00 }).map((cents) => cents / 100),
    stock: fc.option(fc.integer()),
    name: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({
        unit: fc.constantFrom('=', '+', '0', '1', 'E', '_', 'x', '4', '<', '&', '\n', '\t', ' ', '\0'),
        minLength: 1,
      }),
      fc.constantFrom(
        '00412',
        '+49 170 1',
        '01700000000',
        '1E5',
        '=1+1',
        '_x0041_',
        '2026-01-01',
        'true',
        '12.50',
      ),
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
      const [head, ...found] = await read(inBatches(rows.slice(0, 2), [], rows.slice(2)))
      expect(head).toEqual(['Date', 'Price', 'Stock', 'Name'])
      expect(found).toEqual(
        rows.map(({ at, price, stock, name }) => [at === null ? null : new Date(at), price, stock, name]),
      )
    }),
    { numRuns: 60 },
  )
})

test('a text longer than a cell can be ends with where all of it is', async () => {
  const row = { at: null, price: 1, stock: 1, name: '𝔘'.repeat(20_000) }
  const [, [, , , name] = []] = await read(inBatches([row]))
  expect(String(name).length).toBeLessThanOrEqual(32_767)
  expect(name).toMatch(/𝔘 … \(The CSV export has all of it\.\)$/u)
})

test('a workbook whose rows end with an error ends with that error', async () => {
  async function* failing() {
    yield [{ at: null, price: 1, stock: 1, name: 'Hub' }]
    throw new Error('cut')
  }
  await expect(read(failing())).rejects.toThrow('cut')
})
