import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { api } from '#api/contract.ts'
import { prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { testApi, testShop } from '#test/shop.ts'
import { measure, showMetrics } from './metrics.ts'

const token = 'sixteen-letters-and-more'

interface Asked {
  from: string
  host?: string
  headers?: Record<string, string>
}

/** How `/metrics` answers somebody. */
async function ask(
  { from, host = '127.0.0.1:3000', headers = {} }: Asked,
  { metricsToken, published = false }: { metricsToken?: string; published?: boolean } = {},
) {
  const figures = prometheusMetrics({ pages: [] })
  const app = new Hono().get('/metrics', showMetrics(figures, { metricsToken, published }))
  const socket = { incoming: { socket: { remoteAddress: from } } }
  return (await app.request(`http://${host}/metrics`, { headers }, socket)).status
}

test('a program on the same machine reads the figures', async () => {
  for (const from of ['127.0.0.1', '127.0.0.53', '::1', '::ffff:127.0.0.1']) {
    expect(await ask({ from }), from).toBe(200)
    expect(await ask({ from, host: 'localhost:3000' }), from).toBe(200)
  }
})

test('to anybody else there is no such page', async () => {
  for (const from of [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '2001:db8::1',
    '127.0.0.1.example',
    '10.127.0.0.1',
    '',
  ]) {
    expect(await ask({ from }), from).toBe(404)
  }
})

test('a proxy on the same machine opens nothing to the world', async () => {
  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via', 'X-Forwarded-Host']) {
    expect(await ask({ from: '127.0.0.1', headers: { [name]: '192.0.2.1' } }), name).toBe(404)
  }
  expect(await ask({ from: '127.0.0.1', headers: { 'X-Forwarded-For': '' } })).toBe(404)
  expect(await ask({ from: '127.0.0.1', host: 'shop.example' })).toBe(404)
})

test('being on this machine is not enough where there is a token, or a public address', async () => {
  // A proxy that says nothing of itself looks like a program here.
  expect(await ask({ from: '127.0.0.1' }, { metricsToken: token })).toBe(404)
  expect(await ask({ from: '127.0.0.1' }, { published: true })).toBe(404)
})

test('whoever has the token reads the figures from anywhere', async () => {
  const from = '192.0.2.1'
  const forwarded = { 'X-Forwarded-For': '192.0.2.7' }
  for (const authorization of [`Bearer ${token}`, `bearer  ${token}`]) {
    const set = { metricsToken: token, published: true }
    expect(await ask({ from, headers: { authorization } }, set)).toBe(200)
    expect(await ask({ from: '127.0.0.1', headers: { authorization, ...forwarded } }, set)).toBe(200)
  }
})

test('a wrong token reads nothing, and without the setting no token is right', async () => {
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
    expect(await ask({ from, headers }, { metricsToken: token }), given).toBe(404)
  }
  const headers = { authorization: `Basic ${token}` }
  expect(await ask({ from, headers }, { metricsToken: token })).toBe(404)
  for (const given of ['', 'undefined', token]) {
    expect(await ask({ from, headers: { authorization: `Bearer ${given}` } }), given).toBe(404)
  }
})

test('requests are counted by the name of the call or the kind of place, whatever is typed', async () => {
  const figures = prometheusMetrics({ pages: [] })
  const app = new Hono()
  app.use(measure(figures, api))
  app.route('/', testApi(await testShop()))
  app.get('/assets/*', (c) => c.text('file'))
  app.get('*', (c) => c.html('page'))
  const counted = {
    'GET listParts 2xx': ['/api/part?page=1', '/api/part?page=2'],
    'GET readPart 4xx': ['/api/part/one', '/api/part/two'],
    'GET readOrder 4xx': ['/api/purchase/one'],
    'GET api 4xx': ['/api/create-payment-intent', '/api/no/such/call'],
    'GET api 2xx': ['/api/openapi.json'],
    'GET asset 2xx': ['/assets/one.js'],
    'GET file 2xx': ['/favicon.svg'],
    'GET page 2xx': ['/', '/parts', '/parts/one', '/parts/one.data', '/no/such/page', '/constructor'],
  }
  for (const address of Object.values(counted).flat()) await app.request(address)
  await app.request('/api/part', { method: 'POST' })
  await app.request('/parts', { method: 'PROPFIND' })

  const { body } = await figures.text()
  const found = [...body.matchAll(/_count\{method="(.+)",route="(.+)",status="(.+)"\} (\d+)/g)]
  const expected = Object.entries(counted).map(([key, addresses]) => [key, addresses.length])
  expect(Object.fromEntries(found.map(([, a, b, c, n]) => [`${a} ${b} ${c}`, Number(n)]))).toEqual({
    ...Object.fromEntries(expected),
    'POST addPart 4xx': 1,
    'other page 4xx': 1,
  })
})
