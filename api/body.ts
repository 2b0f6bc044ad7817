import type { Context } from 'hono'
import { ShopError } from '#shop/errors.ts'
import type { AnyCall } from './call.ts'

/** What a caller sent, not checked yet. Throws 'wrong-type' and 'invalid' for what cannot be read at all. */
export async function readBody(c: Context, call: AnyCall): Promise<unknown> {
  if (call.method === 'GET') return readQuery(c)
  const type = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase()

  const text = await c.req.text()
  if (text === '') return undefined
  if (type !== 'application/json') throw new ShopError('wrong-type', 'Please send application/json.')
  return parse(text)
}

function parse(text: string): unknown {
  if (text.includes('\\u0000')) throw unstorable()
  try {
    return JSON.parse(text)
  } catch {
    throw new ShopError('invalid', 'That is not valid JSON.')
  }
}

/** Postgres cannot keep the character NUL, and nobody can type it. */
export function unstorable() {
  return new ShopError('invalid', 'There is a character in it that cannot be stored.')
}

/** Throws 'invalid' for a parameter that is given twice. */
export function readQuery(c: Context): Record<string, string> {
  const given = [...new URL(c.req.url).searchParams]
  const names = given.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) throw new ShopError('invalid', `${twice} is given twice.`)
  return Object.fromEntries(given)
}
