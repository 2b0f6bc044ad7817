import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { listFitting } from './fit-lists.server.ts'
import { fitCondition, readFitSets } from './fit-sets.server.ts'
import { findFitParts } from './part-interfaces.server.ts'

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  async function addPart(partNumber: string, ...interfaces: string[]) {
    const part = await createPart(shop, { name: `Part ${partNumber}`, partNumber })
    for (const text of interfaces) await state(part._id, text)
    return part._id
  }
  async function state(partId: string, text: string, role: 'has' | 'needs' = 'has') {
    const body = { interface: text, role, source: 'Data sheet', date: '2026-11-02' }
    await admin.saveInterface({ params: { partId }, body })
  }
  return { shop, admin, visitor: await clientOf(shop), addPart, state }
}

test('readFit answers by number, id and interface, with the facts and their sources', async () => {
  const { visitor, addPart } = await createScene()
  const cassette = await addPart('WW-CS1', 'cassette-mount:HG')
  await addPart('WW-HR1', 'freehub:HG')
  const fit = await visitor.readFit({ body: { part: 'ww cs1', with: 'WW-HR1' } })
  expect(fit).toMatchObject({ answer: 'fits', because: expect.stringContaining('Both are HG.') })
  expect(fit.facts).toContainEqual({
    of: 'WW-HR1',
    kind: 'freehub',
    fact: 'Body',
    value: 'HG',
    source: 'Data sheet',
    date: '2026-11-02',
  })
  expect(await visitor.readFit({ body: { part: 'freehub:XD', with: cassette } })).toMatchObject({
    answer: 'doesNotFit',
    because: 'HG mount on XD.',
  })
  await expect(visitor.readFit({ body: { part: 'WW-NONE', with: cassette } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(visitor.readFit({ body: { part: 'freehub:none', with: cassette } })).rejects.toMatchObject({
    status: 400,
  })
})

test('an interface is stored once for all parts, and saving it again changes its source', async () => {
  const { shop, admin, visitor, addPart } = await createScene()
  const [one] = [await addPart('WW-1', 'freehub:HG'), await addPart('WW-2', 'freehub: hg')]
  expect(await executeRows(shop.db, sql`select text from interfaces`)).toEqual([{ text: 'freehub:HG' }])
  const body = { interface: 'freehub:HG', role: 'needs' as const, source: 'Letter', date: '2026-11-03' }
  await admin.saveInterface({ params: { partId: one! }, body })
  expect(await visitor.listInterfaces({ params: { partId: one! } })).toEqual([{ ...body, kind: 'freehub' }])
  expect(
    await admin.removeInterface({ params: { partId: one! }, body: { interface: 'freehub:HG' } }),
  ).toEqual({ deletedCount: 1 })
  expect(
    await admin.removeInterface({ params: { partId: one! }, body: { interface: 'freehub:HG' } }),
  ).toEqual({ deletedCount: 0 })
  await expect(
    admin.saveInterface({ params: { partId: one! }, body: { ...body, interface: 'freehub:Sram' } }),
  ).rejects.toMatchObject({
    status: 400,
    fields: { interface: [expect.stringContaining('Body must be one of HG')] },
  })
})

test('listFitting lists the parts that fit in everything they need, in the order of the catalogue', async () => {
  const { shop, addPart, state } = await createScene()
  await addPart('WW-CS1', 'cassette-mount:HG')
  await addPart('WW-CS2', 'cassette-mount:XD')
  // Its rotor mount fits, its axle doesn't.
  const wheel = await addPart('WW-WH1', 'rotor-mount:six-bolt')
  await state(wheel, 'axle-ends:15x110', 'needs')
  const wide = await addPart('WW-WH2', 'rotor-mount:six-bolt')
  await state(wide, 'axle-ends:12x148', 'needs')
  await shop.db.execute(
    sql`update part_interfaces set source = '' where part_id = ${await addPart('WW-CS3', 'cassette-mount:HG')}`,
  )
  const [bike] = await findFitParts(shop.db, ['dropouts:12x148'])
  const owned = {
    name: 'Bike',
    interfaces: [
      ...bike!.interfaces,
      ...(await findFitParts(shop.db, ['rotor:six-bolt', 'freehub:HG'])).flatMap(
        ({ interfaces }) => interfaces,
      ),
    ],
  }
  const numbers = (await listFitting(shop, owned, 10)).map(({ part }) => part.partNumber)
  expect(numbers).toEqual(['WW-CS1', 'WW-WH2'])
  const sets = await readFitSets(shop.db, [owned])
  const rows = await executeRows<{ part_number: string }>(
    shop.db,
    sql`select part_number from parts where ${fitCondition(sets, sql`parts.id`)} order by number`,
  )
  expect(rows.map(({ part_number }) => part_number)).toEqual(numbers)
})
