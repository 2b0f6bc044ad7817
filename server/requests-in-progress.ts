import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Request {
  client: string
  socket: Socket
}

export function trackRequests() {
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
