import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, request as open, type RequestOptions, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAdaptorServer } from '@hono/node-server'
import { expect, vi } from 'vitest'
import { pictures } from '#db/schema.ts'
import type { FileStore } from '#providers/images/file-store.ts'
import { folderStore } from '#providers/images/folder.ts'
import { storedImages } from '#providers/images/stored.ts'
import { createUpload } from '#shop/pictures/pictures.server.ts'
import type { Images } from '#shop/ports.ts'
import { createUser, testApi, testShop } from './shop.ts'

const folders: string[] = []
const servers: Server[] = []

/** Call after each test: closes servers and deletes folders. */
export async function cleanUpUploads() {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}

/** A shop with its own folders for pictures and temporary files, and the upload URL of an admin. */
export async function setUpUpload(imagesOn: (files: FileStore) => Images = storedImages) {
  const root = await mkdtemp(join(tmpdir(), 'winged-wheels-test-uploads-'))
  folders.push(root)
  const [folder, tempFolder] = [join(root, 'pictures'), join(root, 'temp')]
  await mkdir(tempFolder)
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, tempFolder)
  const shop = { ...(await testShop()), images: storedImages(folderStore(folder)) }
  const api = testApi({ ...shop, images: { ...shop.images, ...imagesOn(folderStore(folder)) } })
  const admin = await createUser(shop, 'Admin', 'admin')
  const { url } = await createUpload(shop, admin)

  const storedState = async () => ({
    files: (await readdir(folder)).toSorted(),
    tempFiles: await readdir(tempFolder),
    pictures: await shop.db.$count(pictures),
  })
  return {
    shop,
    api,
    admin,
    url,
    rootFolder: root,
    folder,
    storedState,
    pendingUploads: () => readdir(tempFolder),
    send: (body: RequestInit['body'], headers: Record<string, string> = {}, to = url) =>
      api.request(to, { method: 'POST', body, headers, duplex: 'half' } as RequestInit),
    /** Expects an error response in the image host's format, and no stored files. */
    expectRefused: async (response: Pick<Response, 'status' | 'json'>, status: number, what?: string) => {
      expect([response.status, await response.json()], what).toEqual([
        status,
        expect.objectContaining({ success: false, message: expect.stringMatching(/^[A-Z]\w+ /) }),
      ])
      expect(await storedState(), what).toEqual({ files: [], tempFiles: [], pictures: 0 })
    },
  }
}

export function formOf(picture: Blob, name = 'chain.jpg') {
  const form = new FormData()
  form.set('image', picture, name)
  return form
}

export const boundary = '----wheels'
export const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** The bytes of a multipart form with arbitrary part headers. */
export function rawForm(parts: [headers: string, body: string | Uint8Array][], end = `--${boundary}--\r\n`) {
  const chunks = parts.flatMap(([headers, body]) => [`--${boundary}\r\n${headers}\r\n\r\n`, body, '\r\n'])
  return Buffer.concat([...chunks, end].map((chunk) => Buffer.from(chunk as string)))
}

export function fileHeaders(field: string, name: string) {
  return `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/jpeg`
}

export const imageHeaders = fileHeaders('image', 'chain.jpg')

/** Serves the shop on a local port and returns a function that opens an upload request. */
export async function serve({ api, url }: Awaited<ReturnType<typeof setUpUpload>>) {
  const server = createAdaptorServer({ fetch: api.fetch, overrideGlobalObjects: false }) as Server
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return (headers: RequestOptions['headers'], to = url) => {
    const sent = open(`http://127.0.0.1:${port}${to}`, { method: 'POST', headers })
    const answered = new Promise<{ status: number; json: () => Promise<unknown> }>((resolve, reject) => {
      sent.once('response', async (response: IncomingMessage) => {
        const answer = await text(response).catch(reject)
        resolve({ status: response.statusCode!, json: async () => JSON.parse(answer!) })
      })
      sent.once('error', reject)
    })
    answered.catch(() => {})
    return { sent, answered }
  }
}
