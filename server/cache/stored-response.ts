import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createRawResponse, type RawResponse } from './raw-response.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** Smaller bodies are not worth compressing. */
const minCompressedBytes = 1_024

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
}

/** A response in one encoding. */
export interface Representation {
  /** Whole, or with status 304 when the client has this one. */
  toResponse(ifNoneMatch: string | undefined): Response
  toRaw(ifNoneMatch: string | undefined): RawResponse
}

export interface StoredResponse {
  isOk: boolean
  /** The database could not be read. */
  isUnavailable: boolean
  /** About what it takes in memory, with its compressed copies. */
  bytes: number
  /** Null when it was not compressed yet. */
  find(acceptEncoding: string | undefined): Representation | null
  /** Compresses it once. */
  prepare(acceptEncoding: string | undefined): Promise<Representation>
}

/** Buffers a response for many visitors: the scripts that have its nonce are allowed by their hashes instead. */
export async function storeResponse(response: Response): Promise<StoredResponse> {
  const { status, headers } = response
  const body = replaceNonce(headers, Buffer.from(await response.arrayBuffer()))
  const isCompressible = body.length >= minCompressedBytes
  const chooseEncoding = (acceptEncoding: string | undefined) =>
    isCompressible && acceptEncoding ? preferredEncoding(acceptEncoding) : 'identity'

  const identity = represent(status, headers, body, 'identity')
  const representations = new Map([['identity' as Encoding, identity]])
  const preparing = new Map([['identity' as Encoding, Promise.resolve(identity)]])

  async function compress(encoding: 'br' | 'gzip') {
    const compressed = represent(status, headers, await compressors[encoding](body), encoding)
    representations.set(encoding, compressed)
    return compressed
  }
  return {
    isOk: status === 200 && !headers.has('set-cookie'),
    isUnavailable: status === 503,
    bytes: 2 * body.length + 8_192,
    find: (acceptEncoding) => representations.get(chooseEncoding(acceptEncoding)) ?? null,
    prepare(acceptEncoding) {
      const encoding = chooseEncoding(acceptEncoding)
      const known = preparing.get(encoding)
      if (known || encoding === 'identity') return known ?? Promise.resolve(identity)
      const compressed = compress(encoding)
      preparing.set(encoding, compressed)
      return compressed
    },
  }
}

const quality = (encoding: string) => new RegExp(`(?:^|[ ,])${encoding}(?: *; *q=([\\d.]+))? *(?:,|$)`, 'i')
const qualities = { br: quality('br'), gzip: quality('gzip') }

function preferredEncoding(acceptEncoding: string): Encoding {
  for (const encoding of ['br', 'gzip'] as const) {
    const found = qualities[encoding].exec(acceptEncoding)
    if (found && Number(found[1] ?? 1) > 0) return encoding
  }
  return 'identity'
}

function represent(status: number, shared: Headers, body: Buffer, encoding: Encoding): Representation {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const unchangedHeaders = new Headers(shared)
  if (!/accept-encoding/i.test(shared.get('vary') ?? '')) unchangedHeaders.append('Vary', 'Accept-Encoding')
  unchangedHeaders.set('ETag', etag)
  const headers = new Headers(unchangedHeaders)
  headers.set('Content-Length', String(body.length))
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding)
  unchangedHeaders.delete('Content-Type')

  const whole = createRawResponse(status, headers, body)
  const unchanged = createRawResponse(304, unchangedHeaders)
  const isUnchanged = (ifNoneMatch: string | undefined) => status === 200 && matches(ifNoneMatch, etag)
  return {
    toResponse: (ifNoneMatch) =>
      isUnchanged(ifNoneMatch)
        ? new Response(null, { status: 304, headers: unchangedHeaders })
        : new Response(new Uint8Array(body), { status, headers }),
    toRaw: (ifNoneMatch) => (isUnchanged(ifNoneMatch) ? unchanged : whole),
  }
}

/** A proxy that compresses again makes the tag weak. */
function matches(ifNoneMatch: string | undefined, etag: string) {
  return ifNoneMatch?.split(/, */).some((tag) => tag === etag || tag === `W/${etag}` || tag === '*') ?? false
}

function replaceNonce(headers: Headers, body: Buffer): Buffer {
  const policy = headers.get('content-security-policy')
  const [source, nonce] = /'nonce-([^']+)' 'strict-dynamic'/.exec(policy ?? '') ?? []
  if (!policy || !source) return body
  const isHtml = headers.get('content-type')?.startsWith('text/html')
  const attribute = ` nonce="${nonce}"`
  // Only scripts of the server have the nonce, which nobody could guess.
  const scripts = isHtml ? body.toString().split('<script').slice(1) : []
  const hashes = scripts.flatMap((script) => {
    const start = script.indexOf('>') + 1
    const content = script.slice(start, script.indexOf('</script>'))
    return script.slice(0, start).includes(attribute) && content ? [computeHash(content)] : []
  })
  const sources = ["'self'", ...new Set(hashes)].join(' ')
  headers.set('content-security-policy', policy.replace(source, sources))
  return isHtml ? Buffer.from(body.toString().replaceAll(attribute, '')) : body
}

function computeHash(script: string) {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}
