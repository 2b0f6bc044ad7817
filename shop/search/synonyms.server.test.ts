import { gt } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { synonyms } from '#db/schema.ts'
import { findParts } from '#shop/parts/search.server.ts'
import { clientOf, createPart, createUser, testShop } from '#test/shop.ts'
import { listEmptySearches, recordEmptySearch } from './empty-searches.server.ts'

/** Those that migrations add. */
const seeded = 7

async function createScene() {
  const shop = await testShop()
  await shop.db.delete(synonyms).where(gt(synonyms.number, seeded))
  await createPart(shop, { name: 'Rear derailleur' })
  await createPart(shop, { name: 'Cassette' })
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const find = async (q: string) => (await findParts(shop, { q })).rows.map(({ name }) => name)
  return { shop, admin, find }
}

test('a synonym of an admin is searched for at once, in any case and number, until it is deleted', async () => {
  const { admin, find } = await createScene()
  expect(await find('schaltwerk')).toEqual([])
  const { insertedId: id } = await admin.addSynonym({ body: { phrase: 'Schaltwerks', terms: 'derailleur' } })
  expect(await find('SCHALTWERK rear')).toEqual(['Rear derailleur'])
  await admin.updateSynonym({
    params: { id },
    body: { phrase: 'schaltwerk', terms: 'rear and cassette or derailleur' },
  })
  expect(await find('schaltwerk')).toEqual(['Rear derailleur'])
  await admin.deleteSynonym({ params: { id } })
  expect(await find('schaltwerk')).toEqual([])
})

test('the longest phrase of a search counts', async () => {
  const { admin, find } = await createScene()
  await admin.addSynonym({ body: { phrase: 'gear', terms: 'cassette' } })
  await admin.addSynonym({ body: { phrase: 'gear changer', terms: 'derailleur' } })
  expect(await find('gear changers')).toEqual(['Rear derailleur'])
})

test('a preview shows what is found with and without a synonym, and changes nothing', async () => {
  const { admin, find } = await createScene()
  const body = { phrase: 'schaltwerk', terms: 'derailleur' }
  const rear = { total: 1, parts: [{ name: 'Rear derailleur' }] }
  expect(await admin.previewSynonym({ body })).toMatchObject({ before: { total: 0 }, after: rear })
  expect(await find('schaltwerk')).toEqual([])
  await admin.addSynonym({ body })
  expect(await admin.previewSynonym({ body: { phrase: 'schaltwerk' } })).toMatchObject({
    before: rear,
    after: { total: 0 },
  })
})

test('a phrase twice, and alternatives of several words, are refused in a sentence', async () => {
  const { admin } = await createScene()
  const body = { phrase: 'Disc brakes', terms: 'rotor' }
  await expect(admin.addSynonym({ body })).rejects.toMatchObject({
    status: 409,
    fields: { phrase: ['“disc brake” already has a synonym. Change that one.'] },
  })
  const several = { phrase: 'gear', terms: 'derailleur hanger or cassette' }
  await expect(admin.addSynonym({ body: several })).rejects.toMatchObject({
    status: 400,
    fields: { terms: ['“derailleur hanger” isn’t one word. Put “and” or “or” between words.'] },
  })
})

test('searches without results are counted folded, without what was typed before and persons’ data', async () => {
  const { shop, admin } = await createScene()
  const record = (q: string, userAgent = 'Mozilla/5.0') => recordEmptySearch(shop.db, q, userAgent)
  for (const q of [
    'Schal',
    'Schaltwerk',
    'schältwerk ',
    'ada@example.com',
    '+49 170 123 45 67',
    'x'.repeat(200),
  ])
    await record(q)
  await record('robots', 'ExampleBot/1.0')
  const list = async () => (await listEmptySearches(shop)).rows.map(({ text, count }) => [text, count])
  expect(await list()).toEqual([
    ['schaltwerk', 2],
    ['x'.repeat(100), 1],
  ])
  await admin.addSynonym({ body: { phrase: 'schaltwerk', terms: 'derailleur' } })
  expect(await list()).toEqual([['x'.repeat(100), 1]])
})

test('at most a thousand texts are kept, those that were searched for last', async () => {
  const { shop } = await createScene()
  for (let i = 0; i < 1_003; i++) await recordEmptySearch(shop.db, `word${i}end`, null)
  const { rows, total } = await listEmptySearches(shop, { sort: 'lastOn', limit: 1 })
  expect([total, rows[0]!.text]).toEqual([1_000, 'word3end'])
})
