import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork, widerNetwork } from '#shop/rate-limits.server.ts'

const requestMs = 15_000
/** How long a connection may stand still while a response waits to be read. Longer than any handler takes. */
const stallMs = 60_000

/** Options of node:http. A whole request may take five minutes, because an upload over a slow connection does. */
export const connectionOptions = {
  headersTimeout: requestMs,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
}

interface Limits {
  /** Connections of one client; null behind a proxy, which makes all of them. */
  connections: number | null
  /** Requests in progress of one client. */
  perClient?: number
  /** Requests in progress of all clients. */
  total?: number
  /** The client's address. */
  addressOf: (request: IncomingMessage) => string
}

interface Request {
  client: string
  socket: Socket
}

/** Browsers and proxies wait for each response; the second request may come before the first response is over. */
const maxPipelined = 2

/** A client is an IPv4 address or an IPv6 /48, of which one subscriber can have all addresses. */
export function limitConnections(
  server: Server,
  { connections: maxConnections, perClient = 300, total = 2_000, addressOf }: Limits,
) {
  const connections = new Map<string, number>()
  const inProgress = createRequests()
  server.setTimeout(stallMs)
  server.on('connection', (socket) => {
    if (!maxConnections) return
    const client = clientOf(socket.remoteAddress ?? 'unknown')
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
    if (inProgress.of(socket) >= maxPipelined) return socket.destroy()
    const client = clientOf(addressOf(request))
    if (inProgress.ofClient(client) >= perClient) return rejectBusy(response)
    if (inProgress.total() >= total && !inProgress.makeRoomFor(client)) return rejectBusy(response)
    inProgress.add({ client, socket }, response)
    limitBodyTime(request)
    for (const handle of handlers) handle.call(server, request, response)
  })
}

function clientOf(address: string) {
  const network = clientNetwork(address)
  return widerNetwork(network) ?? network
}

function createRequests() {
  const byClient = new Map<string, Set<Request>>()
  const bySocket = new WeakMap<Socket, Set<Request>>()
  let total = 0

  function add(request: Request, response: ServerResponse) {
    const { client, socket } = request
    const ofClient = byClient.get(client) ?? new Set()
    byClient.set(client, ofClient.add(request))
    const ofSocket = bySocket.get(socket)
    if (ofSocket) ofSocket.add(request)
    else {
      bySocket.set(socket, new Set([request]))
      // Responses that wait behind another one never close.
      socket.once('close', () => bySocket.get(socket)!.forEach(remove))
    }
    total += 1
    response.once('close', () => remove(request))
  }

  function remove(request: Request) {
    const ofClient = byClient.get(request.client)
    if (!ofClient?.delete(request)) return
    if (ofClient.size === 0) byClient.delete(request.client)
    bySocket.get(request.socket)?.delete(request)
    total -= 1
  }

  /** Ends the oldest request of the client with the most, if it has more than this client. */
  function makeRoomFor(client: string): boolean {
    let largest: Set<Request> = new Set()
    for (const requests of byClient.values()) if (requests.size > largest.size) largest = requests
    if (largest.size <= (byClient.get(client)?.size ?? 0) + 1) return false
    const [oldest] = largest
    if (!oldest) return false
    oldest.socket.destroy()
    bySocket.get(oldest.socket)?.forEach(remove)
    return true
  }

  return {
    add,
    makeRoomFor,
    of: (socket: Socket) => bySocket.get(socket)?.size ?? 0,
    ofClient: (client: string) => byClient.get(client)?.size ?? 0,
    total: () => total,
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
