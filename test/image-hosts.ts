import crypto, { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver from 's3rver'
import sharp from 'sharp'

// s3rver continues its lists with DES, which OpenSSL has no more: the same as triple DES with one key three times.
const { createCipheriv, createDecipheriv } = crypto
const known = (name: string, key: Buffer, ...more: unknown[]) =>
  (name === 'des' ? ['des-ede3-cbc', Buffer.concat([key, key, key]), ...more] : [name, key, ...more]) as [
    string,
    Buffer,
    Buffer,
  ]
Object.assign(crypto, {
  createCipheriv: (...asked: Parameters<typeof known>) => createCipheriv(...known(...asked)),
  createDecipheriv: (...asked: Parameters<typeof known>) => createDecipheriv(...known(...asked)),
})

/** What may be wrong with a host that is elsewhere. */
export const failureModes = {
  'is down': null,
  'answers 500': (_request, response) => response.writeHead(500).end('<h1>Internal Server Error</h1>'),
  'answers 404': (_request, response) => response.writeHead(404).end('<h1>Not Found</h1>'),
  'hangs up': (request) => request.socket.destroy(),
  'never answers': (request) => request.resume(),
  'stops halfway': (_request, response) => response.writeHead(200, { 'content-length': 900 }).write('{"succ'),
  'answers a page': (_request, response) => response.writeHead(200).end('<h1>Welcome to our Wi-Fi</h1>'),
  'answers nothing': (_request, response) => response.writeHead(200).end(),
  'sends us elsewhere': (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
} satisfies Record<string, ((request: IncomingMessage, response: ServerResponse) => unknown) | null>

export type FailureMode = keyof typeof failureModes

/** A server on a free port of this machine that can be in trouble. */
async function openHost(serve: RequestListener) {
  let trouble: FailureMode | null = null
  const server = createServer((request, response) => {
    const answer = trouble && failureModes[trouble]
    if (!answer) return serve(request, response)
    // None is used again for what comes when the trouble is over, but for whoever holds on to it.
    response.shouldKeepAlive = trouble === 'answers a page'
    answer(request, response)
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
    /** How many are open now. */
    connections: () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open))),
    /** Null is no trouble any more. */
    async suffer(now: FailureMode | null) {
      trouble = now
      if (now === 'is down') await stop()
      else if (!server.listening) await listen(port)
    },
  }
}

/** A server that speaks S3, with one bucket in a folder of its own. */
export async function openBucket() {
  const directory = mkdtempSync(join(tmpdir(), 'winged-wheels-bucket-'))
  const name = 'pictures'
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name }] })
  await s3.configureBuckets()
  const host = await openHost(s3.callback())
  const pathOf = (object: string) => join(directory, name, `${object}${ending}`)

  return {
    ...host,
    settings: {
      bucket: name,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      endpoint: host.origin,
    },
    /** The names of all that is in it. */
    async objects() {
      const files = await readdir(join(directory, name), { recursive: true })
      return files
        .filter((file) => file.endsWith(ending))
        .map((file) => file.slice(0, -ending.length))
        .sort()
    },
    /** One of them, as whoever owns the bucket sees it. */
    object: (object: string) => fetch(`${host.origin}/${name}/${object}`),
    /** Puts something into it that is not the shop's. */
    async put(object: string, content: string | Uint8Array) {
      await mkdir(dirname(pathOf(object)), { recursive: true })
      await writeFile(pathOf(object), content)
      await writeFile(`${pathOf(object)}.md5`, createHash('md5').update(content).digest('hex'))
    },
    writtenAt: async (object: string) => (await stat(pathOf(object))).mtime,
    /** Pretends that it was written then. */
    age: (object: string, date: Date) => utimes(pathOf(object), date, date),
    async stop() {
      await host.stop()
      s3.logger.close()
      await rm(directory, { recursive: true })
    },
  }
}

const ending = '._S3rver_object'

/** A server that answers as imgbb does, in the shape recorded from it. */
export async function openImgbb() {
  const key = randomUUID().replaceAll('-', '')
  const kept = new Map<string, Uint8Array<ArrayBuffer>>()
  /** What each upload looked like. */
  const uploads: { search: URLSearchParams; fields: string[]; name: string; type: string }[] = []

  const host = await openHost(async (incoming, outgoing) => {
    const response = await answer(incoming)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.bytes())
  })

  async function answer(incoming: IncomingMessage) {
    const { method = '', url = '', headers } = incoming
    const { pathname, searchParams } = new URL(url, host.origin)
    if (method === 'GET') {
      const picture = kept.get(pathname)
      return picture
        ? new Response(picture, { headers: { 'content-type': 'image/jpeg' } })
        : new Response('Not Found', { status: 404 })
    }
    if (method !== 'POST' || pathname !== '/1/upload') return refusal('Bad Request', 0)
    if (searchParams.get('key') !== key) return refusal('Invalid API v1 key.', 100)

    const type = { 'content-type': headers['content-type'] ?? '' }
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
    const form = await new Response(body, { headers: type }).formData()
    const image = form.get('image')
    if (!(image instanceof File)) return refusal('Empty upload source.', 130)
    uploads.push({ search: searchParams, fields: [...form.keys()], name: image.name, type: image.type })
    return taken(await image.bytes())
  }

  async function taken(bytes: Uint8Array<ArrayBuffer>) {
    const { width, height } = await sharp(bytes).metadata()
    const id = randomUUID().slice(0, 7)
    const path = `/${id}/picture.jpg`
    kept.set(path, bytes)
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

  return { ...host, settings: { key, uploadUrl: `${host.origin}/1/upload` }, kept, uploads }
}

function refusal(message: string, code: number) {
  const body = { status_code: 400, error: { message, code }, status_txt: 'Bad Request' }
  return Response.json(body, { status: 400 })
}
