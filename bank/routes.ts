import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { getPath } from 'hono/utils/url'
import { authenticateIntent, confirmAtOnce, confirmIntent } from './attempts.ts'
import { captureIntent } from './captures.ts'
import { closeDispute, listDisputes, updateDispute } from './disputes.ts'
import type { FormTree } from './forms.ts'
import {
  computeFingerprint,
  findStored,
  type IdempotentCall,
  idempotentRequest,
  type KeyedResponse,
} from './idempotency.ts'
import { cancelIntent, createIntent, listIntents, readIntent } from './intents.ts'
import { createRefund, listRefunds } from './refunds.ts'
import { type Access, type FormPairs, type RequestCall, readRequest } from './requests.ts'
import { BankApiError, type BankCall, type BankQueries, type BankResponse, fail, newId } from './responses.ts'
import type { AnyDatabase } from './shop.ts'
import { isUnavailable, log } from './shop.ts'
import { commitCalculation, createCalculation, createReversal, listTaxItems } from './taxes.ts'

/** `id` is that of the path, '' without one. */
type Handler<Response = BankResponse> = (call: BankCall, id: string, form: FormTree) => Promise<Response>

/** Speaks the part of Stripe’s API that the shop uses. `secretKey` authorizes every call, a client secret only its own payment intent; `onEvent` runs after a write with events to deliver. */
export function bankRoutes(db: AnyDatabase, secretKey: string, onEvent: () => void) {
  const bank = new Hono<{ Variables: { requestId: string } }>({ getPath: toPath }).basePath('/v1')

  bank.use(async (c, next) => {
    const requestId = newId('req')
    c.set('requestId', requestId)
    c.header('request-id', requestId)
    const version = c.req.header('stripe-version')
    if (version) c.header('stripe-version', version)
    await next()
  })

  bank.post('/payment_intents', create)
  bank.get('/payment_intents', read(listIntents))
  bank.get('/payment_intents/:id', read(readIntent, 'client-secret'))
  bank.post('/payment_intents/:id/confirm', write(confirmIntent, 'client-secret', confirmAtOnce))
  bank.post('/payment_intents/:id/authenticate', write(authenticateIntent, 'client-secret'))
  bank.post('/payment_intents/:id/cancel', write(cancelIntent))
  bank.post('/payment_intents/:id/capture', write(captureIntent))
  bank.post('/refunds', write(createRefund))
  bank.get('/refunds', read(listRefunds))
  bank.get('/disputes', read(listDisputes))
  bank.post('/disputes/:id', write(updateDispute))
  bank.post('/disputes/:id/close', write(closeDispute))
  bank.post('/tax/calculations', write(createCalculation))
  bank.get('/tax/calculations/:id/line_items', read(listTaxItems))
  bank.post('/tax/transactions/create_from_calculation', write(commitCalculation))
  bank.post('/tax/transactions/create_reversal', write(createReversal))
  bank.get('/tax/transactions/:id/line_items', read(listTaxItems))

  bank.notFound((c) => {
    const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`
    return send(c, fail(404, { type: 'invalid_request_error', message }))
  })
  bank.onError((error, c) => {
    if (error instanceof BankApiError) {
      if (error.response.status === 409) c.header('stripe-should-retry', 'true')
      return send(c, error.response)
    }
    log.error({ err: error }, 'test bank failed')
    const isAway = isUnavailable(error)
    if (isAway) c.header('Retry-After', '5')
    const message = isAway
      ? 'The test bank is temporarily unavailable. Try again in a moment.'
      : 'Something went wrong. Try again.'
    return send(c, fail(isAway ? 503 : 500, { type: 'api_error', message }))
  })
  return bank

  function read(handler: Handler, access: Access = 'secret-key') {
    return async (c: Context) => {
      const { call, id, form } = await readRequest(c, secretKey, access)
      return send(c, await handler({ ...call, tx: db }, id, form))
    }
  }

  /** Runs in one transaction, unless it can be done `atOnce`; with an idempotency key, at most once. */
  function write(handler: Handler, access: Access = 'secret-key', atOnce?: Handler<BankResponse | null>) {
    return async (c: Context) => {
      const { call, id, form, pairs } = await readRequest(c, secretKey, access)
      const own: BankCall = { ...call, tx: db }
      const run = (tx: BankQueries) => handler(Object.assign(own, { tx }), id, form)
      const request = keyedRequest(c, secretKey, { call, pairs })
      const done = !request && (await atOnce?.(own, id, form))
      const stored = request
        ? await idempotentRequest(db, request, run)
        : { response: done || (await db.transaction(run)), original: null }
      if (own.hasDueEvents) onEvent()
      return reply(c, request, stored)
    }
  }

  /** Needs one statement: what is created depends on nothing but the request. */
  async function create(c: Context) {
    const { call, form, pairs } = await readRequest(c, secretKey, 'secret-key')
    const request = keyedRequest(c, secretKey, { call, pairs })
    const { response, isFirst } = await createIntent(db, call, { form, request })
    return reply(c, request, isFirst ? { response, original: null } : await findStored(db, request!))
  }
}

function keyedRequest(
  c: Context,
  secretKey: string,
  { call, pairs }: { call: RequestCall; pairs: FormPairs },
) {
  const { idempotencyKey: key, requestId } = call
  if (!key) return null
  const address = `${c.req.method} ${c.req.path}`
  return { key, requestId, fingerprint: computeFingerprint(secretKey, { address, pairs }) }
}

function reply(c: Context, request: IdempotentCall | null, { response, original }: KeyedResponse) {
  if (request) {
    c.header('idempotency-key', request.key)
    c.header('original-request', original ?? request.requestId)
    if (original) c.header('idempotent-replayed', 'true')
  }
  return send(c, response)
}

/** The browser’s requests to the bank have a prefix, those of the SDK have none. */
function toPath(request: Request) {
  return getPath(request).replace(/^\/payments(?=\/)/, '')
}

function send(c: Context, { status, body }: BankResponse) {
  return c.json(body, status as ContentfulStatusCode)
}
