import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { keepAliveSeconds } from '#server/cache/raw-response.ts'
import { clientNetwork, widerNetwork } from '#shop/rate-limits.server.ts'
import { isLargeRequest } from './large-requests.ts'
import { trackRequests } from './requests-in-progress.ts'

const requestMs = 15_000
/** How long a connection may stand still while a response waits to be read. Longer than any handler takes. */
const stallMs = 60_000
const unreadCheckMs = 1_000

/** Options of node:http. A whole request may take five minutes, because an upload over a slow connection does. */
export const connectionOptions = {
  headersTimeout: requestMs,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: keepAliveSeconds * 1_000,
}

/** `perClient` and `total` are requests in progress. */
interface Limits {
  /** Connections of one client; null behind a proxy, which makes all of them. */
  connections: number | null
  perClient?: number
  total?: number
  /** Bytes of responses in memory because they are read slowly. */
  unread?: { perClient: number; inTotal: number }
  clientAddressOf: (request: IncomingMessage) => string
  /** Responds from memory, which takes so little that only the number of connections is limited. False if it cannot. */
  respondAtOnce?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Responds once something in memory is ready, or calls `handle`. False if nothing is being made. */
  respondOnceRendered?: (
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: { client: string; handle(): void },
  ) => boolean
}

/** Browsers and proxies wait for each response; the second request may come before the first response is over. */
const maxPipelined = 2

const unreadLimits = { perClient: 32 * 2 ** 20, inTotal: 256 * 2 ** 20 }

/**
 * A client is an IPv4 address or an IPv6 /48, of which one subscriber can have all addresses. Returns a function for the end of the
 * server: it closes the connections on which the client is awaited, and not the shop.
 */
export function limitConnections(
  server: Server,
  {
    connections: maxConnections,
    perClient = 300,
    total = 2_000,
    unread = unreadLimits,
    clientAddressOf,
    respondAtOnce = () => false,
    respondOnceRendered = () => false,
  }: Limits,
) {
  const connections = new Map<string, number>()
  const sockets = new Set<Socket>()
  const inProgress = trackRequests()
  server.setTimeout(stallMs)
  const check = setInterval(() => inProgress.limitUnread(unread), unreadCheckMs)
  check.unref()
  server.once('close', () => clearInterval(check))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (!maxConnections) return
    const client = findClient(socket.remoteAddress ?? 'unknown')
    const count = connections.get(client) ?? 0
    if (count >= maxConnections) return socket.destroy()
    connections.set(client, count + 1)
    socket.once('close', () => {
      const left = connections.get(client)! - 1
      if (left > 0) connections.set(client, left)
      else connections.delete(client)
    })
  })

  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const fault = findFault(request)
    if (fault) return reject(response, 400, fault)
    if (respondAtOnce(request, response)) return
    if (inProgress.of(socket) >= maxPipelined) return socket.destroy()
    const client = findClient(clientAddressOf(request))
    if (inProgress.ofClient(client) >= perClient) return rejectBusy(response)
    if (inProgress.total() >= total && !inProgress.makeRoomFor(client)) return rejectBusy(response)
    inProgress.add({ client, socket, response })
    limitBodyTime(request)
    const handle = () => {
      for (const handler of handlers) handler.call(server, request, response)
    }
    if (!respondOnceRendered(request, response, { client, handle })) handle()
  })

  return () => {
    for (const socket of sockets) if (!inProgress.isHandled(socket)) socket.destroy()
  }
}

function findClient(address: string) {
  const network = clientNetwork(address)
  return widerNetwork(network) ?? network
}

/** What Node’s parser lets pass: proxies could understand such a request differently. */
function findFault({ httpVersionMajor, rawHeaders }: IncomingMessage) {
  if (httpVersionMajor !== 1) return 'The shop supports HTTP/1.1.'
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 ? 'The request has more than one Host header.' : null
}

function rejectBusy(response: ServerResponse) {
  response.setHeader('Retry-After', '5')
  reject(response, 503, 'The shop is very busy. Try again in a moment.')
}

function reject(response: ServerResponse, status: number, message: string) {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(JSON.stringify({ message }))
}

function limitBodyTime(request: IncomingMessage) {
  const { headers, socket } = request
  if (!headers['content-length'] && !headers['transfer-encoding']) return
  const isUpload = request.url?.startsWith('/images/upload') || isLargeRequest(request.url)
  let received = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    if (!isUpload || socket.bytesRead === received) socket.destroy()
    received = socket.bytesRead
  }, requestMs)
  request.once('close', () => clearInterval(timer))
}
