import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { requireHost } from './host.ts'

test('a Host header that no URL can have is refused', async () => {
  const app = new Hono().use(requireHost).get('/', (c) => c.text(new URL(c.req.url).pathname))
  const options = { port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }
  const server = serve({ fetch: app.fetch, ...options })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const statusFor = async (host: string) => {
    const sent = request({ port, host: '127.0.0.1', headers: { host } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  try {
    expect(
      await Promise.all(['1.2.3.4.5', '256.1.1.1', 'shop.test', `127.0.0.1:${port}`].map(statusFor)),
    ).toEqual([400, 400, 200, 200])
  } finally {
    server.close()
  }
})
