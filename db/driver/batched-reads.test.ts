import { eq } from 'drizzle-orm'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { parts } from '#db/schema.ts'
import { createPart, testShop } from '#test/shop.ts'
import { batchReads } from './batched-reads.ts'

/** Before a connection is made, which keeps it. */
const query = vi.spyOn(pg.Client.prototype, 'query')

const findPart = batchReads(parts._id, (db, isWanted) => db.select().from(parts).where(isWanted))

test('rows that are read together take one statement, and a later read sees what has changed since', async () => {
  const shop = await testShop()
  const { db } = shop
  const [chain, hub] = [await createPart(shop), await createPart(shop, { name: 'Hub' })]
  query.mockClear()
  const ids = [hub._id, chain._id, 'unknown', hub._id]
  const rows = await Promise.all(ids.map((id) => findPart.read(db, id)))
  expect(rows.map((row) => row?.name)).toEqual(['Hub', 'Chain', undefined, 'Hub'])
  expect(query).toHaveBeenCalledTimes(1)

  await db.update(parts).set({ availableQuantity: 1 }).where(eq(parts._id, hub._id))
  expect((await findPart.read(db, hub._id))?.availableQuantity).toBe(1)
  expect(findPart.recall(db, hub._id)?.availableQuantity).toBe(1)
  await db.delete(parts).where(eq(parts._id, hub._id))
  expect(await findPart.read(db, hub._id)).toBeUndefined()
  expect([findPart.recall(db, hub._id), findPart.recall(db, chain._id)?.name]).toEqual([undefined, 'Chain'])
})

test('rows that cannot be read are an error for each of those who asked', async () => {
  const { db } = await testShop()
  const findNone = batchReads<{ _id: string }>(parts._id, () => ({
    prepare: () => ({ execute: () => Promise.reject(new Error('no connection')) }),
  }))
  const outcomes = await Promise.allSettled([findNone.read(db, 'a'), findNone.read(db, 'b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
