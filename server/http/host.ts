import type { Context, Next } from 'hono'

/** The HTTP server accepts hosts that no URL can have, such as 1.2.3.4.5. */
export async function requireHost(c: Context, next: Next) {
  // No Request can have this method.
  if (c.req.method === 'TRACE') return c.json({ message: 'TRACE requests are not supported.' }, 405)
  if (!URL.canParse(c.req.url)) return c.json({ message: 'The Host header is invalid.' }, 400)
  await next()
}
