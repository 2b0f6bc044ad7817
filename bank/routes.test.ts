import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testShop } from '../test/shop.ts'
import { bankRoutes } from './routes.ts'

test('bank/README.md lists the routes of the bank and who calls them', async () => {
  const { db } = await testShop()
  const routes = bankRoutes(db, 'sk_test_bank', () => {}).routes.filter(({ method }) => method !== 'ALL')
  const rows = readFileSync('bank/README.md', 'utf8').matchAll(/^\| `((?:GET|POST) [^`]+)` +\| \w/gm)
  const listed = [...rows].map(([, route]) => route)
  expect(listed).toEqual(routes.map(({ method, path }) => `${method} ${path.replace('/v1', '')}`))
})
