import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { parts, webhookEvents } from '#db/schema.ts'
import { containsWords, matchesWords } from '#shop/search/match-words.server.ts'
import { buildTerms } from '#shop/search/terms.ts'
import { readSearchText } from '#shop/search/words.server.ts'
import { createPart, testShop } from '#test/shop.ts'
import { validate } from './errors.ts'
import { sortField } from './fields.ts'
import { formatTotal } from './money.ts'
import { countBounded, orderBy, readPage } from './pagination.server.ts'

const sort = sortField(['added', 'name', 'price'])

test('sorting accepts each key in both directions and rejects anything else', () => {
  for (const valid of ['added', '-added', 'name', '-name', 'price', '-price']) {
    expect(validate(sort, valid)).toBe(valid)
  }
  expect(validate(sort, undefined)).toBe(undefined)
  for (const invalid of ['', '-', '--name', 'Name', 'constructor', 'name; drop table parts', ['name']]) {
    const message = ['sort must be one of added, -added, name, -name, price, -price']
    expect(sort.safeParse(invalid).error?.issues.map((issue) => issue.message)).toEqual(message)
  }
})

test('orderBy uses creation order as the tie-breaker, in the direction of the sort', async () => {
  const shop = await testShop()
  const prices = [3, 1, 3, 2, 3, 1]
  for (const [i, perUnitPrice] of prices.entries()) await createPart(shop, { name: `${i}`, perUnitPrice })
  const columns = { added: parts.number, name: sql`lower(${parts.name})`, price: parts.perUnitPrice }
  const names = async (sort?: '-added' | 'price' | '-price' | 'name', fallback?: 'added') => {
    const { rows } = await readPage(shop.db, parts, { orderBy: orderBy(columns, sort, fallback) })
    return rows.map((row) => row.name).join('')
  }
  expect(await names('price')).toBe('153024')
  expect(await names('-price')).toBe('420351')
  expect(await names('name')).toBe('012345')
  expect(await names()).toBe('543210')
  expect(await names(undefined, 'added')).toBe('012345')
})

test('long lists are counted up to 10,001, which people read as 10,000+', async () => {
  const { db } = await testShop()
  const count = (rows: number) => countBounded(db, sql`select from generate_series(1, ${rows}::int)`)
  expect(await Promise.all([0, 10_000, 10_001, 50_000].map(count))).toEqual([0, 10_000, 10_001, 10_001])
  expect([9_999, 10_000, 10_001].map(formatTotal)).toEqual(['9,999', '10,000', '10,000+'])

  await db.execute(
    sql`insert into webhook_events (id, created_at) select generate_series(1, 10002)::text, now()`,
  )
  const page = await readPage(db, webhookEvents, { orderBy: [sql`id::int`], limit: 2, page: 5_001 })
  expect(page).toMatchObject({ rows: [{ _id: '10001' }, { _id: '10002' }], total: 10_001 })
})

test('a search reads each row’s text once, for at most eight different words', async () => {
  const dialect = new PgDialect()
  for (const matches of [matchesWords, containsWords]) {
    const { sql: text, params } = dialect.sqlToQuery(matches(sql`the_text`, `${'e '.repeat(49)}E F`)!)
    expect(text.split('the_text')).toHaveLength(2)
    expect(params).toEqual(['%e%', '%f%'])
    expect(dialect.sqlToQuery(matches(sql`the_text`, 'a b c d e f g h i')!).params).toHaveLength(8)
    expect(matches(sql`the_text`, ' ')).toBeUndefined()
  }
})

test('a search for parts has at most twelve different words', async () => {
  const { db } = await testShop()
  const letters = [...'abcdefghijklmnop']
  const { words } = await readSearchText(db, `${letters.join(' ')} `.repeat(3))
  expect(buildTerms(words, []).map(({ word }) => word)).toEqual(letters.slice(0, 12))
})
