import { ReadableStream as WebStream } from 'node:stream/web'
import { type Context, Hono, type MiddlewareHandler, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AccessChecks } from '#shop/access.server.ts'
import {
  type ErrorCode,
  isDiskFull,
  isUnavailable,
  ShopError,
  shopUnavailable,
  validate,
} from '#shop/errors.ts'
import type { FileStream, RowStream } from '#shop/fields.ts'
import { flattenBatches } from '#shop/pagination.server.ts'
import type { Person, Shop } from '#shop/ports.ts'
import { clientNetwork, networkLimits, type RateLimit, withRateLimits } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import { log } from '#telemetry/log.ts'
import { describeRequest } from '#telemetry/request-context.ts'
import { authorize, type Caller, type PublicAccess } from './authorize.ts'
import { nulCharacterError, readBody } from './body.ts'
import {
  type AnyCall,
  type Contract,
  findRowSchema,
  type HandlerResult,
  isPaged,
  maxBodyBytes,
  type Params,
  type RequestBody,
  toPath,
} from './call.ts'
import { openApi } from './openapi.ts'
import { createTurns } from './turns.ts'
import { receiveUpload } from './upload.ts'

export type Handlers<C extends Contract> = {
  [Name in keyof C]: (input: {
    params: Params<C[Name]>
    body: RequestBody<C[Name]>
    user: C[Name]['access'] extends PublicAccess ? null : Member
    person: C[Name]['access'] extends 'identity' ? Person : null
    /** The `Idempotency-Key` header, or the id of the upload key. */
    key: string | undefined
    /** The client's IP network. */
    network: string
  }) => Promise<HandlerResult<C[Name]>>
}

const status = {
  invalid: 400,
  unauthenticated: 401,
  declined: 402,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'rate-limited': 429,
  unavailable: 503,
  'insufficient-storage': 507,
} as const satisfies Record<ErrorCode, number>

export const limitBody = limitBodyTo(maxBodyBytes)

const limitLargeBody = limitBodyTo(28_000_000)

/** So that only bodies that somebody claims to have signed are read. */
export async function requireSignature(c: Context, next: Next) {
  if (!/(^|,)v1=[0-9a-f]{64}(,|$)/.test(c.req.header('stripe-signature') ?? ''))
    throw new ShopError('invalid', 'The Stripe-Signature header is missing or malformed.')
  await next()
}

export const limitWebhookBody = limitBodyTo(4 * maxBodyBytes)

/** Without a declared length, the body is counted as it arrives. With one, it is not looked at, which would cost a second request object. */
export function limitBodyTo(maxSize: number): MiddlewareHandler {
  const limit = bodyLimit({ maxSize, onError: rejectTooLarge })
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    // Read already, within a limit.
    if (c.req.bodyCache.text) return next()
    const length = c.req.header('content-length')
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return limit(c, next)
    if (Number(length) > maxSize) rejectTooLarge()
    await next()
  }
}

interface Options {
  access: AccessChecks
  limits: Pick<Shop, 'db' | 'rateLimits'>
  clientAddress: (c: Context) => string
}

/** Requests of an account that are handled at a time, from whichever network, so that one account cannot use up the database’s connections. */
const perAccount = 4

/** All others are pages. */
const calls = /^\/(api|identity|payments)\//

export function createApi<C extends Contract>(contract: C, handlers: Handlers<C>, options: Options) {
  const app = new Hono()
  const limitPerAccount = createTurns(perAccount)
  app.onError(sendErrorResponse)
  app.use(async (c, next) => {
    if (c.req.url.includes('%00') && calls.test(c.req.path)) throw nulCharacterError()
    await next()
  })

  for (const [name, call] of Object.entries(contract)) {
    // Large requests have their own limit, after the caller is checked.
    const limit = call.access === 'key' || call.isLarge ? [] : [limitBodyTo(call.maxBytes)]
    app.on(call.method, [toPath(call)], ...limit, async (c) => {
      describeRequest({ route: name })
      const params = c.req.param() as Record<string, string>
      const caller = await authorize(call, c, params, options.access)
      if (caller.user) describeRequest({ actorId: caller.user._id })
      if (call.isLarge) await limitLargeBody(c, async () => {})
      const upload = call.access === 'key' ? await receiveUpload(c) : null
      try {
        const body = validate(call.request, upload ? upload.body : await readBody(c, call))
        const key = caller.uploadId ?? idempotencyKey(c)

        const network = clientNetwork(options.clientAddress(c))
        const handler = handlers[name] as (input: unknown) => Promise<unknown>
        const limits = listRateLimits(name, call, caller, c)
        const handle = ({ user: member, person }: Caller) => {
          const user = member && { ...member, network }
          return withRateLimits(options.limits, limits, () =>
            handler({ params, body, key, network, user, person }),
          )
        }
        // A session or a role may have ended while the request waited, or a large one arrived.
        const handleInTurn = async ({ late }: { late: boolean }) =>
          handle(late || call.isLarge ? await authorize(call, c, params, options.access) : caller)
        return reply(
          c,
          call,
          caller.user ? await limitPerAccount(caller.user._id, handleInTurn) : await handle(caller),
        )
      } finally {
        await upload?.removeFiles()
      }
    })
  }

  /** Users are counted by account, and with a far higher bound by network: a workshop or a carrier shares one. */
  function listRateLimits(name: string, call: AnyCall, { user, person }: Caller, c: Context): RateLimit[] {
    const { perHour: max, usersPerNetwork, counts } = call
    if (!max) return []
    const common = { seconds: 3600, counts }
    const network = clientNetwork(options.clientAddress(c))
    const ofNetwork = (max: number, counts: RateLimit['counts']) =>
      networkLimits(network, { ...common, counts, max }, (network) => `${name}:from:${network}`)
    const who = user?._id ?? (person && `${person.issuer}:${person.subject}`)
    if (!who) return ofNetwork(max, counts)
    // Requests that were refused count for the account alone: otherwise one client could use up the network's limit for all others.
    const shared = counts === 'all' ? 'successes' : counts
    return [...ofNetwork(max * usersPerNetwork, shared), { ...common, keys: [`${name}:by:${who}`], max }]
  }

  let document: string | undefined
  app.get('/api/openapi.json', (c) => {
    document ??= JSON.stringify(openApi(contract))
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })
  for (const call of Object.values(contract)) app.all(toPath(call), methodNotAllowed)
  app.all('/api/*', () => {
    throw new ShopError('not-found', 'This endpoint doesn’t exist. See /api/docs.')
  })
  return app
}

function idempotencyKey(c: Context) {
  const key = c.req.header('idempotency-key')
  if (!key || key.length <= 255) return key
  throw new ShopError('invalid', 'The Idempotency-Key header must be at most 255 characters.')
}

async function sendFile(c: Context, file: File) {
  c.header('Content-Disposition', `attachment; filename="${file.name}"`)
  return c.body(await file.arrayBuffer(), 200, { 'Content-Type': file.type })
}

function reply(c: Context, call: AnyCall, result: unknown) {
  const publicly = call.maxAge === undefined ? 'no-cache' : `public, max-age=${call.maxAge}`
  c.header('Cache-Control', call.access === 'anyone' ? publicly : 'no-store')
  if (isRowStream(result)) return sendRows(c, call, result)
  if (isFileStream(result)) return sendFileStream(c, result)
  const body = call.response.parse(result)
  if (body instanceof File) return sendFile(c, body)
  if (!isPaged(call)) return c.json(body, call.status)
  c.header('X-Total-Count', String(body.total))
  return c.json(body.rows, call.status)
}

function isRowStream(result: unknown): result is RowStream<unknown> {
  return typeof result === 'object' && result !== null && 'batches' in result
}

function isFileStream(result: unknown): result is FileStream {
  return typeof result === 'object' && result !== null && 'chunks' in result
}

function sendFileStream(c: Context, { name, type, chunks }: FileStream) {
  c.header('Content-Disposition', `attachment; filename="${name}"`)
  c.header('Content-Type', type)
  return sendChunks(c, chunks)
}

function sendRows(c: Context, call: AnyCall, { batches, total }: RowStream<unknown>) {
  c.header('X-Total-Count', String(total))
  c.header('Content-Type', 'application/json')
  return sendChunks(c, jsonArray(call, flattenBatches(batches)))
}

async function* jsonArray(call: AnyCall, batches: AsyncIterable<unknown[]>) {
  const row = findRowSchema(call)
  let before = '['
  for await (const items of batches) {
    if (items.length === 0) continue
    yield before + items.map((item) => JSON.stringify(row.parse(item))).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function sendChunks(c: Context, chunks: FileStream['chunks']) {
  return c.body(WebStream.from(encode(chunks)) as ReadableStream<Uint8Array<ArrayBuffer>>)
}

/** An error ends the connection, so that nobody takes the beginning of a list for all of it. */
async function* encode(chunks: FileStream['chunks']) {
  const encoder = new TextEncoder()
  try {
    for await (const chunk of chunks) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk
  } catch (error) {
    log.error({ err: error }, 'response ended early')
    throw error
  }
}

function rejectTooLarge(): never {
  throw new ShopError('too-large', 'The request is too large.')
}

function methodNotAllowed(c: Context) {
  return c.json({ message: `This endpoint doesn’t support ${c.req.method}. See /api/docs.` }, 405)
}

/** Unexpected errors are logged and reported without details. */
export function sendErrorResponse(error: Error, c: Context) {
  c.header('Cache-Control', 'no-store')
  // Responses of the image host carry a `success` flag.
  const extra = c.req.path.startsWith('/images/') ? { success: false } : {}
  if (error instanceof ShopError) {
    if (error.retryAfter) c.header('Retry-After', String(error.retryAfter))
    return c.json({ ...extra, message: error.message, fields: error.fields }, status[error.code])
  }
  // The client has closed the connection: nobody reads a response.
  if (c.req.raw.signal.aborted) return c.body(null, 400)
  log.error({ err: error }, 'request failed')
  if (isDiskFull(error))
    return c.json(
      {
        ...extra,
        message: 'The shop’s storage is full, so nothing was saved. Try again later or contact us.',
      },
      status['insufficient-storage'],
    )
  if (isUnavailable(error)) {
    c.header('Retry-After', '5')
    return c.json({ ...extra, message: shopUnavailable }, 503)
  }
  return c.json({ ...extra, message: 'Something went wrong. Try again.' }, 500)
}
