import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { attributes, installation, partAttributes, parts, reviews, users } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { demoParts } from '#db/seed/parts.ts'
import { demoReviews } from '#db/seed/reviews.ts'
import { demoSpecifications } from '#db/seed/specifications.ts'
import { seedDemo } from '#server/seed.ts'
import { seedSpecifications } from '#server/seed-specifications.ts'
import { commandLine } from '#shop/audit/record.server.ts'
import { deleteProduct } from '#shop/parts/edit.server.ts'
import { findParts } from '#shop/parts/search.server.ts'
import { listSpecifications } from '#shop/specifications/specifications.server.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'
import { countDemoData, refuseDemoData, removeDemoData } from './demo-data.ts'

const demoRows = demoParts.map(({ photo: _, ...part }) => ({ ...part, image: '/images/demo.webp' }))
const [first, second] = demoParts.map(({ photo: _, ...part }) => part)

/** Of a demo that did not confirm addresses yet. */
const oldAdmin = {
  issuer: 'test',
  subject: 'a',
  email: demoAdmin.email,
  name: 'Boss',
  role: 'admin',
} as const

test('seedDemo fills an empty shop once, with accounts whose addresses are confirmed', async () => {
  const shop = await testShop()
  await shop.db.insert(users).values(oldAdmin)
  for (let start = 0; start < 2; start++) await seedDemo(shop, shop.identity.register)
  const accounts = await shop.db.select().from(users).orderBy(users.number)
  const emailConfirmedAt = expect.any(String)
  expect(accounts).toMatchObject([
    { email: demoAdmin.email, name: 'Boss', role: 'admin', emailConfirmedAt },
    { email: demoCustomer.email, role: 'customer', emailConfirmedAt },
  ])
  expect(await shop.db.$count(parts)).toBe(demoParts.length)
  expect(await shop.db.$count(reviews)).toBe(demoReviews.length)
})

test('each part of the demo has specifications, and these go with it', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const own = { name: 'Chainline', category: 'Own', kind: 'number', unit: 'mm' } as const
  const { insertedId: attributeId } = await admin.addAttribute({ body: own })
  const { _id: partId } = await createPart(shop, { category: 'Own' })
  const values = [{ attributeId, value: '52', before: '' }]
  await admin.updateSpecifications({ params: { partId }, body: { values } })
  await seedSpecifications(shop.db, await shop.db.insert(parts).values(demoRows).returning())
  const found = await shop.db.select().from(parts)
  const specified = await listSpecifications(
    shop,
    found.map(({ _id }) => _id),
  )
  for (const { _id, partNumber } of found.filter((part) => part._id !== partId))
    expect(specified.get(_id)?.length, partNumber).toBeGreaterThanOrEqual(3)
  expect(Object.keys(demoSpecifications)).toHaveLength(demoParts.length)

  await removeDemoData(shop.db)
  expect(await shop.db.select({ name: attributes.name }).from(attributes)).toEqual([{ name: 'Chainline' }])
  expect(await shop.db.$count(partAttributes)).toBe(1)
})

test('seedDemo adds nothing to a shop that has parts of its own', async () => {
  const shop = await testShop()
  await createPart(shop)
  await seedDemo(shop, null)
  expect([await shop.db.$count(parts), await shop.db.$count(users)]).toEqual([1, 0])
})

test('data of a demo is refused, whatever its admin has renamed, until it is removed', async () => {
  const shop = await testShop()
  await expect(refuseDemoData(shop.db)).resolves.toBeUndefined()

  const remnants = [
    () => createPart(shop, first!),
    () => createPart(shop, { ...second!, name: 'Renamed' }),
    () => createPart(shop, { ...second!, description: 'Rewritten.' }),
    () => shop.identity.register(demoCustomer),
    () => shop.db.insert(users).values(oldAdmin),
  ]
  for (const create of remnants) {
    await create()
    await expect(refuseDemoData(shop.db)).rejects.toThrow(
      /^The database contains the demo’s accounts or parts, .*\.$/,
    )
    await removeDemoData(shop.db)
    await expect(refuseDemoData(shop.db)).resolves.toBeUndefined()
  }
})

test('removing the demo leaves no account, order, payment or key, and keeps other parts and the tables of other programs', async () => {
  const shop = await testShop()
  await shop.db.execute(sql`create schema crm; create table crm.leads as select 1 as id`)
  const own = await createPart(shop, { name: 'Own chain' })
  await createPart(shop, first!)
  await shop.db.insert(installation).values({ one: true, fingerprint: 'demo' })
  await shop.identity.register(demoAdmin)
  await shop.db.insert(users).values({ issuer: 'test', subject: 'a', ...demoAdmin, role: 'admin' })
  const customer = await createUser(shop, 'Ada')
  const client = await clientOf(shop, customer)
  const body = { ...purchase, quantity: 10, partId: own._id, price: 70 }
  await payOrderByCard(shop, customer, await client.placePurchase({ body }))
  const counted = Object.fromEntries(await countDemoData(shop.db))
  expect(counted).toMatchObject({
    parts: 1,
    users: 2,
    orders: 1,
    ledger: 1,
    installation: 1,
    'identity.users': 1,
  })

  await removeDemoData(shop.db)
  expect(await countDemoData(shop.db)).toEqual([])
  const tables = await executeRows<{ name: string }>(
    shop.db,
    sql`select schemaname || '.' || tablename as name from pg_tables
      where schemaname in ('public', 'identity', 'bank')
        and tablename not in ('migrations', 'functions', 'parts', 'part_search', 'part_words', 'facet_names', 'pictures', 'opening_stock', 'search_words', 'synonyms')`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables)
    expect(await executeRows(shop.db, sql`select 1 from ${sql.raw(name)}`), name).toEqual([])
  expect(await executeRows(shop.db, sql`select id from crm.leads`)).toEqual([{ id: 1 }])
  expect(await shop.db.select({ name: parts.name }).from(parts)).toEqual([{ name: 'Own chain' }])
  expect((await findParts(shop, { q: 'chain' })).rows.map(({ name }) => name)).toEqual(['Own chain'])
  const words = await executeRows<{ word: string }>(shop.db, sql`select word from search_words`)
  expect(words.map(({ word }) => word)).toContain('chain')
  expect(words.map(({ word }) => word)).not.toContain('chainring')
  expect(await shop.db.$count(users, eq(users.email, demoAdmin.email))).toBe(0)
  await deleteProduct(shop, commandLine, own._id)
  await expect(shop.db.execute(sql`delete from audit_log`), 'append-only again').rejects.toThrow()
})
