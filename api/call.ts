import { z } from 'zod'
import type { Page } from '#shop/fields.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may make a call, as api/server.ts enforces it.
 * - anyone: nobody has to be signed in
 * - identity: an ID token of the identity provider, for the email in the path
 * - key: the upload key in the query
 * - member: anyone with an access token
 * - self: the person whose email is in the path or query; admins pass
 * - self alone: that person, admins do not pass
 * - owner: whoever placed the order in the path; admins pass
 * - owner alone: whoever placed it, admins do not pass
 * - admin: an admin
 */
export type AccessRule =
  | 'anyone'
  | 'identity'
  | 'key'
  | 'member'
  | 'self'
  | 'self alone'
  | 'owner'
  | 'owner alone'
  | 'admin'

export interface Call<Path extends string, Who extends AccessRule, Input, Body, Output> {
  method: Method
  path: Path
  access: Who
  /** What comes in, and what is left of it once it is checked. */
  sends: z.ZodType<Body, Input>
  answers: z.ZodType<Output>
  status: 200 | 201
  /** How often an hour one account, and one network address, may make this call. */
  perHour: number | undefined
}

export function call<const Path extends string, const Who extends AccessRule, Typed, Sends, Answers>(
  method: Method,
  path: Path,
  access: Who,
  sends: z.ZodType<Sends, Typed>,
  answers: z.ZodType<Answers>,
  { status = 200, perHour }: { status?: 200 | 201; perHour?: number } = {},
): Call<Path, Who, Typed, Sends, Answers> {
  return { method, path, access, sends, answers, status, perHour }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of any shape; each row keeps its own types
export type AnyCall = Call<string, AccessRule, any, any, any>
export type Contract = Record<string, AnyCall>

export type Params<C extends AnyCall> = Record<ParamOf<C['path']>, string>
/** What a caller may send. */
export type Typed<C extends AnyCall> =
  C extends Call<string, AccessRule, infer T, infer _, infer _> ? T : never
/** What a handler receives. */
export type Sends<C extends AnyCall> =
  C extends Call<string, AccessRule, infer _, infer S, infer _> ? S : never
export type Answers<C extends AnyCall> =
  C extends Call<string, AccessRule, infer _, infer _, infer A> ? A : never

type ParamOf<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamOf<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never

/** Where a call is found on this origin. The image host keeps an address of its own. */
export function urlOf({ path }: Pick<AnyCall, 'path'>) {
  return path.startsWith('/images/') ? path : `/api${path}`
}

const paged = new WeakSet<z.ZodType>()

/** A list: an array on the wire, with the length of the whole list in `X-Total-Count`. */
export function pageOf<Row>(row: z.ZodType<Row>): z.ZodType<Page<Row>> {
  const schema = z.object({ rows: z.array(row), total: z.int() })
  paged.add(schema)
  return schema
}

export function isPaged(call: AnyCall) {
  return paged.has(call.answers)
}
