import type { IncomingMessage, Server } from 'node:http'
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
  /** For a body to arrive, and for the next bytes of an upload. */
  bodyMs?: number
  /** Connections of one client; null behind a proxy, which makes all of them. */
  perClient: number | null
}

export function limitConnections(server: Server, { bodyMs = requestMs, perClient }: Limits) {
  server.on('request', (request) => limitBodyTime(request, bodyMs))
  if (perClient) server.on('connection', limitPerClient(perClient))
}

function limitBodyTime(request: IncomingMessage, bodyMs: number) {
  const { headers, socket } = request
  if (!headers['content-length'] && !headers['transfer-encoding']) return
  const isUpload = headers['content-type']?.startsWith('multipart/form-data')
  let received = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    if (!isUpload || socket.bytesRead === received) socket.destroy()
    received = socket.bytesRead
  }, bodyMs)
  request.once('close', () => clearInterval(timer))
}

function limitPerClient(max: number) {
  const counts = new Map<string, number>()
  return (socket: Socket) => {
    const client = clientNetwork(socket.remoteAddress ?? 'unknown')
    const count = (counts.get(client) ?? 0) + 1
    if (count > max) return socket.destroy()
    counts.set(client, count)
    socket.once('close', () => {
      const left = counts.get(client)! - 1
      if (left > 0) counts.set(client, left)
      else counts.delete(client)
    })
  }
}
