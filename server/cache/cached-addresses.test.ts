import { expect, test } from 'vitest'
import { cachedAddress, keysOfPart } from './cached-addresses.ts'

const keyOf = (url: string, cookies?: string) => cachedAddress(url, cookies)?.key

test('pages of one visitor, searches and addresses that only a client would invent are not kept', () => {
  for (const url of [
    ...['/part/a', '/dashboard', '/dashboard/payment/a', '/outbox', '/reset-password', '/confirm-email'],
    ...['/parts?q=chain', '/parts?brand=Talon', '/parts?page=1', '/parts?page=02', '/parts?x=1', '/parts?'],
    ...['/?utm=1', '//', '/parts/', '/parts/a/b', '/parts/%61', '/parts/a?x', `/parts/${'a'.repeat(101)}`],
    ...['/parts.data', '/parts.data?_routes=root', '/parts/a.data', '/dashboard.data', '/login.data'],
    ...['/api/part?limit=3', '/api/part/a?x', '/api/purchase', '/api/user', '/login?returnPath=/', '*', ''],
    'http://127.0.0.1/parts',
  ])
    expect(cachedAddress(url, undefined), url).toBeNull()
})

test('a page depends on the cookies of the theme and the menu alone, an API call on none', () => {
  expect(keyOf('/', 'a=b; theme=night; token=secret')).toBe(keyOf('/', 'theme=night'))
  expect(
    new Set([keyOf('/'), keyOf('/', 'theme=night'), keyOf('/', 'theme=day'), keyOf('/', 'signed-in=yes')])
      .size,
  ).toBe(4)
  expect(keyOf('/', 'theme=other; signed-in=maybe')).toBe(keyOf('/'))
  expect(keyOf('/api/part', 'theme=night')).toBe(keyOf('/api/part'))
})

test('keysOfPart names the part’s page in each theme, its data and its call', () => {
  const cookies = ['theme=day', 'theme=night', undefined].flatMap((theme) =>
    ['signed-in=yes', undefined].map((menu) => [theme, menu].filter(Boolean).join('; ')),
  )
  const documents = ['/api/part/a', '/parts/a.data?_routes=catalogue%2Fpart-page'].map((url) => keyOf(url))
  const keys = [...cookies.map((cookie) => keyOf('/parts/a', cookie)), ...documents]
  expect(keysOfPart('a').toSorted()).toEqual(keys.toSorted())
})

test('lists of the catalogue by filters with few values are kept', () => {
  for (const url of ['/parts?page=2', '/parts?sort=-price', '/parts?available=true&view=list&page=2'])
    expect(keyOf(url), url).toBe(url)
})

test('pages and calls that show the stock of several parts are told apart', () => {
  const shows = (url: string) => cachedAddress(url, undefined)!.showsStock
  const data = '.data?_routes=catalogue%2F'
  const lists = [
    '/',
    '/home',
    '/parts',
    '/parts?page=2',
    '/parts/a',
    '/api/part',
    '/_.data?_routes=content%2Fhome',
  ]
  for (const url of [
    ...lists,
    `/parts${data}catalogue`,
    `/parts/a${data}part-page`,
    '/home.data?_routes=home',
  ])
    expect(shows(url), url).toBe(true)
  for (const url of [
    '/api/part/a',
    '/reviews',
    '/terms',
    '/sitemap.xml',
    '/sitemaps/1.xml',
    '/sitemaps/drawings.xml',
  ])
    expect(shows(url), url).toBe(false)
})
