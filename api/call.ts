import { z } from 'zod'
import type { FileStream, Page, RowStream } from '#shop/fields.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type AccessRule =
  | 'anyone' // no authentication
  | 'identity' // an ID token of the identity provider for the email in the path
  | 'key' // the upload key in the query
  | 'member' // any access token
  | 'self' // the user whose email is in the path or query, or an admin
  | 'self only' // that user only
  | 'owner' // the customer of the order in the path, or an admin
  | 'owner only' // that customer only
  | 'admin'

export interface Call<Path extends string, Who extends AccessRule, Input, Body, Output> {
  method: Method
  path: Path
  access: Who
  request: z.ZodType<Body, Input>
  response: z.ZodType<Output>
  status: 200 | 201
  /** Limit of successful calls per account and per client network. */
  perHour: number | undefined
  /** How many times that a client network may make. */
  usersPerNetwork: number
  /** 'all' limits calls that are refused, too: those that ask the card provider. */
  counts: 'successes' | 'all'
  /** A request of up to 28 MB, which may take minutes. */
  isLarge: boolean
  /** Of the body of any other. */
  maxBytes: number
  /** How many seconds anybody may keep the response of a call that needs no account. */
  maxAge: number | undefined
  /** The member may be taken from memory, up to a minute old: the statement that writes compares the session’s version. */
  mayRecallCaller: boolean
}

export const maxBodyBytes = 64 * 1024

type Options = Partial<
  Pick<
    AnyCall,
    | 'status'
    | 'perHour'
    | 'usersPerNetwork'
    | 'counts'
    | 'isLarge'
    | 'maxBytes'
    | 'maxAge'
    | 'mayRecallCaller'
  >
>

export function call<const Path extends string, const Who extends AccessRule, Input, Body, Output>(
  method: Method,
  path: Path,
  access: Who,
  request: z.ZodType<Body, Input>,
  response: z.ZodType<Output>,
  { status = 200, counts = 'successes', ...options }: Options = {},
): Call<Path, Who, Input, Body, Output> {
  const { perHour, usersPerNetwork = 50, isLarge = false, maxAge, mayRecallCaller = false } = options
  const limits = { perHour, usersPerNetwork, counts, maxBytes: options.maxBytes ?? maxBodyBytes }
  return { method, path, access, request, response, status, ...limits, isLarge, maxAge, mayRecallCaller }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of any shape; each row keeps its own types
export type AnyCall = Call<string, AccessRule, any, any, any>
export type Contract = Record<string, AnyCall>

export type Params<C extends AnyCall> = Record<ParamOf<C['path']>, string>
export type RequestInput<C extends AnyCall> =
  C extends Call<string, AccessRule, infer T, infer _, infer _> ? T : never
export type RequestBody<C extends AnyCall> =
  C extends Call<string, AccessRule, infer _, infer S, infer _> ? S : never
export type ResponseBody<C extends AnyCall> =
  C extends Call<string, AccessRule, infer _, infer _, infer A> ? A : never

/** What a handler returns. */
export type HandlerResult<C extends AnyCall> =
  ResponseBody<C> extends Page<infer Row>
    ? Page<Row> | RowStream<Row>
    : ResponseBody<C> extends File
      ? File | FileStream
      : ResponseBody<C>

type ParamOf<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamOf<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never

/** The image host has its own path outside /api. */
export function toPath({ path }: Pick<AnyCall, 'path'>) {
  return path.startsWith('/images/') ? path : `/api${path}`
}

/** The schemas of pages, with those of their rows. */
const paged = new WeakMap<z.ZodType, z.ZodType>()

/** Sent as an array, with the total in `X-Total-Count`. */
export function toPageSchema<Row>(row: z.ZodType<Row>): z.ZodType<Page<Row>> {
  const schema = z.object({ rows: z.array(row), total: z.int() })
  paged.set(schema, row)
  return schema
}

export function isPaged(call: AnyCall) {
  return paged.has(call.response)
}

/** Of a call that is paged. */
export function findRowSchema(call: AnyCall): z.ZodType {
  return paged.get(call.response)!
}

/** Sent as it is, with its name in `Content-Disposition`. */
export function isFile(call: AnyCall) {
  return call.response instanceof z.ZodFile
}
