import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Request {
  client: string
  socket: Socket
  response: ServerResponse
}

export function trackRequests() {
  const byClient = new Map<string, Set<Request>>()
  const bySocket = new WeakMap<Socket, Set<Request>>()
  let total = 0

  function add(request: Request) {
    const { client, socket, response } = request
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
    if (oldest) end(oldest)
    return oldest !== undefined
  }

  function end({ socket }: Request) {
    socket.destroy()
    bySocket.get(socket)?.forEach(remove)
  }

  /** Ends the oldest of a client's unread responses above `perClient` bytes and the largest above `inTotal`, but never the only one. */
  function limitUnread({ perClient, inTotal }: { perClient: number; inTotal: number }) {
    const clients = [...byClient.values()].map((requests) => [...requests].filter(isUnread))
    for (const unread of clients) endWhileAbove(perClient, unread)
    const bySize = clients.flat().sort((a, b) => b.response.writableLength - a.response.writableLength)
    endWhileAbove(inTotal, bySize)
  }

  /** From the first on. Removes what it ends from the list. */
  function endWhileAbove(maxBytes: number, unread: Request[]) {
    let bytes = unread.reduce((sum, { response }) => sum + response.writableLength, 0)
    while (bytes > maxBytes && unread.length > 1) {
      const first = unread.shift()!
      bytes -= first.response.writableLength
      end(first)
    }
  }

  return {
    add,
    makeRoomFor,
    limitUnread,
    /** Whether a request was received whole and its response is not there yet. */
    isHandled: (socket: Socket) => [...(bySocket.get(socket) ?? [])].some(isHandled),
    of: (socket: Socket) => bySocket.get(socket)?.size ?? 0,
    ofClient: (client: string) => byClient.get(client)?.size ?? 0,
    total: () => total,
  }
}

const isHandled = ({ response }: Request) => response.req.complete && !response.headersSent

const isUnread = ({ response }: Request) => response.writableLength > 0
