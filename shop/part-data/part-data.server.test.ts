import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { parts } from '#db/schema.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'

const head = 'Part number,Kind,Name,Value,Source,Date,Note'

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const attributes = [
    { name: 'Rotor', category: 'Brakes', kind: 'number', unit: 'mm' },
    { name: 'Sizes', category: 'Brakes', kind: 'range', unit: 'in' },
    { name: 'Mount', category: 'Brakes', kind: 'choice', choices: ['Post', 'Flat'] },
    { name: 'Speeds', category: 'Chains', kind: 'number', unit: 'speed' },
    { name: 'Coated', kind: 'yesNo' },
    { name: 'Remark', kind: 'text' },
  ] as const
  for (const attribute of attributes)
    await admin.addAttribute({
      body: { ...attribute, choices: 'choices' in attribute ? [...attribute.choices] : [] },
    })
  const brake = await createPart(shop, { name: 'Brake', category: 'Brakes', partNumber: 'WW-B1' })
  await createPart(shop, { name: 'Chain', category: 'Chains', partNumber: '00412' })
  const preview = (...lines: string[]) =>
    admin.previewPartData({ body: { csv: [head, ...lines].join('\r\n') } })
  const load = async (csv: string) => {
    const { digest } = await admin.previewPartData({ body: { csv } })
    return admin.importPartData({ body: { csv, digest } })
  }
  const read = async () => (await admin.exportPartData({ body: {} })).text()
  return {
    shop,
    admin,
    brake,
    preview,
    load,
    read,
    import: (...lines: string[]) => load([head, ...lines].join('\r\n')),
  }
}

const lines = [
  'ww-b1,Specification,rotor,18 cm,Own drawing,2026-10-31,Measured',
  'WW-B1,specification,Sizes,1.9-2.4",,,',
  'WW-B1,specification,Mount,post,,,',
  'WW-B1,specification,Remark,"12x148mm, ""wide"", =1+1",,,',
  '00412,specification,Speeds,12s,,,',
  '00412,specification,Coated,yes,,,',
]

test('an import stores facts, and what is exported again changes nothing', async () => {
  const { admin, load, read, ...shop } = await setup()
  expect(await shop.import(...lines)).toEqual({ added: 6, changed: 0, removed: 0, unchanged: 0 })
  const csv = await read()
  expect(csv.trim().split('\r\n')).toEqual([
    head,
    'WW-B1,specification,Rotor,180 mm,Own drawing,2026-10-31,Measured',
    'WW-B1,specification,Sizes,1.9–2.4 in,,,',
    'WW-B1,specification,Mount,Post,,,',
    'WW-B1,specification,Remark,"12 × 148 mm, ""wide"", =1+1",,,',
    '00412,specification,Speeds,12-speed,,,',
    '00412,specification,Coated,Yes,,,',
  ])
  expect(await admin.previewPartData({ body: { csv } })).toMatchObject({ rows: [], errors: 0, unchanged: 6 })
  expect(await load(csv)).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 6 })
  expect(await read()).toBe(csv)

  const xlsx = await admin.exportPartData({ body: { format: 'xlsx' } })
  const { sheets } = await readXlsx(new Uint8Array(await xlsx.arrayBuffer()))
  expect(sheets[0]!.rows[1]).toEqual([
    'WW-B1',
    'specification',
    'Rotor',
    '180 mm',
    'Own drawing',
    '2026-10-31',
    'Measured',
  ])
})

test('a preview names each change and its column', async () => {
  const { preview, ...shop } = await setup()
  await shop.import(...lines)
  const { rows, ...counts } = await preview(
    'WW-B1,specification,Rotor,203,Own drawing,,Measured',
    'WW-B1,specification,Mount,,,,',
    'WW-B1,specification,Coated,No,,,',
    '00412,specification,Remark,,,,',
  )
  expect(counts).toMatchObject({ errors: 0, added: 1, changed: 1, removed: 1, unchanged: 1 })
  expect(
    rows.map(({ row, name, changes }) => [row, name, ...changes.map((one) => Object.values(one).join('|'))]),
  ).toEqual([
    [2, 'Brake: Rotor', 'Value|180 mm|203 mm', 'Date|2026-10-31|'],
    [3, 'Brake: Mount', 'Value|Post|'],
    [4, 'Brake: Coated', 'Value||No'],
  ])
})

test('errors name row and column, and nothing is imported', async () => {
  const { admin, preview, read, ...shop } = await setup()
  const bad: [line: string, column: string | null, message: string][] = [
    [',specification,Rotor,180,,,', 'Part number', 'Part number is required'],
    ['WW-B2,specification,Rotor,180,,,', 'Part number', 'No part has this number'],
    ['WW-B1,colour,Rotor,180,,,', 'Kind', 'Write one of: specification, has, needs, replaced by'],
    ['WW-B1,specification,,180,,,', 'Name', 'The name of an attribute is required'],
    [
      'WW-B1,specification,Speeds,12,,,',
      'Name',
      'Parts in Brakes have no attribute Speeds. They have Rotor, Sizes, Mount, Coated, Remark',
    ],
    ['WW-B1,specification,Rotor,180 bar,,,', 'Value', 'Rotor: Write it in mm, cm, m or in'],
    ['WW-B1,specification,Mount,Nailed,,,', 'Value', 'Mount: Choose one of: Post, Flat'],
    ['WW-B1,specification,Coated,maybe,,,', 'Value', 'Coated: Write Yes or No'],
    ['WW-B1,specification,Remark,Loud,,31.10.2026,', 'Date', 'Write a date as 2026-10-31'],
    [`WW-B1,specification,Remark,${'x'.repeat(501)},,,`, 'Value', 'At most 500 characters'],
    ['WW-B1,specification,Remark,Loud,,,,surplus', null, 'This row has more cells than there are columns'],
  ]
  const { rows, errors } = await preview(...bad.map(([line]) => line), '00412,specification,Speeds,12,,,')
  expect(errors).toBe(bad.length)
  expect(rows.slice(0, bad.length).map(({ row, errors }) => [row, ...errors])).toEqual(
    bad.map(([, column, message], i) => [i + 2, { column, message }]),
  )
  await expect(
    shop.import(...bad.map(([line]) => line), '00412,specification,Speeds,12,,,'),
  ).rejects.toMatchObject({
    status: 400,
    message: 'Some rows have errors. Nothing was imported.',
  })
  expect(await read()).toBe(`${head}\r\n`)
  await expect(
    admin.previewPartData({ body: { csv: 'Part number,Colour\nWW-B1,red' } }),
  ).rejects.toMatchObject({
    fields: { csv: [expect.stringContaining('There’s no column Colour')] },
  })
})

test('a fact that stands in the file twice is refused', async () => {
  const { preview } = await setup()
  const { rows } = await preview('WW-B1,specification,Rotor,180,,,', 'ww-b1,specification,ROTOR,160,,,')
  expect(rows[0]).toMatchObject({
    row: 3,
    errors: [{ column: 'Name', message: 'The part’s Rotor is in row 2, too' }],
  })
})

test('an import that would do something else than its preview showed does nothing', async () => {
  const { shop, admin, brake, read } = await setup()
  const csv = [head, ...lines].join('\n')
  const { digest } = await admin.previewPartData({ body: { csv } })
  await shop.db.update(parts).set({ category: 'Chains' }).where(sql`${parts._id} = ${brake._id}`)
  await expect(admin.importPartData({ body: { csv, digest } })).rejects.toMatchObject({ status: 409 })
  expect(await read()).toBe(`${head}\r\n`)
})

test('the audit log has one entry a part, with what its facts were', async () => {
  const { admin, ...shop } = await setup()
  await shop.import(...lines)
  await shop.import('WW-B1,specification,Rotor,203,,,', 'WW-B1,specification,Mount,,,,')
  const { rows } = await admin.listAuditLog({ body: { action: 'importPartData' } })
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({
    subject: 'Brake',
    before: { Rotor: '180 mm', Mount: 'Post' },
    after: { Rotor: '203 mm', Mount: null },
  })
})
