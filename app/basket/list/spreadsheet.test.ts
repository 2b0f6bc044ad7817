import { readdirSync, readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { demoParts } from '#db/seed/parts.ts'
import { listTextsToLookUp, parsePartList, readPartList } from '#shop/basket/list/read-list.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { clientOf, createPart, testShop } from '#test/shop.ts'
import { readSpreadsheet } from './spreadsheet.ts'

interface Case {
  id: string
  what: string
  text: string
  want: number | '?'
}

const cases = JSON.parse(readFileSync('test/world/quick-order.json', 'utf8')) as { lists: Case[] }

const folder = 'test/world/spreadsheets'
const files = readdirSync(folder)

async function readFile(file: string) {
  const bytes = new Uint8Array(readFileSync(`${folder}/${file}`))
  if (file.endsWith('.csv')) return new TextDecoder().decode(bytes)
  const result = await readSpreadsheet(bytes)
  if ('error' in result) throw new Error(result.error)
  return result.text
}

const found = new Map<string, PartSummary[]>()

/** Before all tests: a database is dropped after the first one that fails. */
beforeAll(async () => {
  const shop = await testShop()
  for (const { photo, ...part } of demoParts) await createPart(shop, part)
  const client = await clientOf(shop)
  const texts = [...cases.lists.map(({ text }) => text), ...(await Promise.all(files.map(readFile)))]
  for (const text of texts) {
    const list = parsePartList(text)
    if ('error' in list) throw new Error(list.error)
    found.set(text, await client.lookUpParts({ body: { texts: listTextsToLookUp(list.rows) } }))
  }
})

/** The quantity of each part number, or what is asked. */
function readQuantities(text: string) {
  const list = parsePartList(text)
  if ('error' in list) throw new Error(list.error)
  const reading = readPartList(list.rows, found.get(text)!, {})
  if ('question' in reading) return { question: reading.question }
  return {
    quantities: reading.rows.map(({ part, text, quantity }) => [part?.partNumber ?? text, quantity]),
    leftOut: reading.leftOut.map(({ text }) => text),
  }
}

test.for(cases.lists)('a list with $what ($id) has its quantity', ({ text, want }) => {
  const { quantities, question } = readQuantities(text)
  const [first] = quantities ?? []
  if (want === '?') expect(question === undefined && /^\d+$/.test(first![1]!)).toBe(false)
  else expect(first?.[1]).toBe(String(want))
})

test.for(files)('%s of LibreOffice Calc has its quantities', async (file) => {
  const { quantities, leftOut } = readQuantities(await readFile(file))
  expect(quantities).toEqual([
    ['WW-CN12', '1200'],
    ['WW-TY29', '24'],
    ['WW-FK130', '8'],
  ])
  expect(leftOut).toHaveLength(file.startsWith('rows') ? 0 : 2)
})

test('readSpreadsheet refuses other files, empty sheets and what unpacks to too much', async () => {
  const workbook = { 'xl/workbook.xml': strToU8('<workbook/>') }
  const refuse = async (bytes: Uint8Array<ArrayBuffer>) => {
    const result = await readSpreadsheet(bytes)
    return 'error' in result ? result.error : result
  }
  const other = 'This isn’t an .xlsx file. Save your list as .xlsx or CSV, then choose that file.'
  expect(await refuse(strToU8('PK, but no zip') as Uint8Array<ArrayBuffer>)).toBe(other)
  expect(await refuse(zipSync({ 'content.xml': strToU8('<x/>') }))).toBe(other)
  const bomb = zipSync({ ...workbook, 'xl/worksheets/sheet1.xml': new Uint8Array(31_000_000) })
  expect(bomb.length).toBeLessThan(100_000)
  expect(await refuse(bomb)).toBe(
    'This spreadsheet is too large. Copy the rows that you need into a new one.',
  )
  await expect(readSpreadsheet(zipSync(workbook))).rejects.toThrow()
})
