import { expect, test } from 'vitest'
import { optionalText, paging, sortField } from '#shop/fields.ts'
import { allOrdersQuery } from '#shop/orders/order.ts'
import { perPage, readList, withoutPage } from './list.ts'
import { listUrl } from './query-url.ts'

const read = (page: number, count: number, total: number) =>
  readList(new Request(`http://shop.test/reviews?page=${page}`), paging, async () => ({
    rows: Array(count).fill('row'),
    total,
  }))

const schema = paging.extend({ q: optionalText(100), sort: sortField(['name']) })

test('a list ignores invalid, unknown and other limits of rows, and reads 20 rows', async () => {
  const url = 'http://shop.test/reviews?q=+chain+&sort=colour&page=2&limit=1000&colour=red'
  const queries: object[] = []
  const { query } = await readList(new Request(url), schema, async (read) => {
    queries.push(read)
    return { rows: [], total: 40 }
  })
  expect(queries).toEqual([{ q: 'chain', page: 2, limit: 20 }])
  expect(query).toEqual({ q: 'chain', page: 2 })
  expect(withoutPage(query)).toEqual({ q: 'chain' })
  const listed = listUrl('/reviews', { sort: '-name', q: ' chain ', status: '  ', page: 2 })
  expect(listed).toBe('/reviews?q=chain&sort=-name&page=2')
  expect(listUrl('/reviews', { q: undefined, page: 1 })).toBe('/reviews')
})

test('parameters that are valid alone and not together are ignored', async () => {
  const url = 'http://shop.test/orders?q=chain&lines=100&limit=100'
  const sizes = { sizes: [100] }
  const { query } = await readList(
    new Request(url),
    allOrdersQuery,
    async (read) => ({ rows: [read], total: 1 }),
    sizes,
  )
  expect(query).toEqual({ limit: 100 })
})

test('a page past the last one redirects to it', async () => {
  expect(await read(2, 10, 30)).toMatchObject({ pages: 2, isCounted: true })
  const redirect = await read(3, 0, 30).catch((response: Response) => response)
  expect((redirect as Response).headers.get('location')).toBe('/reviews?page=2')
})

test('a list of more rows than are counted has pages as long as they have rows', async () => {
  const pages = async (page: number, count: number) => (await read(page, count, 10_001)).pages
  expect([await pages(1, perPage), await pages(501, perPage), await pages(502, perPage)]).toEqual([
    501, 502, 503,
  ])
  expect(await pages(617, 5)).toBe(617)
  const redirect = await read(618, 0, 10_001).catch((response: Response) => response)
  expect((redirect as Response).headers.get('location')).toBe('/reviews?page=501')
})
