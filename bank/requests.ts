import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { type FormTree, readTree } from './forms.ts'
import { BankApiError, type BankCall, invalidRequestError, notFoundError } from './responses.ts'

/** With 'client-secret' a request may authorize itself by the client secret of its own payment intent. */
export type Access = 'secret-key' | 'client-secret'

export type RequestCall = Omit<BankCall, 'tx'> & { requestId: string }

export type FormPairs = [string, string][]

interface BankRequest {
  call: RequestCall
  id: string
  form: FormTree
  pairs: FormPairs
}

export async function readRequest(c: Context, secretKey: string, access: Access): Promise<BankRequest> {
  // Authenticates before the body is read.
  const hasSecretKey = checkKey(c, secretKey, access)
  const id = c.req.param('id') ?? ''
  const query = [...new URL(c.req.url).searchParams]
  const pairs = c.req.method === 'GET' ? query : [...new URLSearchParams(await c.req.text()), ...query]
  const clientSecret = pairs.find(([name]) => name === 'client_secret')?.[1] ?? null
  if (!hasSecretKey && !clientSecret?.startsWith(`${id}_secret_`))
    throw notFoundError('payment_intent', id, 'intent')
  if ([id, ...pairs.flat()].some((text) => text.includes('\0'))) {
    throw invalidRequestError('Your request contains a character that cannot be stored.')
  }
  const call = {
    hasSecretKey,
    clientSecret,
    requestId: c.get('requestId'),
    idempotencyKey: hasSecretKey ? readIdempotencyKey(c) : null,
    version: readVersion(c),
  }
  return { call, id, form: readTree(pairs), pairs }
}

/** The restricted key (`rk_test_…`) has no permissions. */
function checkKey(c: Context, secretKey: string, access: Access) {
  const header = c.req.header('authorization')
  if (!header && access === 'client-secret') return false
  if (header && isEqual(header, `Bearer ${secretKey}`)) return true
  if (header && isEqual(header, `Bearer ${secretKey.replace(/^sk_/, 'rk_')}`)) {
    const message = 'The provided key does not have the required permissions for this endpoint.'
    throw new BankApiError(403, { type: 'invalid_request_error', code: 'more_permissions_required', message })
  }
  const message = header
    ? 'Invalid API Key provided.'
    : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
  throw new BankApiError(401, { type: 'invalid_request_error', message })
}

function readIdempotencyKey(c: Context) {
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
    throw invalidRequestError(`Invalid Stripe API version: ${version}`)
  }
  return version
}

function isEqual(one: string, other: string) {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}
