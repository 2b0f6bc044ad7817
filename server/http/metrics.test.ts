import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { api } from '#api/contract.ts'
import { prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { testApi, testShop } from '#test/shop.ts'
import { measureRequests, metricsHandler } from './metrics.ts'

const token = 'sixteen-letters-and-more'

interface MetricsRequest {
  from: string
  host?: string
  headers?: Record<string, string>
}

async function requestMetrics(
  { from, host = '127.0.0.1:3000', headers = {} }: MetricsRequest,
  { metricsToken, hasPublicUrl = false }: { metricsToken?: string; hasPublicUrl?: boolean } = {},
) {
  const metrics = prometheusMetrics({ pages: [] })
  const app = new Hono().get('/metrics', metricsHandler(metrics, { metricsToken, hasPublicUrl }))
  const socket = { incoming: { socket: { remoteAddress: from } } }
  return (await app.request(`http://${host}/metrics`, { headers }, socket)).status
}

test('a local request can read /metrics', async () => {
  for (const from of ['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1']) {
    expect(await requestMetrics({ from }), from).toBe(200)
    expect(await requestMetrics({ from, host: 'localhost:3000' }), from).toBe(200)
  }
})

test('a remote request gets 404', async () => {
  for (const from of [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '2001:db8::1',
    '127.0.0.1.example',
    '10.127.0.0.1',
    '',
  ]) {
    expect(await requestMetrics({ from }), from).toBe(404)
  }
})

test('a request forwarded by a local proxy gets 404', async () => {
  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via', 'X-Forwarded-Host']) {
    expect(await requestMetrics({ from: '127.0.0.1', headers: { [name]: '192.0.2.1' } }), name).toBe(404)
  }
  expect(await requestMetrics({ from: '127.0.0.1', headers: { 'X-Forwarded-For': '' } })).toBe(404)
  expect(await requestMetrics({ from: '127.0.0.1', host: 'shop.example' })).toBe(404)
})

test('a local request gets 404 when a token or a public URL is set', async () => {
  // A proxy without forwarding headers looks like a local client.
  expect(await requestMetrics({ from: '127.0.0.1' }, { metricsToken: token })).toBe(404)
  expect(await requestMetrics({ from: '127.0.0.1' }, { hasPublicUrl: true })).toBe(404)
})

test('a request with the token can read /metrics from anywhere', async () => {
  const from = '192.0.2.1'
  const forwarded = { 'X-Forwarded-For': '192.0.2.7' }
  for (const authorization of [`Bearer ${token}`, `bearer  ${token}`]) {
    const set = { metricsToken: token, hasPublicUrl: true }
    expect(await requestMetrics({ from, headers: { authorization } }, set)).toBe(200)
    expect(await requestMetrics({ from: '127.0.0.1', headers: { authorization, ...forwarded } }, set)).toBe(
      200,
    )
  }
})

test('a wrong token, or any token when none is configured, gets 404', async () => {
  const from = '192.0.2.1'
  for (const given of [
    '',
    token.slice(1),
    `${token}x`,
    token.toUpperCase(),
    `${token} ${token}`,
    'undefined',
  ]) {
    const headers = { authorization: `Bearer ${given}` }
    expect(await requestMetrics({ from, headers }, { metricsToken: token }), given).toBe(404)
  }
  const headers = { authorization: `Basic ${token}` }
  expect(await requestMetrics({ from, headers }, { metricsToken: token })).toBe(404)
  for (const given of ['', 'undefined', token]) {
    expect(await requestMetrics({ from, headers: { authorization: `Bearer ${given}` } }), given).toBe(404)
  }
})

test('requests that were served from memory are counted by route', async () => {
  const metrics = prometheusMetrics({ pages: [] })
  const hits = { page: 1, api: 0 }
  metrics.countFromMemory(hits)
  for (hits.page of [2, 5])
    expect((await metrics.text()).body).toContain(
      `http_requests_from_memory_total{route="page"} ${hits.page}\n`,
    )
})

test('requests are counted by call name or route kind', async () => {
  const metrics = prometheusMetrics({ pages: [] })
  const app = new Hono()
  app.use(measureRequests(metrics, api))
  app.route('/', testApi(await testShop()))
  app.get('/assets/*', (c) => c.text('file'))
  app.get('*', (c) => c.html('page'))
  const counted = {
    'GET listParts 2xx': ['/api/part?page=1', '/api/part?page=2'],
    'GET readPart 4xx': ['/api/part/one', '/api/part/two'],
    'GET readPurchase 4xx': ['/api/purchase/one'],
    'GET api 4xx': ['/api/create-payment-intent', '/api/no/such/call'],
    'GET api 2xx': ['/api/openapi.json'],
    'GET asset 2xx': ['/assets/one.js'],
    'GET file 2xx': ['/favicon.svg'],
    'GET page 2xx': ['/', '/parts', '/parts/one', '/parts/one.data', '/no/such/page', '/constructor'],
  }
  for (const path of Object.values(counted).flat()) await app.request(path)
  await app.request('/api/part', { method: 'POST' })
  await app.request('/parts', { method: 'PROPFIND' })

  const { body } = await metrics.text()
  const matches = [...body.matchAll(/_count\{method="(.+)",route="(.+)",status="(.+)"\} (\d+)/g)]
  const expected = Object.entries(counted).map(([key, paths]) => [key, paths.length])
  expect(Object.fromEntries(matches.map(([, a, b, c, n]) => [`${a} ${b} ${c}`, Number(n)]))).toEqual({
    ...Object.fromEntries(expected),
    'POST addPart 4xx': 1,
    'other page 4xx': 1,
  })
})
