import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
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

const post = (type: string) =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 9\r\n\r\n`
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
  const [slow, quick] = [await open(post('application/json')), await open(post('application/json'))]
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
  const socket = await open(post('multipart/form-data; boundary=x'))
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
