import type { ShopError } from '#shop/errors.ts'

export const expiredLinkMessage =
  'This link has expired or was already used. If you just set a password with it, sign in with that password.'

const messages: Record<string, string> = {
  INVALID_TOKEN: expiredLinkMessage,
  VALIDATION_ERROR: 'Check the form and try again.',
}

/** Replaces better-auth’s messages that are written for programmers. */
export async function withShopMessage(response: Response) {
  const { code, message = '' } = await response
    .clone()
    .json()
    .catch(() => ({}))
  if (message.startsWith('[body.email]'))
    return errorResponse(response.status, 'Please provide a valid email...', code)
  return Object.hasOwn(messages, code) ? errorResponse(response.status, messages[code]!, code) : response
}

/** better-auth's code of an error; empty without one. */
export async function readErrorCode(response: Response): Promise<string> {
  if (response.ok) return ''
  const body = await response
    .clone()
    .json()
    .catch(() => ({}))
  return String(body?.code ?? '')
}

export function errorResponse(status: number, message: string, code = 'REFUSED') {
  return Response.json({ message, code }, { status })
}

/** 429 or 503 with Retry-After. */
export function retryLaterResponse({ code, message, retryAfter }: ShopError) {
  const headers = { 'Retry-After': String(retryAfter) }
  const [status, name] = code === 'rate-limited' ? [429, 'TOO_MANY_ATTEMPTS'] : [503, 'UNAVAILABLE']
  return Response.json({ message, code: name }, { status, headers })
}

/** The session is the browser's HttpOnly cookie alone; better-auth repeats its token in the body. */
export async function withoutSessionToken(response: Response): Promise<Response> {
  const body = await response.json()
  delete body?.token
  delete body?.session?.token
  return new Response(JSON.stringify(body), response)
}
