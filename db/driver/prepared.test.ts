import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { parts, type Queries } from '#db/schema.ts'
import { createPart, testShop } from '#test/shop.ts'
import { prepareOnce } from './prepared.ts'

test('a prepared statement is built once, and runs on each database and in its transactions', async () => {
  const build = vi.fn()
  const findNames = prepareOnce((db: Queries) => {
    build()
    return db
      .select({ name: parts.name })
      .from(parts)
      .where(eq(parts._id, sql.placeholder('id')))
  })
  const shop = await testShop()
  const { db } = shop
  const { _id: id } = await createPart(shop)
  expect(await findNames(db, { id })).toEqual([{ name: 'Chain' }])
  const renamed = db.transaction(async (tx) => {
    await tx.update(parts).set({ name: 'Hub' }).where(eq(parts._id, id))
    expect(await findNames(tx, { id })).toEqual([{ name: 'Hub' }])
    expect(await findNames(db, { id })).toEqual([{ name: 'Chain' }])
    throw new Error('undo')
  })
  await expect(renamed).rejects.toThrow('undo')
  expect(await findNames(db, { id })).toEqual([{ name: 'Chain' }])
  expect(build).toHaveBeenCalledTimes(1)
})
