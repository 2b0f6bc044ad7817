import crypto, { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import sharp from 'sharp'

// s3rver needs DES, which OpenSSL 3 no longer has. Triple DES with the same key three times is equivalent.
const { createCipheriv, createDecipheriv } = crypto
const withTripleDes = (name: string, key: Buffer, ...rest: unknown[]) =>
  (name === 'des' ? ['des-ede3-cbc', Buffer.concat([key, key, key]), ...rest] : [name, key, ...rest]) as [
    string,
    Buffer,
    Buffer,
  ]
Object.assign(crypto, {
  createCipheriv: (...args: Parameters<typeof withTripleDes>) => createCipheriv(...withTripleDes(...args)),
  createDecipheriv: (...args: Parameters<typeof withTripleDes>) =>
    createDecipheriv(...withTripleDes(...args)),
})

export const failureModes = {
  'is down': null,
  'responds with 500': (_request, response) => response.writeHead(500).end('<h1>Internal Server Error</h1>'),
  'answers 404': (_request, response) => response.writeHead(404).end('<h1>Not Found</h1>'),
  'closes the connection': (request) => request.socket.destroy(),
  'never responds': (request) => request.resume(),
  'ends early': (_request, response) => response.writeHead(200, { 'content-length': 900 }).write('{"succ'),
  'answers with a page': (_request, response) => response.writeHead(200).end('<h1>Welcome to our Wi-Fi</h1>'),
  'answers with an empty body': (_request, response) => response.writeHead(200).end(),
  redirects: (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
} satisfies Record<string, ((request: IncomingMessage, response: ServerResponse) => unknown) | null>

export type FailureMode = keyof typeof failureModes

async function openHost(serve: RequestListener) {
  let failure: FailureMode | null = null
  const server = createServer((request, response) => {
    const fail = failure && failureModes[failure]
    if (!fail) return serve(request, response)
    // A failure closes the connection, so that it is not reused; 'answers with a page' keeps it open.
    response.shouldKeepAlive = failure === 'answers with a page'
    fail(request, response)
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    stop,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open))),
    /** Null ends the failure. */
    async failWith(mode: FailureMode | null) {
      failure = mode
      if (mode === 'is down') await stop()
      else if (!server.listening) await listen(port)
    },
  }
}

export async function openBucket() {
  const directory = mkdtempSync(join(tmpdir(), 'winged-wheels-bucket-'))
  const name = 'pictures'
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name }] })
  await s3.configureBuckets()
  const host = await openHost(s3.callback())
  const pathOf = (object: string) => join(directory, name, `${object}${ending}`)

  async function put(object: string, content: string | Uint8Array) {
    const path = pathOf(object)
    const [temporary, md5] = [`${path}.${randomUUID()}`, createHash('md5').update(content).digest('hex')]
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, content)
    await rename(temporary, path)
    await writeFile(`${path}.md5`, md5)
    return md5
  }

  // s3rver responds before it has written an object, and shows one that is being overwritten as it is.
  s3.store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = await buffer(content)
    const md5 = await put(key, bytes)
    await s3.store.putMetadata(bucket, key, metadata, md5)
    return { size: bytes.length, md5 }
  }

  return {
    ...host,
    settings: {
      bucket: name,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      endpoint: host.origin,
    },
    async objects() {
      const files = await readdir(join(directory, name), { recursive: true })
      return files
        .filter((file) => file.endsWith(ending))
        .map((file) => file.slice(0, -ending.length))
        .sort()
    },
    object: (object: string) => fetch(`${host.origin}/${name}/${object}`),
    put,
    writtenAt: async (object: string) => (await stat(pathOf(object))).mtime,
    setModified: (object: string, date: Date) => utimes(pathOf(object), date, date),
    async stop() {
      await host.stop()
      s3.logger.close()
      await rm(directory, { recursive: true })
    },
  }
}

const ending = '._S3rver_object'

/** A server with imgbb's API; the response format was recorded from imgbb. */
export async function openImgbb() {
  const key = randomUUID().replaceAll('-', '')
  const stored = new Map<string, Uint8Array<ArrayBuffer>>()
  const uploads: { search: URLSearchParams; fields: string[]; name: string; type: string }[] = []

  const host = await openHost(async (incoming, outgoing) => {
    const response = await handle(incoming)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.bytes())
  })

  async function handle(incoming: IncomingMessage) {
    const { method = '', url = '', headers } = incoming
    const { pathname, searchParams } = new URL(url, host.origin)
    if (method === 'GET') {
      const picture = stored.get(pathname)
      return picture
        ? new Response(picture, { headers: { 'content-type': 'image/jpeg' } })
        : new Response('Not Found', { status: 404 })
    }
    if (method !== 'POST' || pathname !== '/1/upload') return errorResponse('Bad Request', 0)
    if (searchParams.get('key') !== key) return errorResponse('Invalid API v1 key.', 100)

    const type = { 'content-type': headers['content-type'] ?? '' }
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
    const form = await new Response(body, { headers: type }).formData()
    const image = form.get('image')
    if (!(image instanceof File)) return errorResponse('Empty upload source.', 130)
    uploads.push({ search: searchParams, fields: [...form.keys()], name: image.name, type: image.type })
    return uploaded(await image.bytes())
  }

  async function uploaded(bytes: Uint8Array<ArrayBuffer>) {
    const { width, height } = await sharp(bytes).metadata()
    const id = randomUUID()
    const path = `/${id}/picture.jpg`
    stored.set(path, bytes)
    const url = `${host.origin}${path}`
    const image = { filename: 'picture.jpg', name: 'picture', mime: 'image/jpeg', extension: 'jpg', url }
    const data = {
      id,
      title: 'picture',
      url_viewer: `${host.origin}/${id}`,
      url,
      display_url: url,
      width,
      height,
      size: bytes.length,
      time: Math.floor(Date.now() / 1000),
      expiration: 0,
      image,
      thumb: image,
      medium: image,
      delete_url: `${host.origin}/${id}/${randomUUID()}`,
    }
    return Response.json({ data, success: true, status: 200 })
  }

  return {
    ...host,
    settings: { key, uploadUrl: `${host.origin}/1/upload`, imageOrigin: host.origin },
    stored,
    uploads,
  }
}

function errorResponse(message: string, code: number) {
  const body = { status_code: 400, error: { message, code }, status_txt: 'Bad Request' }
  return Response.json(body, { status: 400 })
}
