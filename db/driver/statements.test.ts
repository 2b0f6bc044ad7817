import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testShop } from '#test/shop.ts'
import { executeRows } from './rows.ts'

test('a connection prepares a statement once, not a search or a very long one, and at most 500', async () => {
  const { db } = await testShop()
  await db.transaction(async (tx) => {
    const prepared = () =>
      executeRows<{ statement: string }>(tx, sql`select statement from pg_prepared_statements`)
    for (const value of [1, 2]) await tx.execute(sql`select ${value}::int as twice_x`)
    const long = 'y'.repeat(6_000)
    await tx.execute(sql`select ${1}::int /* ${sql.raw(long)} */`)
    await tx.execute(sql`select ${'chain'}::text like ${'%c%'} as is_found`)
    const texts = (await prepared()).map(({ statement }) => statement)
    expect(texts.filter((text) => text.includes('twice_x'))).toHaveLength(1)
    for (const unprepared of [long, 'is_found'])
      expect(texts.filter((text) => text.includes(unprepared))).toEqual([])
    for (let i = 0; i < 600; i++) {
      const [row] = await executeRows(tx, sql`select ${i}::int as ${sql.identifier(`n${i}`)}`)
      expect(row).toEqual({ [`n${i}`]: i })
    }
    expect((await prepared()).length).toBeLessThanOrEqual(500)
  })
})
