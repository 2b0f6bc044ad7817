import type { Context, Next } from 'hono'
import { ShopError } from '#shop/errors.ts'

const maxSegments = 20
/** A page links to at most 60 others. */
const maxManifestPaths = 100

/** Whether a page may have this path. React Router would log one that it cannot decode, and take seconds over thousands of segments. */
export function isPagePath(path: string): boolean {
  if (path.split('/', maxSegments + 2).length > maxSegments + 1) return false
  try {
    return Boolean(decodeURIComponent(path))
  } catch {
    return false
  }
}

/** React Router asks here for the routes that a page links to, and matches each path with all routes. Throws 'invalid'. */
export async function limitManifestPaths(c: Context, next: Next) {
  const { pathname, searchParams } = new URL(c.req.url)
  if (pathname === '/__manifest') {
    const paths = (searchParams.get('paths') ?? '').split(',', maxManifestPaths + 1).filter(Boolean)
    if (paths.length > maxManifestPaths || !paths.every(isPagePath))
      throw new ShopError('invalid', `paths must be a list of at most ${maxManifestPaths} page paths.`)
  }
  await next()
}
