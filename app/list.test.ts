import { expect, test } from 'vitest'
import { paging } from '#shop/fields.ts'
import { perPage, readList } from './list.ts'

const read = (page: number, count: number, total: number) =>
  readList(new Request(`http://shop.test/reviews?page=${page}`), paging, async () => ({
    rows: Array(count).fill('row'),
    total,
  }))

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
