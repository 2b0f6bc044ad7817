import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import type { AnyDatabase } from '#db/embedded.ts'
import { stackTraceOf } from '#shop/errors.ts'
import { authenticateIntent, confirmIntent } from './attempts.ts'
import { listCharges, readCharge } from './charges.ts'
import { listEvents, readEvent } from './events.ts'
import { expand } from './expand.ts'
import { type FormTree, listOf, readFields, readTree } from './forms.ts'
import { fingerprintOf, idempotentRequest } from './idempotency.ts'
import { cancelIntent, createIntent, listIntents, readIntent, updateIntent } from './intents.ts'
import { createRefund, listRefunds, readRefund } from './refunds.ts'
import {
  BankApiError,
  type BankCall,
  type BankQueries,
  type BankResponse,
  fail,
  invalid,
  newId,
  notFound,
} from './responses.ts'

type Handler = (call: BankCall, id: string, form: FormTree) => Promise<BankResponse>

interface Received {
  call: Omit<BankCall, 'tx'>
  form: FormTree
  paths: string[]
  pairs: [string, string][]
}

/** Speaks Stripe’s API. `secretKey` authorizes every call, a client secret only its own payment intent; `onWrite` runs after each write. */
export function testBankServer(db: AnyDatabase, secretKey: string, onWrite: () => void) {
  const bank = new Hono<{ Variables: { requestId: string } }>().basePath('/v1')

  bank.use(async (c, next) => {
    const requestId = newId('req')
    c.set('requestId', requestId)
    c.header('request-id', requestId)
    const version = c.req.header('stripe-version')
    if (version) c.header('stripe-version', version)
    await next()
  })

  bank.post(
    '/payment_intents',
    write((call, _, form) => createIntent(call, form)),
  )
  bank.get(
    '/payment_intents',
    read((call, _, form) => listIntents(call, form)),
  )
  bank.get(
    '/payment_intents/:id',
    read((call, id) => readIntent(call, id), 'client-secret'),
  )
  bank.post('/payment_intents/:id', write(updateIntent))
  bank.post('/payment_intents/:id/confirm', write(confirmIntent, 'client-secret'))
  bank.post('/payment_intents/:id/authenticate', write(authenticateIntent, 'client-secret'))
  bank.post('/payment_intents/:id/cancel', write(cancelIntent))
  bank.post(
    '/refunds',
    write((call, _, form) => createRefund(call, form)),
  )
  bank.get(
    '/refunds',
    read((call, _, form) => listRefunds(call, form)),
  )
  bank.get('/refunds/:id', read(readRefund))
  bank.get(
    '/charges',
    read((call, _, form) => listCharges(call, form)),
  )
  bank.get('/charges/:id', read(readCharge))
  bank.get(
    '/events',
    read((call, _, form) => listEvents(call, form)),
  )
  bank.get('/events/:id', read(readEvent))

  bank.notFound((c) => {
    const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`
    return send(c, fail(404, { type: 'invalid_request_error', message }))
  })
  bank.onError((error, c) => {
    if (error instanceof BankApiError) return send(c, error.response)
    console.error('test bank failed:', stackTraceOf(error))
    return send(
      c,
      fail(500, { type: 'api_error', message: 'The bank cannot answer just now. Please try again.' }),
    )
  })
  return bank

  function read(handler: Handler, access?: 'client-secret') {
    return async (c: Context) => {
      const { call, form, paths } = await receive(c, access)
      return send(c, await runHandler(handler, { ...call, tx: db }, c, form, paths))
    }
  }

  /** Runs in one transaction; with an idempotency key, at most once. */
  function write(handler: Handler, access?: 'client-secret') {
    return async (c: Context) => {
      const { call, form, paths, pairs } = await receive(c, access)
      const run = (tx: BankQueries) => runHandler(handler, { ...call, tx }, c, form, paths)
      const { idempotencyKey: key, requestId } = call
      if (!key) {
        const response = await db.transaction(run)
        onWrite()
        return send(c, response)
      }
      const fingerprint = fingerprintOf(secretKey, { address: `${c.req.method} ${c.req.path}`, pairs })
      const { response, original } = await idempotentRequest(db, { key, fingerprint, requestId }, run)
      c.header('idempotency-key', key)
      c.header('original-request', original ?? requestId)
      if (original) c.header('idempotent-replayed', 'true')
      else onWrite()
      return send(c, response)
    }
  }

  async function receive(c: Context, access?: 'client-secret'): Promise<Received> {
    // Authenticates before the body is read.
    const isShop = checkKey(c, access)
    const id = c.req.param('id') ?? ''
    const query = [...new URL(c.req.url).searchParams]
    const pairs = c.req.method === 'GET' ? query : [...new URLSearchParams(await c.req.text()), ...query]
    const clientSecret = pairs.find(([name]) => name === 'client_secret')?.[1] ?? null
    if (!isShop && !clientSecret?.startsWith(`${id}_secret_`)) throw notFound('payment_intent', id, 'intent')
    if ([id, ...pairs.flat()].some((text) => text.includes('\0'))) {
      throw invalid('Your request has a character that cannot be kept.')
    }
    const { expand: expandParam, ...form } = readTree(pairs)
    const { paths } = readFields(expandSchema, { ...(expandParam && { paths: expandParam }) })
    // Reading by client secret has no other parameter.
    if (c.req.method === 'GET' && access === 'client-secret') delete form.client_secret
    const call = {
      isShop,
      clientSecret,
      requestId: c.get('requestId'),
      idempotencyKey: isShop ? readKey(c) : null,
      version: readVersion(c),
    }
    return { call, form, paths, pairs }
  }

  function checkKey(c: Context, access?: 'client-secret') {
    const header = c.req.header('authorization')
    if (!header && access === 'client-secret') return false
    if (header && isEqual(header, `Bearer ${secretKey}`)) return true
    const message = header
      ? 'Invalid API Key provided.'
      : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
    throw new BankApiError(401, { type: 'invalid_request_error', message })
  }
}

const expandSchema = z.object({ paths: listOf(z.string()).default([]) })

async function runHandler(
  handler: Handler,
  call: BankCall,
  c: Context,
  form: FormTree,
  paths: string[],
): Promise<BankResponse> {
  const response = await handler(call, c.req.param('id') ?? '', form)
  return response.status === 200 ? { ...response, body: await expand(call, response.body, paths) } : response
}

function readKey(c: Context) {
  const key = c.req.header('idempotency-key')
  if (key && key.length > 255) {
    const message = 'Idempotency keys can be at most 255 characters long.'
    throw new BankApiError(400, { type: 'idempotency_error', message })
  }
  return key || null
}

function readVersion(c: Context) {
  const version = c.req.header('stripe-version') ?? null
  if (version !== null && !/^\d{4}-\d\d-\d\d.{0,50}$/.test(version)) {
    throw invalid(`Invalid Stripe API version: ${version}`)
  }
  return version
}

function send(c: Context, { status, body }: BankResponse) {
  return c.json(body, status as ContentfulStatusCode)
}

function isEqual(one: string, other: string) {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}
