import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { auditLog, parts, pictures } from '#db/schema.ts'
import { clientOf, createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'
import { importProducts } from './import.server.ts'

type Row = Record<string, string>

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  const readFile = async () => (await admin.exportProducts({ body: { sort: 'added' } })).text()
  return {
    shop,
    admin,
    readFile,
    order: (partId: string, quantity = 10) =>
      customer.placePurchase({ body: { ...purchase, partId, quantity } }),
    readParts: () => shop.db.select().from(parts).orderBy(parts.number),
    preview: (csv: string) => admin.previewImport({ body: { csv } }),
    async apply(csv: string) {
      const { digest } = await admin.previewImport({ body: { csv } })
      return admin.importProducts({ body: { csv, digest } })
    },
    /** The export, edited as in a spreadsheet. */
    async edit(change: (rows: Row[]) => Row[]) {
      const { data } = Papa.parse<Row>((await readFile()).trimEnd(), { header: true })
      return Papa.unparse(change(data))
    },
  }
}

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        "'",
        '"',
        ',',
        ';',
        '\t',
        '\r',
        '\n',
        ' ',
        '1',
        ':',
        'ß',
        '𝔘',
      ),
      minLength: 1,
      maxLength: 12,
    }),
  )
  .map((text) => text.replaceAll('\0', ''))
const breaks = fc
  .uniqueArray(fc.integer({ min: 2, max: 40 }), { maxLength: 4 })
  .map((steps) =>
    steps.toSorted((a, b) => a - b).map((step, i) => ({ quantity: step * 100, unitPrice: 2_000 - i })),
  )

test('an export that is imported unchanged changes nothing, whatever the texts, separators and line ends are', async () => {
  const { shop, readFile, preview, apply } = await setup()
  const part = fc.record({
    name: text,
    shortDescription: text,
    description: text,
    brand: text,
    category: text,
    cartonSize: fc.constantFrom(null, 12),
    reorderPoint: fc.constantFrom(null, 0, 20),
    priceBreaks: breaks,
    weight: fc.constantFrom(null, 1, 252, 1_000_000),
    taxClass: fc.constantFrom('standard', 'reduced', 'zero'),
    origin: fc.constantFrom(null, 'DE', 'NA'),
    hsCode: fc.constantFrom(null, '871490', '010121', '8714913010'),
    gtin: fc.constantFrom(null, '96385074', '036000291452', '4006381333931', '10614141000415'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (generated) => {
      await shop.db.delete(parts)
      for (const [i, fields] of generated.entries())
        await createPart(shop, { ...fields, name: `${fields.name}${i}`, perUnitPrice: 5_000 })
      const csv = await readFile()
      const { data } = Papa.parse<string[]>(csv.trimEnd(), { delimiter: ',', newline: '\r\n' })
      const others = [
        Papa.unparse(data, { delimiter: ';', newline: '\n' }),
        Papa.unparse(data, { delimiter: '\t', newline: '\r\n', quotes: true }),
      ]
      for (const file of [csv, ...others]) {
        const { rows, unchanged } = await preview(file)
        expect({ rows, unchanged }).toEqual({ rows: [], unchanged: generated.length })
      }
      expect(await apply(csv)).toEqual({ added: 0, changed: 0, unchanged: generated.length })
    }),
    { numRuns: 40 },
  )
  expect(await shop.db.$count(auditLog, eq(auditLog.action, 'importProducts'))).toBe(0)
})

test('importProducts changes what the preview shows, once, and keeps what the file leaves out', async () => {
  const { shop, admin, preview, apply, edit, readParts } = await setup()
  await createPart(shop, { name: 'Chain' })
  await createPart(shop, { name: 'Hub', cartonSize: 10, multiple: 5 })
  const full = await edit(([chain, hub]) => [
    {
      ...chain!,
      Name: 'Hub',
      Price: ' 9,0 ',
      'Price breaks': '100:8; 500:7',
      Stock: '80',
      'Reorder point': '20',
      Brand: '',
    },
    { ...hub!, Name: 'Chain', 'Carton size': '', Stock: '50.00', Description: 'Two\nlines' },
  ])
  const shown = await preview(full)
  expect(shown).toMatchObject({ changed: 2, added: 0, errors: 0, unchanged: 0 })
  expect(shown.rows[0]!.changes).toEqual([
    { column: 'Name', before: 'Chain', after: 'Hub' },
    { column: 'Price', before: '7', after: '9' },
    { column: 'Stock', before: '50', after: '80' },
    { column: 'Reorder point', before: '', after: '20' },
    { column: 'Brand', before: 'Talon', after: '' },
    { column: 'Price breaks', before: '', after: '100+: $8, 500+: $7' },
  ])
  expect(await apply(full)).toEqual({ changed: 2, added: 0, unchanged: 0 })
  const stored = await readParts()
  expect(stored).toMatchObject([
    {
      name: 'Hub',
      perUnitPrice: 9,
      availableQuantity: 80,
      reorderPoint: 20,
      brand: '',
      priceBreaks: [{ quantity: 100 }, {}],
    },
    { name: 'Chain', cartonSize: null, multiple: 5, description: 'Two\nlines', availableQuantity: 50 },
  ])
  const params = { partId: stored[0]!._id }
  const { rows: movements } = await admin.listStockMovements({ params, body: { limit: 1 } })
  expect(movements).toMatchObject([{ kind: 'corrected', quantity: 30, balance: 80 }])
  for (const file of [full, full.replace('Two\nlines', 'Two\r\nlines')])
    expect(await apply(file)).toEqual({ changed: 0, added: 0, unchanged: 2 })
  await apply(`\ufeffprice;PART NUMBER\n12;${stored[0]!.partNumber.toLowerCase()};;\n\n`)
  expect(await readParts()).toMatchObject([{ ...stored[0]!, perUnitPrice: 12, version: 4 }, stored[1]!])
})

test('importProducts reads customs columns as people write them, and names what is wrong', async () => {
  const { shop, preview, apply, edit, readParts } = await setup()
  const known = { weight: 252, taxClass: 'reduced', origin: 'PT', hsCode: '731511' } as const
  for (const name of ['Chain', 'Hub']) await createPart(shop, { name, ...known })
  const cells = {
    'Weight (g)': ['1.96 kg', '', '0.252 kg', '1,960', '0'],
    'Tax class': ['Zero', 'standard', 'REDUCED', 'luxury', ''],
    'Country of origin': ['tw', '', 'pt ', 'EU', 'Portugal'],
    'HS code': ['8714.91 30', '', '7315.11', '8714.9', '12345678901'],
  }
  const editCells = (at: number) =>
    edit(([chain]) => [
      { ...chain!, ...Object.fromEntries(Object.entries(cells).map(([k, v]) => [k, v[at]!])) },
    ])
  const written = await editCells(0)
  expect((await preview(written)).rows[0]!.changes).toEqual([
    { column: 'Weight (g)', before: '252', after: '1960' },
    { column: 'Tax class', before: 'reduced', after: 'zero' },
    { column: 'Country of origin', before: 'PT', after: 'TW' },
    { column: 'HS code', before: '7315 11', after: '8714 91 30' },
  ])
  expect(await apply(written)).toMatchObject({ changed: 1 })
  const changed = { weight: 1_960, taxClass: 'zero', origin: 'TW', hsCode: '87149130' }
  expect(await readParts()).toMatchObject([{ ...changed, version: 2 }, known])
  const [entry] = await shop.db.select().from(auditLog).where(eq(auditLog.action, 'importProducts'))
  expect(entry).toMatchObject({ before: known, after: changed })
  await apply(await editCells(2))
  expect(await readParts()).toMatchObject([known, known])
  expect(await preview(await editCells(2))).toMatchObject({ unchanged: 1, changed: 0 })
  await apply(await editCells(1))
  const unknown = { weight: null, taxClass: 'standard', origin: null, hsCode: null }
  expect(await readParts()).toMatchObject([unknown, known])
  for (const at of [3, 4]) {
    const { rows } = await preview(await editCells(at))
    expect(rows[0]!.errors.map(({ column }) => column)).toEqual(Object.keys(cells))
  }
  const added = await edit(([row]) => [
    {
      'Part number': 'NEW-1',
      Name: 'New',
      Picture: row!.Picture!,
      Price: '7',
      Stock: '1',
      'Minimum quantity': '1',
      Description: 'd',
      'Short description': 's',
    },
  ])
  expect(await apply(added)).toMatchObject({ added: 1 })
  expect(await readParts()).toMatchObject([unknown, known, unknown])
})

test('a new part number adds a part when the shop has its picture', async () => {
  const { shop, preview, apply, edit, readParts } = await setup()
  await createPart(shop, { image: '/images/hub.webp', views: ['/images/side.webp'] })
  await createPart(shop, {
    name: 'New',
    partNumber: 'NEW-1',
    image: '/images/gone.webp',
    views: ['/images/back.webp'],
    deletedAt: new Date().toISOString(),
  })
  await shop.db.insert(pictures).values({ url: '/images/old.webp', removedAt: new Date().toISOString() })
  const add = (row: Row) => edit(([chain]) => [{ ...chain!, 'Part number': 'NEW-1', Name: 'New', ...row }])
  const missing = ['unknown', 'old', 'gone', 'back'].map((name) => `/images/${name}.webp`)
  for (const Picture of ['', 'https://example.com/a.png', ...missing]) {
    const { rows, errors } = await preview(await add({ Picture }))
    expect([errors, rows[0]!.errors[0]!.column], Picture).toEqual([1, 'Picture'])
  }
  for (const Picture of ['/images/side.webp', '/images/hub.webp', '/images/chain.webp'])
    expect(await preview(await add({ Picture })), Picture).toMatchObject({ added: 1, errors: 0 })
  expect(await apply(await add({}))).toEqual({ added: 1, changed: 0, unchanged: 0 })
  const [chain, gone, added] = await readParts()
  const { _id, number, createdAt, partNumber, name, views, ...same } = chain!
  expect(added).toMatchObject({ ...same, partNumber: 'NEW-1', name: 'New', views: [] })
  expect(gone!.deletedAt).not.toBeNull()
})

test('errors are named by row and column, and one in the last row keeps all others from being imported', async () => {
  const { shop, admin, preview, edit, readParts } = await setup()
  for (const name of ['Chain', 'Hub', 'Saddle', 'Bell']) await createPart(shop, { name })
  const before = await readParts()
  const csv = await edit(([chain, hub, saddle, bell]) => [
    { ...chain!, Price: '9' },
    { ...hub!, Price: '7.50', 'Price breaks': 'cheap' },
    { ...saddle!, Name: 'BELL', 'Minimum quantity': '' },
    {},
    { ...saddle!, Name: 'Pump' },
    { ...bell!, 'Carton size': '15', Multiple: '10' },
    { ...bell!, 'Part number': ' ' },
    { ...bell!, 'Part number': '' },
    { ...bell!, 'Part number': 'NEW-1', Name: 'Horn' },
    { ...bell!, 'Part number': 'NEW-2', Name: 'HORN' },
  ])
  const { rows, digest } = await preview(csv)
  const found = rows.flatMap(({ row, errors }) =>
    errors.map(({ column, message }) => `${row} ${column}: ${message}`),
  )
  expect(found).toEqual([
    '3 Price breaks: Write price breaks such as 100+: $6, 500+: $5',
    '4 Minimum quantity: Minimum Quantity is required',
    '6 Part number: This part number is in row 4, too',
    '7 Carton size: Must be a multiple of 10',
    '8 Part number: Part number is required',
    '9 Part number: Part number is required',
    '11 Name: A part named HORN already exists',
  ])
  expect(rows.map(({ kind }) => kind)).toEqual([...found.map(() => 'error'), 'add', 'change'])
  await expect(admin.importProducts({ body: { csv, digest } })).rejects.toMatchObject({ status: 400 })
  expect(await readParts()).toEqual(before)
  const thousands: Row[] = [{ 'Price breaks': '10+: $9,255' }, { Price: '3.000' }, { Stock: '10,000' }]
  for (const cells of thousands) {
    const { rows } = await preview(await edit(([chain]) => [{ ...chain!, ...cells }]))
    expect(rows).toMatchObject([{ kind: 'error', errors: [{ column: Object.keys(cells)[0] }] }])
  }
  const taken = await preview(await edit(([chain]) => [{ ...chain!, Name: 'BELL' }]))
  expect(taken.rows[0]!.errors).toEqual([{ column: 'Name', message: 'A part named BELL already exists' }])
})

test('a file that cannot be read is refused with what is wrong with it', async () => {
  const { preview } = await setup()
  for (const [csv, message] of [
    ['Part number,Colour\nA,red', 'There’s no column Colour. Use the columns of the export: '],
    ['Name,Price\nA,1', 'The column Part number is missing.'],
    ['Part number,Name,name\nA,b,c', 'The column Name is in this file twice.'],
    ['Part number,Name\nA,"b\nC,d', 'Row 2 has a quotation mark that isn’t closed.'],
    ['Part number,Name\n,\n', 'This file has no rows below the column names.'],
    [`Part number\n${'A\n'.repeat(10_001)}`, 'A file can have at most 10,000 rows, and this one has 10,001.'],
  ] as const)
    await expect(preview(csv)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    })
  expect((await preview(`Part number\n${'A\n'.repeat(10_000)}`)).errors).toBe(10_000)
  const { rows } = await preview('Part number,Name\nA,b,c')
  expect(rows[0]!.errors[0]!.message).toBe('This row has more cells than there are columns')
})

test('of 1,001 changed parts a preview shows 500, and an import changes all', async () => {
  const { shop, preview, apply, edit, readParts } = await setup()
  const { _id, number, partNumber, ...chain } = await createPart(shop)
  await shop.db
    .insert(parts)
    .values(Array.from({ length: 1_000 }, (_, i) => ({ ...chain, name: `${i}`, partNumber: `P-${i}` })))
  const lengths = (i: number) => (i === 0 ? 200 : 201)
  const csv = await edit((rows) =>
    rows.map((row, i) => ({ ...row, Price: '9', Description: 'x'.repeat(lengths(i)) })),
  )
  const { rows, changed } = await preview(csv)
  expect([rows.length, changed]).toEqual([500, 1_001])
  const descriptions = rows.slice(0, 2).map(({ changes }) => changes[0]!.after)
  expect(descriptions).toEqual(['x'.repeat(200), `${'x'.repeat(200)}…`])
  expect(await apply(csv)).toMatchObject({ changed: 1_001 })
  expect(await shop.db.$count(auditLog, eq(auditLog.action, 'importProducts'))).toBe(1_001)
  const stored = await readParts()
  expect(stored.every(({ perUnitPrice }) => perUnitPrice === 9)).toBe(true)
  expect(stored.map(({ description }) => description.length)).toEqual(stored.map((_, i) => lengths(i)))
})

test('what was sold since the export stays sold, and a stock edited since then is refused', async () => {
  const { shop, preview, apply, edit, order } = await setup()
  // A price like the stock is a price all the same.
  const chain = await createPart(shop, { perUnitPrice: 7, availableQuantity: 59 })
  const withoutExported = (row: Row) => {
    const { 'Stock when exported': _, ...rest } = row
    return rest
  }
  const priced = await edit(([row]) => [{ ...row!, Price: '59' }])
  const kept = await edit(([row]) => [{ ...withoutExported(row!), Price: '10' }])
  const stocked = await edit(([row]) => [{ ...row!, Price: '10', Stock: '60' }])
  const blank = await edit(([row]) => [{ ...row!, Stock: '60', 'Stock when exported': '' }])
  const unknown = await edit(([row]) => [{ ...withoutExported(row!), Stock: '60' }])
  const empty = await edit(([row]) => [{ ...withoutExported(row!), Stock: '' }])
  expect(await preview(unknown)).toMatchObject({ errors: 1 })
  expect(await apply(kept)).toMatchObject({ changed: 1 })
  await order(chain._id)
  expect(await apply(priced)).toMatchObject({ changed: 1 })
  expect(await readStock(shop, chain)).toBe(49)
  for (const [csv, message] of [
    [stocked, 'The stock was 59 when this file was exported and is 49 now. Export again, or remove the'],
    [blank, 'The stock was not stated when this file was exported and is 49 now.'],
    [unknown, 'To change the stock, keep the column Stock when exported'],
    [kept, 'To change the stock, keep the column Stock when exported'],
    [empty, 'To change the stock, keep the column Stock when exported'],
  ] as const)
    expect((await preview(csv)).rows[0]!.errors[0]).toEqual({
      column: 'Stock',
      message: expect.stringContaining(message),
    })
  expect(await readStock(shop, chain)).toBe(49)
})

test('an import is refused when the catalogue changed since its preview', async () => {
  const { shop, admin, preview, edit, order } = await setup()
  const chain = await createPart(shop)
  const csv = await edit(([row]) => [{ ...row!, Stock: '60' }])
  const { digest } = await preview(csv)
  await order(chain._id)
  await expect(admin.importProducts({ body: { csv, digest } })).rejects.toMatchObject({
    status: 409,
    message: 'The catalogue changed since the preview. Check it again.',
  })
  expect(await readStock(shop, chain)).toBe(40)
})

test('an import keeps what is sold meanwhile, and is refused when a part changes then', async () => {
  const { shop, admin, preview, edit, order, readParts } = await setup()
  const chain = await createPart(shop)
  const boss = await createUser(shop, 'Other', 'admin')
  /** As another process would `act` after the import has read the catalogue. */
  const importAfter = async (act: () => Promise<unknown>, change: Row) => {
    const csv = await edit((rows) => [...rows.slice(0, -1), { ...rows.at(-1)!, ...change }])
    const { digest } = await preview(csv)
    const db = new Proxy(shop.db, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
        return async (...work: Parameters<typeof target.transaction>) => {
          await act()
          return target.transaction(...work)
        }
      },
    })
    return importProducts({ db }, boss, { csv, digest })
  }
  const sell = () => order(chain._id)
  expect(await importAfter(sell, { Price: '9' })).toMatchObject({ changed: 1 })
  expect(await readParts()).toMatchObject([{ perUnitPrice: 9, availableQuantity: 40 }])

  const restock = () => admin.restockPart({ params: { partId: chain._id }, body: { arrived: 5 } })
  const refused = { code: 'conflict', message: 'The catalogue changed since the preview. Check it again.' }
  await expect(importAfter(restock, { Stock: '60', Name: 'Belt' })).rejects.toMatchObject(refused)
  const add = (part: object) => () => createPart(shop, { name: 'Hub', ...part })
  for (const [part, change] of [
    [{ partNumber: 'new-1' }, { Name: 'New' }],
    [{ name: 'NEW', partNumber: 'N-2' }, { Name: 'New' }],
  ] as const)
    await expect(importAfter(add(part), { 'Part number': 'NEW-1', ...change })).rejects.toMatchObject(refused)
  expect(await readParts()).toMatchObject([
    { name: 'Chain', availableQuantity: 45 },
    { partNumber: 'new-1' },
    { name: 'NEW' },
  ])
})

test('imports at once, during orders, keep the stock exact: each is applied once or refused', async () => {
  const { shop, admin, preview, edit, order, readParts } = await setup()
  const [chain] = [
    await createPart(shop, { availableQuantity: 500 }),
    await createPart(shop, { name: 'Hub' }),
  ]
  const csv = await edit(([row, hub]) => [
    { ...row!, Price: '9' },
    { ...hub!, Stock: '60' },
  ])
  const { digest } = await preview(csv)
  const imports = ['a', 'b', 'c', 'a'].map((key) => admin.importProducts({ body: { csv, digest }, key }))
  const orders = Array.from({ length: 20 }, () => order(chain._id))
  const [outcomes, placed] = await Promise.all([Promise.allSettled(imports), Promise.allSettled(orders)])
  const sold = placed.filter(({ status }) => status === 'fulfilled').length
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await readParts()).toMatchObject([
    { perUnitPrice: 9, availableQuantity: 500 - 10 * sold },
    { availableQuantity: 60 },
  ])
  expect(await shop.db.$count(auditLog, eq(auditLog.action, 'importProducts'))).toBe(2)
})

test('a part number that a spreadsheet changed is an error that names the likely part', async () => {
  const { shop, preview, readParts } = await setup()
  for (const [i, partNumber] of ['00412', '10-11', 'WW-CN12', '100000'].entries())
    await createPart(shop, { partNumber, name: `Part ${i}` })
  const before = await readParts()
  for (const [typed, likely] of [
    ['412', '00412'],
    ['11-Oct', '10-11'],
    ['WWCN12', 'WW-CN12'],
    ['ＷＷ－ＣＮ１２', 'WW-CN12'],
    ['WW\u2011CN12', 'WW-CN12'],
    ['1.00E+05', '100000'],
  ] as const) {
    const { rows, added } = await preview(`Part number;Price\nWW-CN12;9\n${typed};9`)
    expect(added).toBe(0)
    expect(rows[0]).toMatchObject({
      row: 3,
      kind: 'error',
      errors: [
        {
          column: 'Part number',
          message: `Did a spreadsheet change ${likely} to ${typed}? Write ${likely}, or add ${typed} as a new part in Add A Product`,
        },
      ],
    })
  }
  expect(await readParts()).toEqual(before)
})

test('what spreadsheets and people put around cells and above the columns is read', async () => {
  const { shop, preview } = await setup()
  await createPart(shop, { partNumber: '00412', name: 'Chain' })
  const change = { kind: 'change', changes: [{ column: 'Price', before: '7', after: '9' }] }
  for (const [csv, row] of [
    ['Part number,Price\n="00412",="9"', 2],
    ['Part number,Price\n"=""00412""",9', 2],
    ["Part number,Price\n'00412,'9", 2],
    ['Part number,Price\n\ufeff00412\u200b,\u00a09\u00a0', 2],
    ['sep=;\nPart number;Price\n00412;9', 2],
    ['\ufeffsep=;\r\nPart number;Price\r\n00412;9\r\n', 2],
    ['"sep=,"\nPart number,Price\n00412,9', 2],
    ['Part\u00a0number,\u200bPrice\u00a0\n00412,9', 2],
    ['Products, October\n\nPart number,Price\n00412,9', 4],
    ['Products of the shop;;\r\nPart number;Price\r\n00412;9', 3],
    ['"Part number","Price"\r"00412","9"\r', 2],
    ['Products\rPart number\tPrice\r00412\t9\r', 3],
  ] as const)
    expect((await preview(csv)).rows, JSON.stringify(csv)).toMatchObject([{ row, ...change }])
  await expect(preview('PK\u0003\u0004xl/workbook.xml')).rejects.toMatchObject({
    message: 'This is an Excel file. In your spreadsheet, save it as CSV UTF-8, and choose that file.',
  })
})

test('a change of invisible characters alone changes nothing', async () => {
  const { shop, preview, edit } = await setup()
  await createPart(shop, { description: 'Two words\nand more', brand: 'Ta\u00adlon' })
  const invisible: Row[] = [
    { Description: 'Two\u00a0words\r\nand\u200b more' },
    { Brand: '\u2060Talon' },
    { 'Price breaks': '\u200b' },
    { Price: '\u00a07' },
  ]
  for (const change of invisible)
    expect(await preview(await edit(([chain]) => [{ ...chain!, ...change }]))).toMatchObject({
      unchanged: 1,
      rows: [],
    })
  const { changed } = await preview(
    await edit(([chain]) => [{ ...chain!, Description: 'Two words and\u200b more' }]),
  )
  expect(changed).toBe(1)
})
