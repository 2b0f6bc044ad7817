import { asc, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { orderLines, orders, parts } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { cancelPurchase } from '#shop/orders/close/cancel.server.ts'
import { createPart, createUser, purchase, type TestShop, testShop } from '#test/shop.ts'
import { placeOrder } from './place.server.ts'

const { SOAK_RUNS, SOAK_SEED } = process.env
const [partCount, buyerCount, basketSize] = [12, 60, 5]

const basket = fc
  .shuffledSubarray([...Array(partCount).keys()], { minLength: basketSize, maxLength: basketSize })
  .chain((which) =>
    fc.record({
      lines: fc.tuple(
        ...which.map((part) =>
          fc.record({ part: fc.constant(part), quantity: fc.integer({ min: 1, max: 4 }) }),
        ),
      ),
      cancels: fc.boolean(),
    }),
  )
/** Fewer than all together want. */
const stocks = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: partCount, maxLength: partCount })
const round = fc.record({
  stocks,
  baskets: fc.array(basket, { minLength: buyerCount, maxLength: buyerCount }),
})

test('60 buyers at once with 5 overlapping parts each get whole orders or a reason, and exactly the stock is sold', async () => {
  const shop = await testShop()
  const buyers = await Promise.all(
    Array.from({ length: buyerCount }, (_, i) => createUser(shop, `Buyer${i}`)),
  )
  for (let i = 0; i < partCount; i++) await createPart(shop, { name: `Part ${i}`, minQuantity: 1 })
  const all = await shop.db.select({ _id: parts._id }).from(parts).orderBy(asc(parts.number))

  async function play({ stocks, baskets }: typeof round extends fc.Arbitrary<infer R> ? R : never) {
    const before = await readStocks(shop)
    for (const [i, { _id }] of all.entries())
      await shop.db.update(parts).set({ availableQuantity: stocks[i]! }).where(sql`${parts._id} = ${_id}`)
    const outcomes = await Promise.allSettled(
      baskets.map(async ({ lines, cancels }, i) => {
        const wanted = lines.map(({ part, quantity }) => ({ partId: all[part]!._id, quantity }))
        const order = await placeOrder(shop, buyers[i]!, { ...purchase, lines: wanted })
        expect(order.lines).toHaveLength(basketSize)
        if (cancels) await cancelPurchase(shop, buyers[i]!, order.lines[1]!._id)
      }),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') expectReason(outcome.reason)
    const after = await readStocks(shop)
    expect(after.map(({ left, sold }, i) => left + sold - before[i]!.sold)).toEqual(stocks)
    expect(Math.min(...after.map(({ left }) => left))).toBeGreaterThanOrEqual(0)
  }

  const numRuns = Number(SOAK_RUNS ?? 2)
  const seed = Number(SOAK_SEED ?? Date.now() % 1_000_000)
  for (const [i, one] of fc.sample(round, { numRuns, seed }).entries())
    await play(one).catch((cause) => {
      throw new Error(`SOAK_SEED=${seed}, round ${i + 1}: ${cause.message}`, { cause })
    })
  await expectNumbersWithoutGaps(shop)
  await expectNoDeadlock(shop)
})

function expectReason(error: unknown) {
  expect(error).toBeInstanceOf(ShopError)
  const { code, message } = error as ShopError
  expect(['conflict', 'invalid']).toContain(code)
  expect(message).toMatch(
    /^(Part \d+: (Purchase can't be higher than \d+ available quantity|Purchase atleast minimum 1 quantity)\. ?)+$/,
  )
}

function readStocks({ db }: TestShop) {
  return db
    .select({
      left: parts.availableQuantity,
      sold: sql<number>`(select coalesce(sum(l.quantity), 0)::int from ${orderLines} l
        where l.part_id = ${parts}.id and l.cancelled_at is null)`,
    })
    .from(parts)
    .orderBy(asc(parts.number))
}

async function expectNumbersWithoutGaps({ db }: TestShop) {
  const [count] = await executeRows<{ gaps: number }>(
    db,
    sql`select (max(number) - min(number) + 1 - count(*))::int as gaps from ${orders}`,
  )
  expect(count!.gaps).toBe(0)
}

async function expectNoDeadlock({ db }: TestShop) {
  if (!inject('postgresUrl')) return
  await db.execute(sql`select pg_stat_force_next_flush()`)
  const [stats] = await executeRows<{ deadlocks: number }>(
    db,
    sql`select deadlocks::int from pg_stat_database where datname = current_database()`,
  )
  expect(stats!.deadlocks).toBe(0)
}
