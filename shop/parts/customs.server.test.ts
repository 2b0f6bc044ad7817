import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { parts } from '#db/schema.ts'
import { clientOf, createPart, createUser, testApi, testShop } from '#test/shop.ts'

const form = {
  name: 'Rotor',
  shortDescription: 'Six-bolt',
  description: 'Stops quietly.',
  minQuantity: 36,
  availableQuantity: 500,
  perUnitPrice: 26,
  image: '/images/chain.webp',
}
const customs = { weight: '0.138 kg', taxClass: 'reduced' as const, origin: 'tw', hsCode: '8714.94 90' }
const stored = { weight: 138, taxClass: 'reduced', origin: 'TW', hsCode: '87149490' }
const unknown = { weight: null, taxClass: 'standard', origin: null, hsCode: null }

async function setup() {
  const shop = await testShop()
  await createPart(shop)
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { insertedId: partId } = await admin.addPart({ body: form })
  return {
    shop,
    admin,
    partId,
    update: (change: object) => admin.updatePart({ params: { partId }, body: { ...form, ...change } }),
    read: () => admin.readPart({ params: { partId } }),
    async readChange() {
      const body = { subjectKind: 'part', subjectId: partId, limit: 1 } as const
      const [entry] = (await admin.listAuditLog({ body })).rows
      return { before: entry!.before, after: entry!.after }
    },
  }
}

test('a part of a request without customs fields has the standard tax class and no others', async () => {
  const { read } = await setup()
  expect(await read()).toMatchObject(unknown)
})

test('updatePart keeps the customs fields that a change leaves out, and clears them on request', async () => {
  const { admin, update, read, readChange } = await setup()
  await update(customs)
  expect(await read()).toMatchObject(stored)
  expect(await readChange()).toEqual({ before: unknown, after: stored })
  await update({ perUnitPrice: 27 })
  expect(await read()).toMatchObject({ ...stored, perUnitPrice: 27 })
  expect(await readChange()).toEqual({ before: { perUnitPrice: 26 }, after: { perUnitPrice: 27 } })
  await update({ perUnitPrice: 27, weight: '', origin: null, hsCode: ' ', taxClass: 'standard' })
  expect(await read()).toMatchObject(unknown)
  expect(await readChange()).toEqual({ before: stored, after: unknown })

  const { insertedId: partId } = await admin.addPart({ body: { ...form, name: 'Disc', ...customs } })
  expect(await admin.readProduct({ params: { id: partId } })).toMatchObject(stored)
})

test('wrong customs fields are refused together, each at its field, and nothing is stored', async () => {
  const { update, read } = await setup()
  const wrong = update({ weight: '5 lb', origin: 'XX', hsCode: '87', name: 'New' })
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    fields: {
      weight: ['Enter a weight such as 200 g or 0.2 kg'],
      origin: ['Enter a country code such as DE or TW'],
      hsCode: ['Enter 6 to 10 digits, such as 8714.91 30'],
    },
  })
  expect(await read()).toMatchObject({ ...unknown, name: 'Rotor' })
})

test('of two admins who change a weight, the second is told, and one who kept it changes nothing', async () => {
  const { update, read } = await setup()
  await update({ weight: 200 })
  const seen = { before: { weight: '150 g' } }
  await expect(update({ ...seen, weight: '0.3 kg' })).rejects.toMatchObject({
    status: 409,
    fields: { weight: ['Another admin changed this to “200”. Save again to replace it.'] },
  })
  await update({ ...seen, weight: '0.15 kg' })
  expect(await read()).toMatchObject({ weight: 200 })
})

test('customs fields change neither the words of a part nor any list, and weight and tax class its version alone', async () => {
  const { shop, update } = await setup()
  const api = testApi(shop)
  const readLists = async () => [
    await (await api.request('/api/part')).text(),
    await executeRows(shop.db, sql`select * from part_words order by number`),
    await executeRows(shop.db, sql`select * from part_search order by number`),
  ]
  const before = await readLists()
  expect(before[0]).not.toMatch(/weight|hsCode/)
  await update(customs)
  expect(await readLists()).toEqual(before)
  const readVersions = () => shop.db.select({ version: parts.version }).from(parts).orderBy(parts.number)
  expect(await readVersions()).toEqual([{ version: 1 }, { version: 2 }])
  await update({ ...customs, origin: 'DE', hsCode: '871491' })
  expect(await readVersions()).toEqual([{ version: 1 }, { version: 2 }])
})
