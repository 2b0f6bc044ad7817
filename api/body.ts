import type { Context } from 'hono'
import { ShopError } from '#shop/errors.ts'
import type { AnyCall } from './call.ts'

/** The unvalidated query or body. Throws 'wrong-type' or 'invalid'. */
export async function readBody(c: Context, call: AnyCall): Promise<unknown> {
  if (call.method === 'GET') return readQuery(c)
  const type = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase()

  const text = await c.req.text()
  if (text === '') return undefined
  if (type !== 'application/json')
    throw new ShopError('wrong-type', 'Send the request body as application/json.')
  return parse(text)
}

function parse(text: string): unknown {
  if (text.includes('\\u0000')) throw nulCharacterError()
  try {
    return JSON.parse(text)
  } catch {
    throw new ShopError('invalid', 'The request body is not valid JSON.')
  }
}

/** Postgres cannot store NUL characters. */
export function nulCharacterError() {
  return new ShopError('invalid', 'Your text contains an invalid character. Remove it and try again.')
}

/** More than any call has. Looking for repeated ones takes time that grows with their square. */
const maxParameters = 30

export function readQuery(c: Context): Record<string, string> {
  const { searchParams } = new URL(c.req.url)
  if (searchParams.size > maxParameters)
    throw new ShopError('invalid', `Send at most ${maxParameters} parameters.`)
  const entries = [...searchParams]
  const names = entries.map(([name]) => name)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate) throw new ShopError('invalid', `Send the parameter ${duplicate} only once.`)
  return Object.fromEntries(entries)
}
