import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { acceptsRawResponse, createRawResponse, sendRawResponse } from './raw-response.ts'

test('a response that the client reads slowly is over when it has read all', async () => {
  const body = Buffer.alloc(20_000_000, 'x')
  const headers = new Headers({ 'Content-Length': String(body.length) })
  const raw = createRawResponse(200, headers, body)
  const sent = Promise.withResolvers<{ isOver: () => boolean; unread: number }>()
  const server = createServer((request, response) => {
    let isOver = false
    response.once('finish', () => {
      isOver = true
    })
    expect(acceptsRawResponse(request, response)).toBe(true)
    sendRawResponse(raw, request, response)
    expect(acceptsRawResponse(request, response)).toBe(false)
    sent.resolve({ isOver: () => isOver, unread: request.socket.writableLength })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n')

  const { isOver, unread } = await sent.promise
  expect(unread).toBeGreaterThan(0)
  expect(isOver()).toBe(false)
  let received = 0
  socket.on('data', (data) => {
    received += data.length
  })
  socket.resume()
  await expect.poll(() => received).toBe(raw.bytes().length)
  await expect.poll(isOver).toBe(true)
})

test('a client that asks to close the connection gets no response that keeps it open', () => {
  const accepts = (connection?: string) =>
    acceptsRawResponse(
      { httpVersion: '1.1', headers: { connection } } as IncomingMessage,
      { socket: { writableLength: 0 } } as ServerResponse,
    )
  expect([undefined, 'keep-alive', 'close', 'Keep-Alive, Close', 'close, x'].map(accepts)).toEqual([
    ...[true, true],
    ...[false, false, false],
  ])
})
