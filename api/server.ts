import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AccessChecks as Doors } from '#shop/access.server.ts'
import { check, type ErrorCode, isDiskFull, isUnavailable, ShopError, traceOf } from '#shop/errors.ts'
import type { Person, Shop } from '#shop/ports.ts'
import { networkOf, withRateLimit } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import { authorize, type Caller, type PublicAccess } from './authorize.ts'
import { readBody, unstorable } from './body.ts'
import { type Answers, type AnyCall, type Contract, isPaged, type Params, type Sends, urlOf } from './call.ts'
import { openApi } from './openapi.ts'
import { receiveUpload } from './upload.ts'

export type Handlers<C extends Contract> = {
  [Name in keyof C]: (input: {
    params: Params<C[Name]>
    body: Sends<C[Name]>
    user: C[Name]['access'] extends PublicAccess ? null : Member
    person: C[Name]['access'] extends 'identity' ? Person : null
    /** The caller's `Idempotency-Key`; an upload key is one by itself. */
    key: string | undefined
  }) => Promise<Answers<C[Name]>>
}

const status = {
  invalid: 400,
  unauthenticated: 401,
  declined: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  limited: 429,
  unavailable: 503,
  full: 507,
} as const satisfies Record<ErrorCode, number>

const mostBytes = 64 * 1024

/** Refuses bodies that no form of ours sends. */
export const smallBody = bodyLimit({ maxSize: mostBytes, onError: tooLarge })

/** Refuses what no message of the card provider comes near to. */
export const webhookBody = bodyLimit({ maxSize: 4 * mostBytes, onError: tooLarge })

interface Options {
  doors: Doors
  limits: Pick<Shop, 'db' | 'rateLimits'>
  /** The network address of a caller. */
  callerOf: (c: Context) => string
}

/** Builds the API from its table: who may call, what they may send, how often, and how failures answer. */
export function createApi<C extends Contract>(contract: C, handlers: Handlers<C>, options: Options) {
  const app = new Hono()
  app.onError(answerError)
  app.use(async (c, next) => {
    if (c.req.url.includes('%00')) throw unstorable()
    await next()
  })

  for (const [name, call] of Object.entries(contract)) {
    // An upload is counted as it arrives, and only once its key was found to be good.
    const limit = call.access === 'key' ? [] : [smallBody]
    app.on(call.method, [urlOf(call)], ...limit, async (c) => {
      const params = c.req.param() as Record<string, string>
      const door = await authorize(call, c, params, options.doors)
      const upload = call.access === 'key' ? await receiveUpload(c) : null
      try {
        const body = check(call.sends, upload ? upload.body : await readBody(c, call))
        const key = door.uploadId ?? idempotencyKey(c)

        const handler = handlers[name] as (input: unknown) => Promise<unknown>
        const work = () => handler({ params, body, key, user: door.user, person: door.person })
        const answer = call.perHour
          ? await withRateLimit(options.limits, attempts(name, call.perHour, door, c), work)
          : await work()
        return reply(c, call, answer)
      } finally {
        await upload?.forget()
      }
    })
  }

  function attempts(name: string, max: number, { user }: Caller, c: Context) {
    const keys = [`${name}:from:${networkOf(options.callerOf(c))}`]
    if (user) keys.push(`${name}:by:${user._id}`)
    return { keys, max, seconds: 3600, counts: 'successes' } as const
  }

  let document: ReturnType<typeof openApi> | undefined
  app.get('/api/openapi.json', (c) => {
    document ??= openApi(contract)
    return c.json(document)
  })
  for (const call of Object.values(contract)) app.all(urlOf(call), wrongMethod)
  app.all('/api/*', () => {
    throw new ShopError('missing', 'There is no such call.')
  })
  return app
}

function idempotencyKey(c: Context) {
  const key = c.req.header('idempotency-key')
  if (!key || key.length <= 255) return key
  throw new ShopError('invalid', 'An Idempotency-Key has at most 255 characters.')
}

function reply(c: Context, call: AnyCall, answer: unknown) {
  const body = call.answers.parse(answer)
  c.header('Cache-Control', call.access === 'anyone' ? 'no-cache' : 'no-store')
  if (!isPaged(call)) return c.json(body, call.status)
  c.header('X-Total-Count', String(body.total))
  return c.json(body.rows, call.status)
}

function tooLarge(): never {
  throw new ShopError('too-large', 'That is too large.')
}

function wrongMethod(c: Context) {
  return c.json({ message: `${c.req.method} is not possible here.` }, 405)
}

/** How a failure answers, on any address: in words for whoever called, and in the log for what nobody expected. */
export function answerError(error: Error, c: Context) {
  c.header('Cache-Control', 'no-store')
  // The image host's own way of saying that something failed.
  const failed = c.req.path.startsWith('/images/') ? { success: false } : {}
  if (error instanceof ShopError) {
    if (error.retryAfter) c.header('Retry-After', String(error.retryAfter))
    return c.json({ ...failed, message: error.message, fields: error.fields }, status[error.code])
  }
  console.error(`${c.req.method} ${c.req.path} failed:`, traceOf(error))
  if (isDiskFull(error))
    return c.json({ ...failed, message: 'The shop has no room left to keep that.' }, status.full)
  if (isUnavailable(error)) {
    c.header('Retry-After', '5')
    return c.json({ ...failed, message: 'The shop is being restarted. Please try again in a moment.' }, 503)
  }
  return c.json({ ...failed, message: 'Something went wrong.' }, 500)
}
