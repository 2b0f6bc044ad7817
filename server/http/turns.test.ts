import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from '#api/server.ts'
import { limitBodyByPath, limitPictures, readBodyFirst, takeTurns } from './turns.ts'

/** As server/app.ts does. */
function useAsApp(app: Hono) {
  const inTurn = takeTurns(() => '192.0.2.1')
  for (const path of ['/api/*', '/identity/*', '/payments/*'])
    app.use(path, limitBodyByPath, readBodyFirst, inTurn)
}

function setup() {
  const started: string[] = []
  const release = Promise.withResolvers<void>()
  const app = new Hono()
  app.use(takeTurns((c) => c.req.header('x-client')!, 2))
  app.get('/:name', async (c) => {
    started.push(c.req.param('name'))
    await release.promise
    return c.text('done')
  })
  const get = (name: string, client: string, signal?: AbortSignal) =>
    app.request(
      new Request(`http://shop.test/${name}`, { headers: { 'x-client': client }, signal: signal ?? null }),
    )
  return { started, release, get }
}

test('requests above the limit of a client wait, and those of other clients do not', async () => {
  const { started, release, get } = setup()
  const clients = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2::1']
  const responses = clients.map((client, i) => get(`${i}`, client))
  await expect.poll(() => started).toEqual(['0', '1', '3'])
  release.resolve()
  for (const response of responses) expect((await response).status).toBe(200)
  expect(started).toEqual(['0', '1', '3', '2'])
})

test('requests of different clients begin in different iterations of the event loop', async () => {
  const app = new Hono()
  app.use(takeTurns((c) => c.req.header('x-client')!, 2))
  let iteration = 0
  const begun: number[] = []
  app.get('/', (c) => {
    begun.push(iteration)
    return c.text('done')
  })
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      iteration += 1
    }
  })()
  const clients = ['192.0.2.1', '192.0.2.1', '198.51.100.1', '203.0.113.1']
  await Promise.all(clients.map((client) => app.request('/', { headers: { 'x-client': client } })))
  isDone = true
  await counting
  expect(new Set(begun).size).toBe(clients.length)
})

test('a request that its client has given up while it waited is not handled', async () => {
  const { started, release, get } = setup()
  const abort = new AbortController()
  const [first, second] = [get('1', '192.0.2.1'), get('2', '192.0.2.1')]
  const third = get('3', '192.0.2.1', abort.signal)
  abort.abort()
  release.resolve()
  await Promise.all([first, second])
  expect((await third).status).toBe(400)
  expect(started).toEqual(['1', '2'])
})

test('of a client, 8 requests for pictures and 12 of the API, the sign-in and the payments are handled at a time', async () => {
  const started: Record<string, number> = {}
  const release = Promise.withResolvers<void>()
  const app = new Hono()
  app.use(
    '/images/*',
    limitPictures(() => '192.0.2.1'),
  )
  useAsApp(app)
  app.all('/:area/*', async (c) => {
    const area = c.req.param('area')
    started[area] = (started[area] ?? 0) + 1
    await release.promise
    return c.text('done')
  })
  const send = (area: string, count: number) =>
    Array.from({ length: count }, () => app.request(`/${area}/any`, { method: 'POST' }))
  const responses = ['images', 'api', 'identity', 'payments', 'parts'].flatMap((area) => send(area, 20))
  const counts = () => {
    const { api = 0, identity = 0, payments = 0, ...others } = started
    return { ...others, together: api + identity + payments }
  }
  await expect.poll(counts).toEqual({ images: 8, parts: 20, together: 12 })
  release.resolve()
  await Promise.all(responses)
  expect(started).toMatchObject({ images: 20, api: 20, identity: 20, payments: 20 })
})

test('a request whose body is slow holds no turn, and its handler gets the whole body', async () => {
  const app = new Hono()
  useAsApp(app)
  app.post('/api/echo', async (c) => c.text(`${c.req.header('x-name')} ${await c.req.text()}`))
  app.post('/identity/echo', async (c) => c.text(`${c.req.header('x-name')} ${await c.req.raw.text()}`))
  const bodies = Array.from({ length: 33 }, () => new TransformStream<Uint8Array, Uint8Array>())
  const send = (area: string, body: ReadableStream | string) => {
    const init = { method: 'POST', headers: { 'x-name': 'Ada' }, body, duplex: 'half' }
    return Promise.resolve(app.request(`/${area}/echo`, init as RequestInit)).then((response) =>
      response.text(),
    )
  }
  const slow = bodies.map(({ readable }, i) => send(i % 2 ? 'api' : 'identity', readable))
  expect(await send('api', 'quick')).toBe('Ada quick')
  expect(await send('identity', 'quick')).toBe('Ada quick')
  for (const { writable } of bodies) {
    const writer = writable.getWriter()
    void writer.write(new TextEncoder().encode('slow'))
    void writer.close()
  }
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['Ada slow']))
})

test('a request body has at most 64 KB, but for the webhook’s, an import’s and a file’s', async () => {
  const app = new Hono()
  app.onError((error, c) => c.text((error as Error & { code?: string }).code ?? ''))
  useAsApp(app)
  app.post('*', (c) => c.text('read'))
  const send = async (path: string, length: number) => {
    const headers = { 'content-length': `${length}` }
    return (await app.request(path, { method: 'POST', headers, body: 'x'.repeat(length) })).text()
  }
  for (const path of ['/api/messages', '/identity/sign-in/email', '/payments/bank'])
    expect([await send(path, 65_536), await send(path, 65_537)], path).toEqual(['read', 'too-large'])
  expect(await send('/payments/webhook', 262_144)).toBe('read')
  for (const path of ['/api/product-imports', '/api/tax-certificate'])
    expect(await send(path, 262_144)).toBe('read')
})

test('bodies with a declared length, in chunks and without either reach the handlers, up to their limit', async () => {
  const app = new Hono()
  app.onError((error, c) => c.text((error as Error & { code?: string }).code ?? error.message))
  useAsApp(app)
  app.post('/api/echo', limitBody, async (c) => c.text(`read ${await c.req.text()}`))
  app.post('/identity/echo', limitBody, async (c) => c.text(`read ${await c.req.raw.text()}`))
  // Replaced as in a shop, and restored for other test files of this process.
  const { Request, Response } = globalThis
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const send = async (path: string, rest: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text) => {
      received += text
    })
    socket.write(`POST ${path} HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n${rest}`)
    await once(socket, 'close')
    return received.split('\r\n\r\n')[1]
  }
  const long = 'x'.repeat(70_000)
  const inChunks = (text: string) =>
    `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  try {
    for (const path of ['/api/echo', '/identity/echo']) {
      expect(await send(path, 'Content-Length: 3\r\n\r\nabc'), path).toBe('read abc')
      expect(await send(path, inChunks('abc')), path).toBe('read abc')
      expect(await send(path, '\r\n'), path).toBe('read ')
      expect(await send(path, `Content-Length: 70000\r\n\r\n${long}`), path).toBe('too-large')
      expect(await send(path, inChunks(long)), path).toBe('too-large')
    }
  } finally {
    server.close()
    for (const [name, value] of Object.entries({ Request, Response }))
      Object.defineProperty(globalThis, name, { value })
  }
})
