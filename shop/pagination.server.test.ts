import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts } from '#db/schema.ts'
import { createPart, testShop } from '#test/shop.ts'
import { validate } from './errors.ts'
import { sortField } from './fields.ts'
import { orderBy, readPage } from './pagination.server.ts'

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
