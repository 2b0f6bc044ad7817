import type { Fields } from '#shop/errors.ts'
import { type Answers, type AnyCall, type Contract, isPaged, type Params, type Typed, urlOf } from './call.ts'
import { timedOut, unreachable } from './unreachable.ts'

/** How long a call may take, in milliseconds: a page that waits for ever helps nobody. */
const timeoutMs = 30_000

type Input<C extends AnyCall> = (keyof Params<C> extends never ? unknown : { params: Params<C> }) &
  (MayBeLeftOut<Typed<C>> extends true ? { body?: Typed<C> } : { body: Typed<C> }) & {
    /** Makes a repeat of a creating call harmless: the same key answers the same. */
    key?: string
  }

type MayBeLeftOut<Body> = undefined extends Body ? true : object extends Body ? true : false

export type Client<C extends Contract> = {
  [Name in keyof C]: object extends Input<C[Name]>
    ? (input?: Input<C[Name]>) => Promise<Answers<C[Name]>>
    : (input: Input<C[Name]>) => Promise<Answers<C[Name]>>
}

/** A call that was answered with a failure, in words to show; status 0 when no answer came at all. */
export class CallFailed extends Error {
  readonly status: number
  readonly fields: Fields

  constructor(status: number, message: string, fields: Fields = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }
}

interface Options {
  origin: string
  token: () => string | null
  /** Asked once when a call answers 401: whether there is a new token to try again with. */
  renew?: () => Promise<boolean>
  /** Told when a call still answers 401 after that. */
  refused?: () => void
  /** `fetch` in the browser, `app.fetch` in tests. */
  send?: (request: Request) => Response | Promise<Response>
}

/** Turns the contract into typed functions: `client.placeOrder({ body })`. Failures throw CallFailed. */
export function createClient<C extends Contract>(contract: C, options: Options): Client<C> {
  const calls = Object.entries(contract).map(([name, call]) => [
    name,
    (input: Loose = {}) => perform(call, input, options),
  ])
  return Object.fromEntries(calls)
}

interface Loose {
  params?: Record<string, string>
  body?: Record<string, unknown>
  key?: string
}

async function perform(call: AnyCall, input: Loose, options: Options) {
  const { renew, refused } = options
  let { response, body } = await attempt(call, input, options)
  if (response.status === 401 && renew && (await renew())) {
    ;({ response, body } = await attempt(call, input, options))
  }
  if (response.status === 401) refused?.()

  const answer = parse(body)
  if (!response.ok) {
    throw new CallFailed(response.status, answer?.message ?? 'Something went wrong.', answer?.fields)
  }
  const total = Number(response.headers.get('x-total-count'))
  const result = call.answers.safeParse(isPaged(call) ? { rows: answer, total } : answer)
  if (result.success) return result.data
  throw new CallFailed(response.status, 'The shop has changed meanwhile. Please load this page again.')
}

/** What JSON says; undefined for what is none. */
export function parse(body: string) {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function attempt(call: AnyCall, input: Loose, { origin, token, send = fetch }: Options) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  try {
    const response = await send(request(call, input, origin, token(), late.signal))
    return { response, body: await response.text() }
  } catch {
    throw new CallFailed(0, late.signal.aborted ? timedOut : unreachable)
  } finally {
    clearTimeout(timer)
  }
}

function request(call: AnyCall, input: Loose, origin: string, token: string | null, signal: AbortSignal) {
  const path = urlOf(call).replace(/:(\w+)/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''))
  const url = new URL(path, origin)
  const headers = new Headers()
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (input.key) headers.set('idempotency-key', input.key)

  if (call.method === 'GET') {
    for (const [name, value] of Object.entries(input.body ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return new Request(url, { headers, signal })
  }
  const body = input.body && JSON.stringify(input.body)
  if (body) headers.set('content-type', 'application/json')
  return new Request(url, { method: call.method, headers, body: body ?? null, signal })
}
