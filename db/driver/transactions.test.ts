import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parts } from '#db/schema.ts'
import { dropTestDatabase } from '#test/database.ts'
import { createPart, testShop } from '#test/shop.ts'

test('a transaction that Postgres rolls back because of a deadlock is repeated', async () => {
  const shop = await testShop()
  const [chain, tyre] = [await createPart(shop), await createPart(shop, { name: 'Tyre' })]
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let attempts = 0
  const lockBoth = async (order: (typeof chain)[], own: 0 | 1) => {
    let repeated = false
    await shop.db.transaction(async (tx) => {
      attempts += 1
      // A repeated transaction that locks at once can deadlock with the other again.
      if (repeated) await ended[own === 0 ? 1 : 0].promise
      repeated = true
      for (const { _id } of order) {
        await tx.update(parts).set({ availableQuantity: 7 }).where(eq(parts._id, _id))
        locked[own].resolve()
        await locked[own === 0 ? 1 : 0].promise
      }
    })
    ended[own].resolve()
  }
  await Promise.all([lockBoth([chain, tyre], 0), lockBoth([tyre, chain], 1)])
  expect(attempts).toBe(3)
})

test('a transaction is tried three times, and once when its failure is its own', async () => {
  const { db } = await testShop()
  for (const [code, times] of [
    ['40P01', 3],
    ['40001', 3],
    ['23505', 1],
  ] as const) {
    const work = vi.fn().mockRejectedValue(Object.assign(new Error(code), { code }))
    await expect(db.transaction(work)).rejects.toThrow(code)
    expect(work, code).toHaveBeenCalledTimes(times)
  }
})

test('a transaction whose connection is lost is repeated, and is not repeated when the connection is lost while it is committed', async () => {
  const shop = await testShop()
  onTestFinished(() => dropTestDatabase({ inUse: true }))
  const { _id } = await createPart(shop)
  const stockOf = async () => (await shop.db.select().from(parts))[0]!.availableQuantity
  const takeTen = sql`update parts set available_quantity = available_quantity - 10 where id = ${_id}`
  const disconnect = sql`select pg_terminate_backend(pg_backend_pid())`
  let attempts = 0
  await shop.db.transaction(async (tx) => {
    attempts += 1
    await tx.execute(takeTen)
    if (attempts === 1) await tx.execute(disconnect)
  })
  expect([attempts, await stockOf()]).toEqual([2, 40])

  await shop.db.execute(sql`create function disconnect() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`)
  await shop.db.execute(sql`create constraint trigger disconnect after update on parts deferrable initially deferred
    for each row execute function disconnect()`)
  const lost = shop.db.transaction(async (tx) => {
    attempts += 1
    await tx.execute(takeTen)
  })
  await expect(lost).rejects.toThrow()
  expect([attempts, await stockOf()]).toEqual([3, 40])
})
