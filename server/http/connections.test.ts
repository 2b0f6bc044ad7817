import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { connectionOptions, limitConnections } from './connections.ts'

const cleanups: (() => void)[] = []
let held = Promise.withResolvers<void>()
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  vi.useRealTimers()
})

const clientAddressOf = ({ headers }: IncomingMessage) => headers['x-client']?.toString() ?? '192.0.2.1'

async function listen(connections: number | null) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const received: IncomingMessage[] = []
  const server = createServer(connectionOptions, (request, response) => {
    received.push(request)
    if (request.url === '/held') return void held.promise.then(() => response.end('done'))
    request.resume().once('end', () => response.end('done'))
  })
  const closeWaiting = limitConnections(server, { connections, clientAddressOf })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanups.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const open = async (text = '') => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    cleanups.push(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  return { open, received, closeWaiting }
}

const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`
const firstData = (socket: Socket) => new Promise((resolve) => socket.once('data', resolve))

test('a request whose length is ambiguous is refused', async () => {
  const { open, received } = await listen(null)
  for (const lengths of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    'Content-Length: 4\r\nContent-Length: 5',
    'Transfer-Encoding: chunked, identity',
  ]) {
    const socket = await open(`POST / HTTP/1.1\r\nHost: x\r\n${lengths}\r\n\r\n0\r\n\r\n`)
    expect(String(await firstData(socket)), lengths).toMatch(/^HTTP\/1\.1 400 /)
  }
  expect(received).toEqual([])
})

test('a request with two hosts or another HTTP version gets 400 and is not handled', async () => {
  const { open, received } = await listen(null)
  for (const lines of [
    'GET / HTTP/1.1\r\nHost: x\r\nHost: y',
    'GET / HTTP/1.1\r\nHost: x\r\nhost: x',
    'GET / HTTP/1.0\r\nHost: x\r\nHOST: x',
    'GET / HTTP/1.1',
    'GET / HTTP/2.0\r\nHost: x',
    'GET / HTTP/0.9\r\nHost: x',
    'PRI * HTTP/2.0\r\n\r\nSM',
  ]) {
    const socket = await open(`${lines}\r\n\r\n`)
    const closed = once(socket, 'close')
    expect(String(await firstData(socket)), lines).toMatch(/^HTTP\/1\.1 400 /)
    await closed
  }
  expect(received).toEqual([])
  const socket = await open('GET / HTTP/1.0\r\nX-Host: Host\r\n\r\n')
  expect(String(await firstData(socket))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a body that has not arrived after 15 seconds ends its connection', async () => {
  const { open, received } = await listen(null)
  const [slow, quick] = [await open(post('/')), await open(post('/'))]
  const answered = firstData(quick)
  quick.write('123456789')
  await answered
  await expect.poll(() => received.length).toBe(2)

  vi.advanceTimersByTime(14_999)
  expect(received.map((request) => request.socket.destroyed)).toEqual([false, false])
  vi.advanceTimersByTime(1)
  await once(slow, 'close')
  const again = firstData(quick)
  quick.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await again
})

test('at the end, connections of clients that are awaited are closed, and requests that are handled get their response', async () => {
  held = Promise.withResolvers<void>()
  const { open, received, closeWaiting } = await listen(null)
  const [silent, slow, handled] = [
    await open(),
    await open(post('/')),
    await open('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'),
  ]
  await expect.poll(() => received.length).toBe(2)
  const closed = [once(silent, 'close'), once(slow, 'close')]
  const response = firstData(handled)
  closeWaiting()
  await Promise.all(closed)
  held.resolve()
  expect(String(await response)).toMatch(/^HTTP\/1\.1 200 /)
})

test('an upload may take longer as long as bytes arrive', async () => {
  const { open, received } = await listen(null)
  const socket = await open(post('/images/upload?key=x'))
  await expect.poll(() => received.length).toBe(1)
  for (const byte of ['1', '2', '3']) {
    const before = received[0]!.socket.bytesRead
    socket.write(byte)
    await expect.poll(() => received[0]!.socket.bytesRead).toBe(before + 1)
    vi.advanceTimersByTime(15_000)
    expect(received[0]!.socket.destroyed).toBe(false)
  }
  vi.advanceTimersByTime(15_000)
  await once(socket, 'close')
})

test('a client has a limited number of connections, and a closed one makes room', async () => {
  const { open } = await listen(2)
  const [first] = [await open(), await open()]
  await once(await open(), 'close')
  first.destroy()
  await once(first, 'close')
  await expect
    .poll(async () => {
      const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      return Promise.race([firstData(socket).then(() => true), once(socket, 'close').then(() => false)])
    })
    .toBe(true)
})

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server that responds to nothing until `respond` is called. */
async function listenSilently(limits: Partial<Parameters<typeof limitConnections>[1]>, size = 4) {
  const waiting: ServerResponse[] = []
  const server = createServer((_, response) => void waiting.push(response))
  limitConnections(server, { connections: null, clientAddressOf, ...limits })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  cleanups.push(() => server.close())
  const send = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    cleanups.push(() => socket.destroy())
    socket.write(text)
    return socket
  }
  const respond = () => waiting.splice(0).map((response) => response.end('x'.repeat(size)))
  return { server, waiting, send, respond }
}

const mb = 2 ** 20

const getFrom = (client: string) => `GET / HTTP/1.1\r\nHost: x\r\nX-Client: ${client}\r\n\r\n`

test('a connection that pipelines more than two requests is closed, and the others are not handled', async () => {
  const { waiting, send } = await listenSilently({})
  await once(send(get.repeat(500)), 'close')
  expect(waiting).toHaveLength(2)
  send(get.repeat(2))
  await expect.poll(() => waiting.length).toBe(4)
})

test('requests above the limit of one client get 503 until others are done, also over several IPv6 networks', async () => {
  const { waiting, send, respond } = await listenSilently({ perClient: 3 })
  for (const client of ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1']) send(getFrom(client))
  await expect.poll(() => waiting.length).toBe(3)
  const refused = send(getFrom('2001:db8:1:4::1'))
  expect(String(await firstData(refused))).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 5/s)
  send(getFrom('2001:db8:2::1'))
  await expect.poll(() => waiting.length).toBe(4)
  respond()
  await expect
    .poll(() => {
      send(getFrom('2001:db8:1:4::1'))
      return waiting.length
    })
    .toBeGreaterThan(0)
})

test('above the limit of all clients the one with the most requests makes room', async () => {
  const { waiting, send } = await listenSilently({ total: 4 })
  const oldest = send(getFrom('192.0.2.1'))
  await expect.poll(() => waiting.length).toBe(1)
  for (let i = 0; i < 3; i += 1) send(getFrom('192.0.2.1'))
  await expect.poll(() => waiting.length).toBe(4)
  const closed = once(oldest, 'close')
  send(getFrom('192.0.2.2'))
  await closed
  await expect.poll(() => waiting.length).toBe(5)
  expect(String(await firstData(send(getFrom('192.0.2.1'))))).toMatch(/^HTTP\/1\.1 503 /)
})

test('a connection on which a response waits to be read for a minute is closed', async () => {
  const { server, waiting, send, respond } = await listenSilently({}, 50_000_000)
  expect(server.timeout).toBe(60_000)
  const socket = send(get)
  socket.pause()
  await expect.poll(() => waiting.length).toBe(1)
  const [response] = waiting
  response!.req.socket.setTimeout(300)
  respond()
  if (!response!.closed) await once(response!, 'close')
  expect(response!.writableFinished).toBe(false)
})

test('above the limit of bytes that a client, or all clients, leave unread, responses are ended, but never the only one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { waiting, send, respond } = await listenSilently(
    { unread: { perClient: 12 * mb, inTotal: 70 * mb } },
    16 * mb,
  )
  const responses: ServerResponse[] = []
  const ended = () => responses.map(({ req }) => req.socket.destroyed)
  const leaveUnread = async (client: string) => {
    send(getFrom(client)).pause()
    await expect.poll(() => waiting.length).toBe(1)
    responses.push(...respond())
    vi.advanceTimersByTime(1_000)
  }
  await leaveUnread('192.0.2.1')
  expect(ended()).toEqual([false])
  await leaveUnread('192.0.2.1')
  expect(ended()).toEqual([true, false])
  for (const client of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) await leaveUnread(client)
  expect(ended().filter(Boolean)).toHaveLength(1)
  await leaveUnread('192.0.2.5')
  expect(ended().filter(Boolean)).toHaveLength(2)
})
