import { expect, test } from 'vitest'
import { readCatalogueFile } from './import-file.server.ts'

const refusal = (csv: string) =>
  readCatalogueFile(csv).then(
    () => null,
    ({ message }: Error) => message,
  )

test('readCatalogueFile reads rows wherever it interrupts its work', async () => {
  const rows = Array.from({ length: 6_000 }, (_, i) => ({
    partNumber: `P-${i}`,
    description: 'a "wide"\n, line; '.repeat(i % 9),
  }))
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map(({ partNumber, description }) => `${partNumber},${quote(description)}\n`)
  const read = await readCatalogueFile(`Part number,Description\n${lines.join('')}`)
  expect(read.map(({ cells }) => cells)).toEqual(
    rows.map(({ partNumber, description }) => ({ 'Part number': partNumber, Description: description })),
  )
  expect(read.at(-1)!.row).toBe(6_001)

  const broken = lines.with(4_000, 'P-x,"open\n')
  expect(await refusal(`Part number,Description\n${broken.join('')}`)).toMatch(/^Row 4,002 has a quotation/)
})

test('readCatalogueFile gives others the processor while it reads a hostile file', async () => {
  for (const text of ['\n', ',"\n', 'x\n', '\n"']) {
    let turns = 0
    let done = false
    const count = () => {
      turns += 1
      if (!done) setImmediate(count)
    }
    setImmediate(count)
    await refusal(`Part number\n1${text.repeat(1_000_000 / text.length)}`)
    done = true
    expect(turns, JSON.stringify(text)).toBeGreaterThan(10)
  }
})

test('readCatalogueFile refuses cells, rows and heads that no catalogue has', async () => {
  const head = 'Part number,Name\n'
  expect(await refusal(`${head}1,${'a'.repeat(10_000)}`)).toBeNull()
  expect(await refusal(`${head}1,${'a'.repeat(10_001)}`)).toBe(
    'Row 2 has a cell of more than 10,000 characters.',
  )
  expect(await refusal(`${head}1,"${'a'.repeat(1_000_000)}`)).toMatch(/^Row 2 has a quotation mark/)
  expect(await refusal(','.repeat(100))).toBe('A file can have at most 100 columns, and this one has 101.')
  expect(await refusal(`${'Colour;'.repeat(7)}Part number`)).toMatch(
    /^There are no columns Colour, Colour, Colour, Colour, Colour, 2 more\. /,
  )
})
