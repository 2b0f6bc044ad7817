import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { connectionOptions, limitConnections } from './connections.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  vi.useRealTimers()
})

async function listen(perClient: number | null) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const received: IncomingMessage[] = []
  const server = createServer(connectionOptions, (request, response) => {
    received.push(request)
    request.resume().once('end', () => response.end('done'))
  })
  limitConnections(server, { perClient })
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
  return { open, received }
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
async function listenSilently(limits: Parameters<typeof limitConnections>[1]) {
  const waiting: ServerResponse[] = []
  const server = createServer((_, response) => void waiting.push(response))
  limitConnections(server, limits)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  cleanups.push(() => server.close())
  const send = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    cleanups.push(() => socket.destroy())
    socket.write(text)
    return socket
  }
  return { waiting, send, respond: () => waiting.splice(0).map((response) => response.end('done')) }
}

test('a connection that pipelines more than ten requests is closed, and the others are not handled', async () => {
  const { waiting, send } = await listenSilently({ perClient: null })
  await once(send(get.repeat(500)), 'close')
  expect(waiting).toHaveLength(10)
  send(get.repeat(10))
  await expect.poll(() => waiting.length).toBe(20)
})

test.each([
  ['of one client', { perClient: 3 }],
  ['of all clients', { perClient: null, total: 3 }],
])('requests above the limit %s get 503 until others are done', async (_, limits) => {
  const { waiting, send, respond } = await listenSilently(limits)
  send(get.repeat(3))
  await expect.poll(() => waiting.length).toBe(3)
  expect(String(await firstData(send(get)))).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 5/s)
  respond()
  await expect
    .poll(() => {
      send(get)
      return waiting.length
    })
    .toBeGreaterThan(0)
})
