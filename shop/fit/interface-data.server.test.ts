import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'

const head = 'Part number,Kind,Name,Value,Source,Date,Note'

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { _id: partId } = await createPart(shop, { name: 'Frame', partNumber: 'WW-F1' })
  const preview = (...lines: string[]) =>
    admin.previewPartData({ body: { csv: [head, ...lines].join('\n') } })
  async function load(...lines: string[]) {
    const csv = [head, ...lines].join('\n')
    const { digest } = await admin.previewPartData({ body: { csv } })
    return admin.importPartData({ body: { csv, digest } })
  }
  const read = async () =>
    (await (await admin.exportPartData({ body: {} })).text()).trim().split('\r\n').slice(1)
  return { admin, partId, preview, load, read }
}

test('interfaces are imported, and what is exported again changes nothing', async () => {
  const { admin, load, read, partId } = await createScene()
  const lines = [
    'ww-f1,Has,Dropouts,12 x 148;axle=thru,Drawing,2026-11-02,',
    'WW-F1,has,dropouts,15x110,Drawing,2026-11-02,',
    'WW-F1,needs,Seat tube,"27,2 mm",,,',
    'WW-F1,has,clearance,622;width=66,,,',
  ]
  expect(await load(...lines)).toEqual({ added: 4, changed: 0, removed: 0, unchanged: 0 })
  const exported = await read()
  expect(exported.toSorted()).toEqual([
    'WW-F1,has,clearance,622;width=66,,,',
    'WW-F1,has,dropouts,12x148;axle=thru,Drawing,2026-11-02,',
    'WW-F1,has,dropouts,15x110,Drawing,2026-11-02,',
    'WW-F1,needs,seat-tube,27.2,,,',
  ])
  expect(await load(...exported)).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 4 })
  expect(await read()).toEqual(exported)
  const { rows } = await admin.listAuditLog({ body: { subjectId: partId } })
  expect(rows).toMatchObject([
    { action: 'importPartData', after: { needs: 'seat-tube:27.2' } },
    { action: 'importPartData', after: { has: expect.stringContaining('dropouts:15x110') } },
  ])
})

test('the rows of a kind replace what the part has of it, and an empty value removes it', async () => {
  const { load, preview, read } = await createScene()
  await load('WW-F1,has,dropouts,12x148,Drawing,2026-11-02,', 'WW-F1,has,hanger,UDH,Drawing,2026-11-02,')
  const { rows } = await preview('WW-F1,has,dropouts,12x157,Drawing,2026-11-02,')
  expect(rows[0]!.changes[0]).toEqual({
    column: 'Value',
    before: 'dropouts:12x148',
    after: 'dropouts:12x157',
  })
  await load('WW-F1,has,dropouts,12x157,Drawing,2026-11-02,', 'WW-F1,has,hanger,,,,')
  expect(await read()).toEqual(['WW-F1,has,dropouts,12x157,Drawing,2026-11-02,'])
})

test.for([
  ['WW-F1,has,bike,XD,,,', 'Name', 'No interface is called bike'],
  ['WW-F1,has,,XD,,,', 'Name', 'The kind is required'],
  ['WW-F1,has,dropouts,wide,,,', 'Value', 'Diameter and width must be 12x148'],
  ['WW-F1,has,dropouts,12x148,,,Nice', 'Note', 'Interfaces have no note'],
])('%s is refused in %s', async ([line, column, message]) => {
  const { preview } = await createScene()
  const { rows } = await preview(line!)
  expect(rows).toMatchObject([{ row: 2, errors: [{ column, message }] }])
})

test('a row that stands twice, and what the part states the other way round, are refused', async () => {
  const { load, preview } = await createScene()
  await load('WW-F1,has,hanger,UDH,,,')
  const { rows } = await preview(
    'WW-F1,needs,hanger,UDH,,,',
    'WW-F1,has,dropouts,12x148,,,',
    'WW-F1,has,dropouts,12 x 148,,,',
  )
  expect(rows.flatMap(({ row, errors }) => errors.map(({ column }) => `${row} ${column}`))).toEqual([
    '2 Kind',
    '4 Value',
  ])
})
