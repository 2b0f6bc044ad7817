import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, describe, expect, test } from 'vitest'
import { serveFiles } from './static-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-files-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'assets/app-1a2b.js'), 'plain')
writeFileSync(join(folder, 'assets/app-1a2b.js.br'), 'compressed')
writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), 'gzipped')
writeFileSync(join(folder, 'logo.svg'), '<svg/>')
afterAll(() => rmSync(folder, { recursive: true }))

const app = new Hono().get('*', serveFiles(folder)).get('*', (c) => c.text('page'))

describe('static files', () => {
  test('a file with a hash in its name is immutable and compressed for browsers that accept Brotli', async () => {
    const response = await app.request('/assets/app-1a2b.js', {
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    })
    expect(await response.text()).toBe('compressed')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-length': '10',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
  })

  test('a client gets the best encoding that it accepts', async () => {
    const cases = {
      'gzip, deflate, br': 'compressed',
      gzip: 'gzipped',
      'br;q=0, gzip': 'gzipped',
      'br;q=0,gzip;q=0': 'plain',
      'GZIP;q=0.5': 'gzipped',
      identity: 'plain',
      '': 'plain',
    }
    for (const [accepted, body] of Object.entries(cases)) {
      const response = await app.request('/assets/app-1a2b.js', { headers: { 'accept-encoding': accepted } })
      expect([accepted, await response.text()]).toEqual([accepted, body])
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(response.headers.has('content-encoding')).toBe(body !== 'plain')
    }
  })

  test('any other file is cached for an hour and returns 304 when it is unchanged', async () => {
    const { headers } = await app.request('/logo.svg')
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    const tag = headers.get('etag')!
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag}`, '*']) {
      const again = await app.request('/logo.svg', { headers: { 'if-none-match': tags } })
      expect([again.status, await again.text(), again.headers.get('etag')], tags).toEqual([304, '', tag])
      expect(again.headers.get('cache-control')).toBe('public, max-age=3600')
    }
    const other = await app.request('/logo.svg', { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  test('paths without a file go to the next handler', async () => {
    for (const path of ['/', '/assets', '/assets/../logo.png', '/constructor'])
      expect(await (await app.request(path)).text(), path).toBe('page')
  })

  test('HEAD returns the headers without a body', async () => {
    const response = await app.request('/logo.svg', { method: 'HEAD' })
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['6', ''])
  })
})
