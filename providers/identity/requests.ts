import { z } from 'zod'
import { ShopError } from '#shop/errors.ts'

/** What the login and registration pages send; better-auth accepts more. */
const returnUrl = z.string().regex(/^\/(login|registration)(\?[\w=&%+.*-]*)?$/)
const socialSignIn = z.object({
  provider: z.string(),
  callbackURL: returnUrl.optional(),
  errorCallbackURL: returnUrl.optional(),
})

/** Null unless it leads back to one of these pages. */
export async function readSocialSignIn(request: Request): Promise<Request | null> {
  const { data } = socialSignIn.safeParse(await request.json().catch(() => null))
  if (!data) return null
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: JSON.stringify(data) })
}

const providerOrigins = ['https://accounts.google.com', 'https://github.com']

/** No redirect leaves the shop but to a provider, whatever better-auth makes of an address. */
export function keepInShop(response: Response, origin: string): Response {
  const location = response.headers.get('location')
  if (location === null) return response
  const target = URL.canParse(location, origin) ? new URL(location, origin).origin : null
  if (target && [origin, ...providerOrigins].includes(target)) return response
  throw new ShopError('invalid', 'This address leads to another site.')
}

/** Far above what the endpoints need, and too short for slow checks in better-auth. */
const maxBodyLength = 8_000

/** Reads the body first, so that a slow client holds no queue place. Throws 'invalid' for a NUL, and for a long body. */
export async function bufferRequest(request: Request) {
  const { url, method, headers } = request
  const body = await request.text()
  if (body.length > maxBodyLength) throw new ShopError('invalid', 'The request is too large.')
  if (/\\u0000|\0/.test(body))
    throw new ShopError('invalid', 'The text contains a character that can’t be stored.')
  return new Request(url, { method, headers, body })
}

export function isJson({ headers }: Request) {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}
