import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connectionOptions, limitConnections } from '#server/http/connections.ts'
import { requireHost } from '#server/http/host.ts'
import { createMemory } from './memory.ts'
import { isRendering } from './rendering.ts'

// As in a build: the development server renders each page.
beforeEach(() => void vi.stubEnv('DEV', false))
afterEach(() => void vi.unstubAllEnvs())

const script = 'console.log("Parts")'
const injected = '<script>alert(1)</script>'
const pageWith = (nonce: string) =>
  `<html><script${nonce}>${script}</script><script${nonce} src="/a.js"></script>${injected}${'<p>Chain</p>'.repeat(200)}</html>`
const page = pageWith('')

/** A server whose pages are the same for everybody but `/part/a`. `rendered` are the paths that no memory could respond to. */
async function listen() {
  const rendered: string[] = []
  const state = { closing: false }
  const rendering = { held: Promise.resolve(), fails: false }
  let [arrived, ended] = [0, 0]
  let change = () => {}
  const app = new Hono<{ Variables: { secureHeadersNonce: string } }>()
  let hits: Record<string, number> = {}
  const memory = await createMemory(app, {
    origin: 'http://shop.test',
    clientAddressOf: () => '192.0.2.1',
    state,
    metrics: {
      countFromMemory(counts) {
        hits = counts
      },
    },
    watchChanges: async (listener) => {
      change = () => listener([{ kind: 'content' }])
      return { isConnected: () => true }
    },
  })
  app.use(requireHost)
  app.use(memory.middleware)
  app.use(secureHeaders({ contentSecurityPolicy: { scriptSrc: [NONCE, "'strict-dynamic'"] } }))
  app.get('*', async (c) => {
    rendered.push(c.req.path)
    await rendering.held
    if (rendering.fails) return c.text('No database', 500)
    c.header('X-Rendering', String(isRendering(c)))
    c.header('Vary', 'Cookie')
    return c.req.path === '/api/part'
      ? c.json([])
      : c.html(pageWith(` nonce="${c.get('secureHeadersNonce')}"`))
  })
  const server = serve({
    fetch: app.fetch,
    port: 0,
    serverOptions: connectionOptions,
    // Other test files use the same process.
    overrideGlobalObjects: false,
  }) as Server
  limitConnections(server, {
    connections: null,
    clientAddressOf: () => '192.0.2.1',
    respondAtOnce: memory.respondAtOnce,
    respondOnceRendered: memory.respondOnceRendered,
  })
  server.on('request', (_, response) => {
    arrived += 1
    response.once('close', () => {
      ended += 1
    })
  })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo

  /** Sends requests on one connection and returns all that is received until the server closes it. */
  async function exchange(...requests: string[]) {
    const socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', (data: Buffer) => received.push(data))
    socket.write(requests.join(''))
    await once(socket, 'close')
    return Buffer.concat(received)
  }
  const origin = `http://127.0.0.1:${port}`
  const counts = { arrived: () => arrived, ended: () => ended }
  return { hits, rendered, rendering, ...counts, change, state, exchange, origin }
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: shop.test', ...headers, '', ''].join('\r\n')
const last = get('/part/a', 'Connection: close')

/** Status lines and bodies of compressed or plain responses. */
function parse(received: Buffer) {
  const responses: { status: string; headers: Map<string, string>; body: Buffer }[] = []
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [status = '', ...lines] = rest.subarray(0, end).toString().split('\r\n')
    const headers = new Map(
      lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
    )
    const length = status.includes('304') ? 0 : Number(headers.get('content-length'))
    responses.push({ status, headers, body: rest.subarray(end + 4, end + 4 + length) })
    rest = rest.subarray(end + 4 + length)
    // The last response of a test is chunked.
    if (Number.isNaN(length)) break
  }
  return responses
}

test('a page from memory has the headers and body of the rendered one, in each encoding', async () => {
  const { hits, rendered, exchange } = await listen()
  for (const [encoding, decompress] of [
    ['identity', String],
    ['gzip', (body: Buffer) => String(gunzipSync(body))],
    ['gzip;q=1, br;q=0', (body: Buffer) => String(gunzipSync(body))],
    ['gzip, deflate, br, zstd', (body: Buffer) => String(brotliDecompressSync(body))],
  ] as const) {
    const request = get('/', `Accept-Encoding: ${encoding}`)
    const [first] = parse(await exchange(request, last))
    const before = hits.page!
    const [second] = parse(await exchange(request, last))
    expect(hits.page, encoding).toBe(before + 1)
    expect(decompress(second!.body), encoding).toBe(page)
    expect({ ...second, headers: visible(second!.headers) }, encoding).toEqual({
      ...first,
      headers: visible(first!.headers),
    })
  }
  // Once, unless a busy machine takes so long that it is rendered again ahead of time.
  expect(rendered.filter((path) => path === '/').length).toBeLessThan(4)
})

/** In order of names, without the date. */
function visible(headers: Map<string, string>) {
  return [...headers].filter(([name]) => name !== 'date').sort()
}

test('requests of a page that is being rendered wait for it and get it from memory, or its error', async () => {
  const { hits, rendered, rendering, arrived, origin } = await listen()
  for (const [path, expected] of [
    ['/', [page, page, page]],
    ['/terms', Array(3).fill('No database')],
  ] as const) {
    const before = { arrived: arrived(), hits: hits.page! }
    const { promise, resolve: release } = Promise.withResolvers<void>()
    rendering.held = promise
    rendering.fails = path === '/terms'
    const read = async () => (await fetch(origin + path)).text()
    const first = read()
    await expect.poll(() => rendered).toContain(path)
    const others = [read(), read()]
    await expect.poll(arrived).toBe(before.arrived + 3)
    release()
    expect(await Promise.all([first, ...others])).toEqual(expected)
    expect(hits.page! - before.hits, path).toBe(2)
  }
  expect(rendered).toEqual(['/', '/terms'])
})

test('a request after a change does not wait for what is rendered since before it', async () => {
  const { rendered, rendering, change, origin } = await listen()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  rendering.held = promise
  const before = fetch(`${origin}/`)
  await expect.poll(() => rendered).toEqual(['/'])
  change()
  const after = fetch(`${origin}/`)
  await expect.poll(() => rendered).toEqual(['/', '/'])
  release()
  for (const response of [before, after]) expect(await (await response).text()).toBe(page)
})

test('requests wait for the first one of their client that waits for its turn to render, and are handled when it is gone', async () => {
  const { hits, rendering, rendered, arrived, ended, origin } = await listen()
  for (const [round, path] of ['/terms', '/privacy'].entries()) {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    rendering.held = promise
    const before = { arrived: arrived(), ended: ended(), rendered: rendered.length, hits: hits.page! }
    // As many as a client may have rendered at a time.
    const parts = Array.from({ length: 12 }, (_, i) => fetch(`${origin}/parts/${round}${i}`))
    await expect.poll(() => rendered).toHaveLength(before.rendered + 12)
    const abort = new AbortController()
    const first = fetch(origin + path, { signal: abort.signal })
    await expect.poll(arrived).toBe(before.arrived + 13)
    const second = fetch(origin + path)
    await expect.poll(arrived).toBe(before.arrived + 14)
    const firstIsGone = path === '/privacy'
    if (firstIsGone) {
      abort.abort()
      await expect(first).rejects.toThrow('aborted')
      await expect.poll(ended).toBe(before.ended + 1)
    }
    release()
    await Promise.all(parts)
    expect(await (await second).text(), path).toBe(page)
    expect(hits.page! - before.hits, path).toBe(firstIsGone ? 0 : 1)
    expect(rendered.filter((address) => address === path)).toHaveLength(1)
  }
})

test('the policy of a page from memory allows its own inline scripts by hash, and that of other pages has a nonce', async () => {
  const { exchange } = await listen()
  const policyOf = (received: Buffer) => parse(received)[0]!.headers.get('content-security-policy')
  const hash = createHash('sha256').update(script).digest('base64')
  for (const _ of ['rendered', 'from memory'])
    expect(policyOf(await exchange(get('/'), last))).toBe(`script-src 'self' 'sha256-${hash}'`)
  expect(policyOf(await exchange(last))).toMatch(/^script-src 'nonce-[\w+/=]{24}' 'strict-dynamic'$/)
})

test('a client that has the response gets 304, and HEAD gets no body', async () => {
  const { exchange, hits } = await listen()
  const [first] = parse(await exchange(get('/api/part'), last))
  const etag = first!.headers.get('etag')!
  const answers: Awaited<ReturnType<typeof parse>> = []
  for (const tags of [etag, `"other", W/${etag}`, '"other"'])
    answers.push(parse(await exchange(get('/api/part', `If-None-Match: ${tags}`), last))[0]!)
  expect(answers.map(({ status }) => status.slice(9, 12))).toEqual(['304', '304', '200'])
  expect(answers[0]!.headers.get('vary')).toBe('Cookie, Accept-Encoding')

  const head = String(await exchange(get('/api/part').replace('GET', 'HEAD'), last)).split('\r\n\r\n')
  expect(head[0]).toMatch(/content-length: 2\r\n/)
  expect(head[1]).toMatch(/^HTTP\/1.1 200 OK/)
  expect(hits.api).toBe(4)
})

test('a connection gets its responses in order, whether from memory or not, and stays open', async () => {
  const { exchange, hits, origin } = await listen()
  await fetch(`${origin}/api/part`)
  for (let i = 0; i < 200; i++) expect(await (await fetch(`${origin}/api/part`)).json()).toEqual([])
  const received = await exchange(get('/api/part'), get('/'), last)
  expect(
    parse(received)
      .map(({ body }) => body.length)
      .slice(0, 2),
  ).toEqual([2, page.length])
  // On a busy machine some may have to be rendered again.
  expect(hits.api).toBeGreaterThan(190)
})

test('a connection that sends many requests at once gets one response from memory, and is closed', async () => {
  const { exchange, hits, origin } = await listen()
  await fetch(`${origin}/api/part`)
  await exchange(...Array(1_000).fill(get('/api/part')))
  expect(hits.api).toBe(1)
})

test('requests that memory cannot respond to are handled as ever', async () => {
  const { exchange, hits, state, origin } = await listen()
  await fetch(`${origin}/api/part`)
  const requests = [
    get('/api/part', 'Connection: close'),
    get('/api/part', 'Content-Length: 0') + last,
    get('/api/part').replace('HTTP/1.1', 'HTTP/1.0'),
    get('/api/part').replace('GET', 'POST') + last,
    get('/api/part').replace('shop.test', '1.2.3.4.5') + last,
  ]
  const statuses: string[] = []
  for (const request of requests) statuses.push(parse(await exchange(request))[0]!.status.slice(9, 12))
  state.closing = true
  await fetch(`${origin}/api/part`)
  expect([hits.api, ...statuses]).toEqual([0, '200', '200', '200', '404', '400'])
})
