import type { Context } from 'hono'

/** The `env` of requests that render what is kept for many visitors. */
export const rendering = { isRendering: true }

export function isRendering(c: Context): boolean {
  return c.env?.isRendering === true
}
