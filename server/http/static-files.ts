import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'

const day = 86_400

/**
 * Serves the files of a folder from memory, compressed where the folder holds a `.br` beside a file. Files in `assets` have a hash
 * in their names and never change.
 */
export function serveFiles(folder: string): MiddlewareHandler {
  const files = new Map<string, File>()
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(path.slice(folder.length).split(sep).join('/'), readFile(path))
  }

  return async (c, next) => {
    const file = files.get(c.req.path)
    if (!file) return next()
    const compressed = files.get(`${c.req.path}.br`)
    const { body, etag } =
      compressed && /\bbr\b/.test(c.req.header('accept-encoding') ?? '') ? compressed : file
    const headers = new Headers({
      'Cache-Control': c.req.path.startsWith('/assets/')
        ? `public, max-age=${365 * day}, immutable`
        : 'public, max-age=3600',
      ETag: etag,
    })
    if (compressed) headers.set('Vary', 'Accept-Encoding')
    if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
    headers.set('Content-Type', file.type)
    headers.set('Content-Length', `${body.length}`)
    if (body === compressed?.body) headers.set('Content-Encoding', 'br')
    return new Response(body, { headers })
  }
}

interface File {
  body: Uint8Array<ArrayBuffer>
  type: string
  etag: string
}

function readFile(path: string): File {
  const body = new Uint8Array(readFileSync(path))
  return {
    body,
    // Hono names the charset of text only, and an SVG is text, too.
    type: (getMimeType(path) ?? 'application/octet-stream').replace(/\+xml$/, '+xml; charset=utf-8'),
    etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  }
}
