import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { parseAccept } from 'hono/utils/accept'
import { getMimeType } from 'hono/utils/mime'

const day = 86_400

/** By preference. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
]

const respondToConditions = etag()

/**
 * Serves the files of a folder from memory, compressed where the folder holds a `.br` or `.gz` beside a file. Files in `assets` have a hash
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
    const compressed = encodings.flatMap(({ name, extension }) => {
      const found = files.get(c.req.path + extension)
      return found ? [{ name, ...found }] : []
    })
    const accepted = acceptedEncodings(c.req.header('accept-encoding'))
    const encoded = compressed.find(({ name }) => accepted.has(name))
    const { body, etag } = encoded ?? file
    const headers = new Headers({
      'Cache-Control': c.req.path.startsWith('/assets/')
        ? `public, max-age=${365 * day}, immutable`
        : 'public, max-age=3600',
      'Content-Length': `${body.length}`,
      'Content-Type': file.type,
      ETag: etag,
    })
    if (compressed.length > 0) headers.set('Vary', 'Accept-Encoding')
    if (encoded) headers.set('Content-Encoding', encoded.name)
    return respondToConditions(c, async () => {
      c.res = new Response(body, { headers })
    })
  }
}

function acceptedEncodings(acceptEncoding = '') {
  return new Set(parseAccept(acceptEncoding).flatMap(({ type, q }) => (q > 0 ? [type.toLowerCase()] : [])))
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
