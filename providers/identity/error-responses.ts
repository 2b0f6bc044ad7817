import type { ShopError } from '#shop/errors.ts'

/** A call that did not do what it was made for: it counts as a failure. */
export class RefusedError extends Error {
  readonly response: Response
  constructor(response: Response) {
    super('refused')
    this.response = response
  }
}

/** Throws Refused for an answer that is a refusal. */
export function throwIfRefused(response: Response) {
  if (!response.ok) throw new RefusedError(response)
  return response
}

const words: Record<string, string> = {
  INVALID_TOKEN:
    'This link was used already, or is too old. If you have just set a password with it, please log in with that one.',
  VALIDATION_ERROR: 'Please check what you have typed.',
}

/** A refusal of better-auth in the shop's words, where its own are for programmers. */
export async function withShopMessage(response: Response) {
  const { code, message = '' } = await response
    .clone()
    .json()
    .catch(() => ({}))
  if (message.startsWith('[body.email]'))
    return errorResponse(response.status, 'Please provide a valid email...', code)
  return Object.hasOwn(words, code) ? errorResponse(response.status, words[code]!, code) : response
}

export function errorResponse(status: number, message: string, code = 'REFUSED') {
  return Response.json({ message, code }, { status })
}

/** How a failure answers after which one has to wait. */
export function retryLaterResponse({ code, message, retryAfter }: ShopError) {
  const headers = { 'Retry-After': String(retryAfter) }
  const [status, name] = code === 'limited' ? [429, 'TOO_MANY_ATTEMPTS'] : [503, 'UNAVAILABLE']
  return Response.json({ message, code: name }, { status, headers })
}
