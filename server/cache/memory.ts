import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context, Env, Hono, MiddlewareHandler } from 'hono'
import type { ChangeWatch, OpenDatabase } from '#db/database.ts'
import { takeTurns } from '#server/http/turns.ts'
import { type CachedAddress, cachedAddress } from './cached-addresses.ts'
import { acceptsRawResponse, sendRawResponse } from './raw-response.ts'
import { isRendering, rendering } from './rendering.ts'
import { trackRenderingStarts } from './rendering-starts.ts'
import { createResponseCache } from './response-cache.ts'
import { type Representation, storeResponse } from './stored-response.ts'

interface Options {
  origin: string
  clientAddressOf(c: Context): string
  state: { closing: boolean }
  metrics: { countFromMemory(hits: Record<string, number>): void }
  watchChanges: OpenDatabase['watchChanges']
}

/** Responses from memory to requests whose response is the same for everybody. */
export async function createMemory<E extends Env>(
  app: Hono<E>,
  { origin, clientAddressOf, state, metrics, watchChanges }: Options,
) {
  let watch: ChangeWatch | null = null
  const cache = createResponseCache({ render, isConnected: () => watch?.isConnected() ?? false })
  watch = await watchChanges(cache.forget)
  const inTurn = takeTurns(clientAddressOf)
  const isFirstIn = trackIteration()
  const starts = trackRenderingStarts()
  const hits = { page: 0, api: 0 }
  metrics.countFromMemory(hits)

  async function render({ url, cookies }: CachedAddress) {
    const request = new Request(origin + url, { headers: cookies ? { cookie: cookies } : {} })
    return storeResponse(await app.fetch(request, rendering))
  }

  /** Renders what is not in memory, in the client's turn. */
  const middleware: MiddlewareHandler = (c, next) => {
    const { method, url } = c.req.raw
    if (isRendering(c) || import.meta.env.DEV || !isRead(method)) return next()
    const address = cachedAddress(url.slice(url.indexOf('/', 8)), c.req.header('cookie'))
    if (!address) return next()
    return inTurn(c, async () => {
      const stored = await starts.start(c.env?.incoming, cache.load(address))
      const representation = await stored.prepare(c.req.header('accept-encoding'))
      c.res = representation.toResponse(c.req.header('if-none-match'))
    })
  }

  function addressIn(request: IncomingMessage, response: ServerResponse) {
    const { method, url = '', headers } = request
    if (!isRead(method) || state.closing || !acceptsRawResponse(request, response)) return null
    return URL.canParse(`http://${headers.host}`) ? cachedAddress(url, headers.cookie) : null
  }

  function send(representation: Representation, request: IncomingMessage, response: ServerResponse) {
    sendRawResponse(representation.toRaw(request.headers['if-none-match']), request, response)
    hits[request.url?.startsWith('/api/') ? 'api' : 'page'] += 1
  }

  /** Before any middleware: false for a request that needs more than what is in memory. */
  function respondAtOnce(request: IncomingMessage, response: ServerResponse): boolean {
    const address = addressIn(request, response)
    const representation = address && cache.get(address)?.find(encodingIn(request))
    if (!representation || !isFirstIn(request)) return false
    send(representation, request, response)
    return true
  }

  /**
   * Waits, before any middleware, for what another request renders, as requests for a part do while it is being ordered. False when
   * none does; calls `handle` when memory cannot respond after all.
   */
  function respondOnceRendered(
    request: IncomingMessage,
    response: ServerResponse,
    { client, handle }: { client: string; handle(): void },
  ): boolean {
    const address = addressIn(request, response)
    if (!address) return false
    const id = `${client} ${address.key}`
    const underWay = cache.rendering(address) ?? starts.find(id)
    if (!underWay) {
      starts.add(id, request, response)
      return false
    }
    underWay
      .then((stored) => stored?.prepare(encodingIn(request)))
      .then((representation) => {
        if (request.socket.destroyed) return
        const canSend = representation && !state.closing && acceptsRawResponse(request, response)
        return canSend ? send(representation, request, response) : handle()
      }, handle)
    return true
  }

  return { middleware, respondAtOnce, respondOnceRendered }
}

/** Whether a socket gets its first response in this iteration of the event loop: others have their turn before the next one. */
function trackIteration() {
  const served = new Set<Socket>()
  return ({ socket }: IncomingMessage) => {
    if (served.has(socket)) return false
    if (served.size === 0) setImmediate(() => served.clear())
    served.add(socket)
    return true
  }
}

const encodingIn = ({ headers }: IncomingMessage) => headers['accept-encoding'] as string | undefined

const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD'
