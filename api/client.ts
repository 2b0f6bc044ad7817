import type { Fields } from '#shop/errors.ts'
import {
  type AnyCall,
  type Contract,
  isFile,
  isPaged,
  type Params,
  type RequestInput,
  type ResponseBody,
  toPath,
} from './call.ts'
import { describeStatus, timeoutMessage, unreachableMessage } from './unreachable.ts'

const [defaultTimeoutMs, largeTimeoutMs] = [30_000, 180_000]

type Input<C extends AnyCall> = (keyof Params<C> extends never ? unknown : { params: Params<C> }) &
  (IsOptional<RequestInput<C>> extends true ? { body?: RequestInput<C> } : { body: RequestInput<C> }) & {
    /** Idempotency key: a repeated call returns the first result. */
    key?: string
    signal?: AbortSignal
    /** Of a file: how many bytes have arrived. */
    onProgress?: (bytes: number) => void
  }

type IsOptional<Body> = undefined extends Body ? true : object extends Body ? true : false

export type Client<C extends Contract> = {
  [Name in keyof C]: object extends Input<C[Name]>
    ? (input?: Input<C[Name]>) => Promise<ResponseBody<C[Name]>>
    : (input: Input<C[Name]>) => Promise<ResponseBody<C[Name]>>
}

/** `message` can be shown to users; status is 0 without a response. */
export class ApiError extends Error {
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
  /** Whose token it is, or null. Once it is another person's, a refused call is neither repeated nor ends the session. */
  account?: () => string | null
  /** Called once after a 401 response; true retries the call with the new token. */
  renewToken?: () => Promise<boolean>
  /** Called when the response is still 401 after that. */
  onUnauthorized?: () => void
  send?: (request: Request) => Response | Promise<Response>
  onResponse?: (response: Response) => void
  timeoutMs?: number
}

/** Typed functions for the contract: `client.placePurchase({ body })`. They throw ApiError. */
export function createClient<C extends Contract>(contract: C, options: Options): Client<C> {
  const calls = Object.entries(contract).map(([name, call]) => [
    name,
    (input: UntypedInput = {}) => callApi(call, input, options),
  ])
  return Object.fromEntries(calls)
}

interface UntypedInput {
  params?: Record<string, string>
  body?: Record<string, unknown>
  key?: string
  signal?: AbortSignal
  onProgress?: (bytes: number) => void
}

async function callApi(call: AnyCall, input: UntypedInput, options: Options) {
  const { token, account = () => token() && '', renewToken, onUnauthorized } = options
  const before = account()
  const isSameAccount = () => before === null || account() === before
  let { response, body } = await sendOnce(call, input, options)
  if (response.status === 401 && isSameAccount()) {
    const isRenewed = renewToken && (await renewToken())
    if (isRenewed && isSameAccount()) ({ response, body } = await sendOnce(call, input, options))
    if (response.status === 401 && isSameAccount()) onUnauthorized?.()
  }

  const data = typeof body === 'string' ? parseJson(body) : body
  if (!response.ok) {
    throw new ApiError(response.status, data?.message ?? describeStatus(response.status), data?.fields)
  }
  const total = Number(response.headers.get('x-total-count'))
  const result = call.response.safeParse(isPaged(call) ? { rows: data, total } : data)
  if (result.success) return result.data
  throw new ApiError(response.status, 'This page is out of date. Reload it and try again.')
}

export function parseJson(body: string) {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function sendOnce(call: AnyCall, input: UntypedInput, options: Options) {
  const { origin, token, send = fetch, onResponse, timeoutMs = defaultTimeoutMs } = options
  // The listener below hears nothing of what has happened before.
  if (input.signal?.aborted) throw new ApiError(0, unreachableMessage)
  const controller = new AbortController()
  const startTimer = () =>
    setTimeout(() => controller.abort(timeoutMessage), call.isLarge ? largeTimeoutMs : timeoutMs)
  let timer = startTimer()
  const onProgress = (bytes: number) => {
    clearTimeout(timer)
    timer = startTimer()
    input.onProgress?.(bytes)
  }
  const abort = () => controller.abort(unreachableMessage)
  input.signal?.addEventListener('abort', abort)
  try {
    const response = await send(createRequest(call, input, origin, token(), controller.signal))
    onResponse?.(response)
    const body = isFile(call) && response.ok ? await readFile(response, onProgress) : await response.text()
    return { response, body }
  } catch {
    throw new ApiError(0, controller.signal.aborted ? controller.signal.reason : unreachableMessage)
  } finally {
    clearTimeout(timer)
    input.signal?.removeEventListener('abort', abort)
  }
}

/** In chunks: a long file may take longer than the timeout, as long as it keeps arriving. */
async function readFile(response: Response, onProgress: (bytes: number) => void) {
  const [, name = 'file'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const reader = response.body!.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    chunks.push(chunk.value)
    bytes += chunk.value.length
    onProgress(bytes)
  }
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  return new File(chunks, name, { type })
}

function createRequest(
  call: AnyCall,
  input: UntypedInput,
  origin: string,
  token: string | null,
  signal: AbortSignal,
) {
  const path = toPath(call).replace(/:(\w+)/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''))
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
