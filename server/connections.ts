import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from '#shop/rate-limits.server.ts'

const requestMs = 15_000

/** Options of node:http. A whole request may take five minutes, because an upload over a slow connection does. */
export const connectionOptions = {
  headersTimeout: requestMs,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
}

interface Limits {
  /** Connections, and requests in progress, of one client; null behind a proxy, which makes all of them. */
  perClient: number | null
  total?: number
}

/** The requests in progress of a connection; more than one when a client pipelines them. */
interface Connection {
  client: string
  requests: number
}

const maxPipelined = 10

export function limitConnections(server: Server, { perClient, total = 2_000 }: Limits) {
  const connections = counter()
  const requests = counter()
  const states = new WeakMap<Socket, Connection>()
  server.on('connection', (socket) => {
    const client = clientNetwork(socket.remoteAddress ?? 'unknown')
    if (perClient && connections.of(client) >= perClient) return socket.destroy()
    connections.add(client, 1)
    const state: Connection = { client, requests: 0 }
    states.set(socket, state)
    socket.once('close', () => {
      connections.add(client, -1)
      // Responses that wait behind another one never close.
      requests.add(client, -state.requests)
      state.requests = 0
    })
  })

  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const state = states.get(socket)
    if (!state || socket.destroyed) return
    if (state.requests >= maxPipelined) return socket.destroy()
    if (requests.total() >= total || (perClient && requests.of(state.client) >= perClient))
      return rejectBusy(response)
    state.requests += 1
    requests.add(state.client, 1)
    response.once('close', () => {
      if (state.requests === 0) return
      state.requests -= 1
      requests.add(state.client, -1)
    })
    limitBodyTime(request)
    for (const handle of handlers) handle.call(server, request, response)
  })
}

function counter() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    of: (client: string) => counts.get(client) ?? 0,
    total: () => total,
    add(client: string, change: number) {
      total += change
      const count = (counts.get(client) ?? 0) + change
      if (count > 0) counts.set(client, count)
      else counts.delete(client)
    },
  }
}

function rejectBusy(response: ServerResponse) {
  const message = 'The shop is very busy. Please try again in a moment.'
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '5', Connection: 'close' })
  response.end(JSON.stringify({ message }))
}

function limitBodyTime(request: IncomingMessage) {
  const { headers, socket } = request
  if (!headers['content-length'] && !headers['transfer-encoding']) return
  const isUpload = request.url?.startsWith('/images/upload')
  let received = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    if (!isUpload || socket.bytesRead === received) socket.destroy()
    received = socket.bytesRead
  }, requestMs)
  request.once('close', () => clearInterval(timer))
}
