import type { Fields } from '#shop/errors.ts'
import {
  type Answers,
  type AnyCall,
  address,
  type Contract,
  isPaged,
  type Params,
  type Typed,
} from './call.ts'
import { unreachable } from './unreachable.ts'

type Input<C extends AnyCall> = (keyof Params<C> extends never ? unknown : { params: Params<C> }) &
  (MayBeLeftOut<Typed<C>> extends true ? { body?: Typed<C> } : { body: Typed<C> }) & {
    /** Makes a repeat of a creating call harmless: the same key answers the same. */
    key?: string
    signal?: AbortSignal
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
  signal?: AbortSignal
}

async function perform(call: AnyCall, input: Loose, { origin, token, renew, send = fetch }: Options) {
  const attempt = () => send(request(call, input, origin, token()))
  let response = await reach(attempt)
  if (response.status === 401 && renew && (await renew())) response = await reach(attempt)

  const answer = await response.json().catch(() => ({}))
  if (!response.ok) {
    throw new CallFailed(response.status, answer.message ?? 'Something went wrong.', answer.fields)
  }
  const total = Number(response.headers.get('x-total-count'))
  return call.answers.parse(isPaged(call) ? { rows: answer, total } : answer)
}

async function reach(attempt: () => Response | Promise<Response>) {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new CallFailed(0, unreachable)
  }
}

function request(call: AnyCall, input: Loose, origin: string, token: string | null) {
  const path = address(call).replace(/:(\w+)/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''))
  const url = new URL(path, origin)
  const headers = new Headers()
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (input.key) headers.set('idempotency-key', input.key)

  if (call.method === 'GET') {
    for (const [name, value] of Object.entries(input.body ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return new Request(url, { headers, signal: input.signal ?? null })
  }
  const body = input.body && JSON.stringify(input.body)
  if (body) headers.set('content-type', 'application/json')
  return new Request(url, { method: call.method, headers, body: body ?? null, signal: input.signal ?? null })
}
