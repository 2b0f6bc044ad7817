import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { sendErrorResponse } from '#api/server.ts'
import { isPagePath, limitManifestPaths } from './page-path.ts'

test('the path of a page can be decoded and has at most 20 segments', () => {
  for (const path of ['/', '/parts/a%20b', '/a'.repeat(20)]) expect(isPagePath(path), path).toBe(true)
  for (const path of ['/%E0%A4%A', '/a'.repeat(21), '/'.repeat(21)])
    expect(isPagePath(path), path).toBe(false)
})

test('React Router looks up the routes of at most 100 paths, each of which may be a page’s', async () => {
  const app = new Hono().get('*', limitManifestPaths, (c) => c.text('looked up'))
  app.onError(sendErrorResponse)
  const statusOf = async (path: string, paths?: string[]) =>
    (await app.request(`${path}${paths ? `?version=1&paths=${encodeURIComponent(paths.join())}` : ''}`))
      .status
  const links = (count: number) => Array.from({ length: count }, (_, i) => `/part/${i}`)
  expect([await statusOf('/__manifest', links(100)), await statusOf('/__manifest', links(101))]).toEqual([
    200, 400,
  ])
  for (const path of ['/a'.repeat(21), '/%E0%A4%A'])
    expect(await statusOf('/__manifest', ['/', path]), path).toBe(400)
  expect([await statusOf('/__manifest'), await statusOf('/parts', links(101))]).toEqual([200, 200])
})
