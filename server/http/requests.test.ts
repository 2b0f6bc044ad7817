import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { api } from '#api/contract.ts'
import { prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { signToken } from '#shop/users/tokens.server.ts'
import { sendLog } from '#telemetry/log.ts'
import { createUser, testApi, testShop } from '#test/shop.ts'
import type { TrustProxy } from './client-address.ts'
import { measureRequests } from './metrics.ts'
import { identifyRequests } from './requests.ts'

function logged() {
  const lines: Record<string, unknown>[] = []
  sendLog({ write: (line) => lines.push(JSON.parse(line)) }, 'info')
  return lines
}

async function idFor(trust: TrustProxy, sent: string, from = '10.0.0.7') {
  const app = new Hono().use(identifyRequests(trust)).get('/', (c) => c.text('home'))
  const socket = { incoming: { socket: { remoteAddress: from } } }
  const response = await app.request('/', { headers: { 'X-Request-Id': sent } }, socket)
  return response.headers.get('x-request-id')
}

test('a request has the id of a trusted proxy if that made it, and a new one otherwise', async () => {
  const [ofNginx, ofCaddy] = ['0123456789abcdef0123456789abcdef', '01234567-89ab-4def-8123-456789abcdef']
  for (const id of [ofNginx, ofCaddy]) {
    expect(await idFor(1, id)).toBe(id)
    expect(await idFor(['10.0.0.0/8'], id)).toBe(id)
    expect(await idFor(['10.0.0.0/8'], id, '192.0.2.1')).not.toBe(id)
    expect(await idFor(false, id)).not.toBe(id)
  }
  const chosen = ['admin', 'proxy-1.a_b', 'x'.repeat(32), ofNginx + ofNginx, `${ofNginx}, ${ofNginx}`]
  for (const id of [...chosen, '{"level":"fatal"}', 'ada@example.com', ''])
    expect(await idFor(1, id), id).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/))
})

test('each request writes one line with its call, member, status and id, and without its address', async () => {
  const shop = await testShop()
  const ada = await createUser(shop, 'Ada')
  const token = await signToken(shop, 'access', { _id: ada._id, tokenVersion: 0 })
  const app = new Hono()
    .use(identifyRequests(false))
    .use(measureRequests(prometheusMetrics({ pages: [] }), api))
  app.get('/assets/*', (c) => c.text('file'))
  app.route('/', testApi(shop))
  const lines = logged()
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.request(`/api/profiles/${ada.email}?search=secret+wish`, { headers })
  await app.request('/images/upload?key=0123456789', { method: 'POST' })
  await app.request('/assets/one.js')
  expect(lines).toMatchObject([
    {
      level: 'info',
      msg: 'request',
      route: 'readProfile',
      method: 'GET',
      status: 200,
      actorId: ada._id,
      requestId: response.headers.get('x-request-id'),
      durationMs: expect.any(Number),
    },
    { route: 'uploadPicture', method: 'POST', status: 401 },
  ])
  expect(lines[1]).not.toHaveProperty('actorId')
  expect(JSON.stringify(lines)).not.toMatch(/ada@|wish|0123456789/)
})

test('the line of an error has the id that the client got', async () => {
  const app = new Hono().use(identifyRequests(false)).route('/', testApi(await brokenShop()))
  const lines = logged()
  const response = await app.request('/api/part?search=wish')
  expect(response.status).toBe(500)
  const requestId = response.headers.get('x-request-id')
  expect(lines).toMatchObject([
    { level: 'error', msg: 'request failed', route: 'listParts', requestId },
    { level: 'info', msg: 'request', route: 'listParts', requestId, status: 500 },
  ])
})

async function brokenShop() {
  const shop = await testShop()
  const select = () => {
    throw new Error('Failed query: select 1\nparams: wish')
  }
  return { ...shop, db: Object.assign(Object.create(shop.db), { select, $count: select }) }
}
