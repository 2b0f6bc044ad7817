import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import sharp, { type Sharp } from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { answerError } from '#api/server.ts'
import { pictureWidths } from '#shop/parts/picture.ts'
import { normalise } from './encode.ts'
import { folderOf } from './folder.ts'
import { servedImages } from './served.ts'

const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }
const decoded = { avif: 'heif', webp: 'webp', jpg: 'jpeg' }
const formats = Object.keys(types) as (keyof typeof types)[]

const folders: string[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** A shop's pictures, one of them stored, and the shop's own way of answering what is asked. */
async function scene(picture: Parameters<typeof noise>[0] = { width: 400, height: 300 }) {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-pictures-'))
  folders.push(folder)
  const images = servedImages(folderOf(folder))
  const url = await images.store(await noise(picture))
  const app = new Hono().get('/images/*', (c) => images.fetch(c.req.raw))
  app.onError(answerError)
  return {
    folder,
    images,
    url,
    variant: (width: number | string, format: string) => url.replace(/\.webp$/, `-${width}.${format}`),
    ask: (path: string, headers: Record<string, string> = {}) => app.request(path, { headers }),
    kept: async () => (await readdir(folder)).map((name) => name.replace(/^[0-9a-f]{32}/, '')).sort(),
  }
}

/** A picture that differs from pixel to pixel, and from any other. */
async function noise({ width, height, alpha = false }: { width: number; height: number; alpha?: boolean }) {
  const pixels = { type: 'gaussian', mean: 128, sigma: 6 } as const
  const picture = sharp({ create: { width, height, channels: 3, background: '#888', noise: pixels } })
  const bytes = await (alpha ? picture.ensureAlpha(0) : picture).png({ compressionLevel: 1 }).toBuffer()
  return new Blob([new Uint8Array(bytes)])
}

test('a picture is served in every width and format, each of them kept', async () => {
  const { ask, variant, kept } = await scene({ width: 1800, height: 1350 })
  for (const format of formats) {
    for (const width of pictureWidths) {
      const response = await ask(variant(width, format))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, types[format]])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const picture = await sharp(await response.bytes()).metadata()
      expect(picture).toMatchObject({ format: decoded[format], width, height: width * 0.75 })
    }
  }
  const all = formats.flatMap((format) => pictureWidths.map((width) => `-${width}.${format}`))
  expect(await kept()).toEqual([...all, '.webp'].sort())
})

test('a variant that is kept is served as it is, also after a restart', async () => {
  const { folder, ask, variant } = await scene()
  const path = variant(320, 'webp')
  const first = await (await ask(path)).bytes()
  expect(await readFile(join(folder, path.replace('/images/', '')))).toEqual(Buffer.from(first))

  const encoded = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  const reopened = await servedImages(folderOf(folder)).fetch(new Request(`http://shop.test${path}`))
  expect(await reopened.bytes()).toEqual(first)
  expect(encoded).not.toHaveBeenCalled()
})

test('whoever opens a picture by itself sees a picture, whatever is in it', async () => {
  const { ask, url, variant } = await scene()
  for (const [path, type] of [
    [url, 'image/webp'],
    [variant(320, 'avif'), 'image/avif'],
    [variant(320, 'webp'), 'image/webp'],
    [variant(320, 'jpg'), 'image/jpeg'],
  ] as const) {
    const { status, headers } = await ask(path)
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
        etag: `"${path.replace('/images/', '')}"`,
      },
    ])
  }
})

test('whoever has a picture already is not sent it again', async () => {
  const { ask, url, variant, kept } = await scene()
  for (const path of [url, variant(640, 'avif')]) {
    const tag = `"${path.replace('/images/', '')}"`
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const response = await ask(path, { 'if-none-match': tags })
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', tag])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    for (const tags of ['"other"', path.slice(8), tag.replace('"', '"x')]) {
      expect((await ask(path, { 'if-none-match': tags })).status, tags).toBe(200)
    }
  }
  expect(await kept()).toEqual(['-640.avif', '.webp'])
})

test('what every browser can show is made beforehand, and nothing else', async () => {
  const { ask, images, url, variant, kept } = await scene()
  await images.prepareVariants(url)
  expect(await kept()).toEqual([...pictureWidths.map((width) => `-${width}.jpg`), '.webp'].sort())

  const encoded = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  await images.prepareVariants(url)
  for (const width of pictureWidths) expect((await ask(variant(width, 'jpg'))).status).toBe(200)
  expect(encoded).not.toHaveBeenCalled()
})

test('a small picture is never enlarged', async () => {
  const { ask, variant } = await scene()
  for (const format of formats) {
    const widths = pictureWidths.map(async (width) => {
      const response = await ask(variant(width, format))
      return (await sharp(await response.bytes()).metadata()).width
    })
    expect(await Promise.all(widths), format).toEqual([320, 400, 400, 400])
  }
})

test('even a picture of one pixel has all its variants', async () => {
  const { ask, variant } = await scene({ width: 1, height: 1 })
  for (const format of formats) expect((await ask(variant(640, format))).status, format).toBe(200)
})

test('what is transparent is white in a JPEG', async () => {
  const { ask, variant } = await scene({ width: 40, height: 30, alpha: true })
  const { channels } = await sharp(await (await ask(variant(320, 'jpg'))).bytes()).stats()
  expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
})

test('a variant that is asked for twenty times at once is made once', async () => {
  const { ask, variant } = await scene()
  const encoded = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  const responses = await Promise.all(Array.from({ length: 20 }, () => ask(variant(640, 'avif'))))
  const pictures = await Promise.all(responses.map((response) => response.bytes()))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(pictures.every((picture) => Buffer.from(picture).equals(pictures[0]!))).toBe(true)
  expect(encoded).toHaveBeenCalledTimes(1)
})

test('no more than two pictures are encoded at a time', async () => {
  const { ask, images, variant } = await scene()
  const upload = await noise({ width: 60, height: 40 })
  const { toBuffer } = sharp.prototype as { toBuffer: (this: Sharp) => Promise<never> }
  let [now, most] = [0, 0]
  const encoded = vi.spyOn(sharp.prototype as Sharp, 'toBuffer').mockImplementation(function (this: Sharp) {
    most = Math.max(most, ++now)
    return toBuffer.call(this).finally(() => now--)
  })
  const asked = formats.flatMap((format) => pictureWidths.map((width) => ask(variant(width, format))))
  await images.store(upload)
  await Promise.all(asked)
  expect([encoded.mock.calls.length, most]).toEqual([13, 2])
})

test('no more than two hundred wait, and whoever comes then is asked to come back', async () => {
  const { ask, images, url, variant } = await scene()
  expect((await ask(variant(320, 'jpg'))).status).toBe(200)
  const picture = await noise({ width: 60, height: 40 })
  const arrived = Promise.withResolvers<void>()
  const late = { bytes: () => arrived.promise.then(() => picture.bytes()) } as Blob
  const waiting = Array.from({ length: 2 + 200 }, () => images.store(late))

  await expect(images.store(picture)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  await expect(images.prepareVariants(url)).rejects.toMatchObject({ code: 'unavailable' })
  const refused = await ask(variant(640, 'webp'))
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '5',
    { success: false, message: 'There are many pictures on their way. Please try again in a moment.' },
  ])
  for (const path of [url, variant(320, 'jpg')]) expect((await ask(path)).status, path).toBe(200)

  arrived.resolve()
  expect(new Set(await Promise.all(waiting)).size).toBe(1)
  expect((await ask(variant(640, 'webp'))).status).toBe(200)
})

test('other widths, formats and names are not there, and nothing is written for them', async () => {
  const { ask, url, variant, kept } = await scene()
  const hash = url.slice('/images/'.length, -'.webp'.length)
  for (const path of [
    ...[0, 1, 319, 321, 3200, '0320', '320.0', '-320', '+320', '1e3', ''].map((w) => variant(w, 'webp')),
    ...['png', 'gif', 'svg', 'jpeg', 'AVIF', 'webp.part', 'webp%00', 'webp/', ''].map((f) => variant(320, f)),
    `/images/${hash}.avif`,
    `/images/${hash}.jpg`,
    `/images/${hash}`,
    `/images/${hash}a-320.webp`,
    `/images/${hash.slice(1)}-320.webp`,
    `/images/${hash.toUpperCase()}-320.webp`,
    `/images/${'0'.repeat(32)}-320.webp`,
    `/images/${'0'.repeat(32)}.webp`,
    `/images/../images/../${hash}-320.webp`,
    `/images/%2e%2e/${hash}-320.webp`,
    `/images/..%2f${hash}-320.webp`,
    `/images/.%2f${hash}-320.webp`,
    `/images//${hash}-320.webp`,
    `/images/x/${hash}-320.webp`,
    `/images/${hash}%2d320.webp`,
    `/images/${hash}-320%2ewebp`,
    `/images/${hash}-320.webp%0a`,
    '/images/..%2f..%2f..%2fetc%2fpasswd',
    '/images/',
  ]) {
    const response = await ask(path)
    expect(response.status, path).toBe(404)
  }
  expect(await (await ask('/images/chain.webp')).json()).toEqual({ message: 'There is no such picture.' })
  expect(await kept()).toEqual(['.webp'])
})

test('a picture that was cut short answers in words, and nothing is kept of it', async () => {
  const { folder, ask, url, variant, kept } = await scene()
  const master = join(folder, url.replace('/images/', ''))
  const whole = await readFile(master)
  const log = vi.spyOn(console, 'error').mockReturnValue()
  for (const damaged of [whole.subarray(0, whole.length / 2), Buffer.from('hello'), Buffer.alloc(0)]) {
    await writeFile(master, damaged)
    for (const format of formats) {
      const response = await ask(variant(320, format))
      expect([response.status, await response.json()]).toEqual([
        500,
        { success: false, message: 'Something went wrong.' },
      ])
    }
  }
  expect(log).toHaveBeenCalledTimes(9)
  expect(await kept()).toEqual(['.webp'])

  await writeFile(master, whole)
  expect((await ask(variant(320, 'avif'))).status).toBe(200)
})

test('a picture that cannot be written leaves nothing half-done', async () => {
  const { folder, images, kept } = await scene()
  const other = await noise({ width: 60, height: 40 })
  const name = (await images.store(other)).replace('/images/', '')
  await rm(join(folder, name))
  await mkdir(join(folder, name))
  await expect(images.store(other)).rejects.toThrow()
  expect(await kept()).toEqual(['.webp', '.webp'])
})

test('a variant that finds no room is seen all the same, and counts as not prepared', async () => {
  const { folder, images, url, variant, kept } = await scene()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const noRoom = servedImages({ ...folderOf(folder), write: () => Promise.reject(full) })
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const shown = await noRoom.fetch(new Request(`http://shop.test${variant(320, 'avif')}`))
  expect((await sharp(await shown.bytes()).metadata()).width).toBe(320)
  expect(log.mock.calls.join()).toContain('ENOSPC')
  await expect(noRoom.prepareVariants(url)).rejects.toBe(full)
  expect(await kept()).toEqual(['.webp'])
  await images.prepareVariants(url)
})

test('addresses of pictures that are not there keep nobody waiting', async () => {
  const { folder, variant } = await scene()
  const asked: string[] = []
  const files = folderOf(folder)
  const slow = servedImages({
    ...files,
    async read(name) {
      asked.push(name)
      await wait(20)
      return files.read(name)
    },
  })
  const get = async (path: string) => (await slow.fetch(new Request(`http://shop.test${path}`))).status
  const invented = Array.from({ length: 400 }, () => `${crypto.randomUUID().replaceAll('-', '')}-320.webp`)
  const answers = Promise.all(invented.map((name) => get(`/images/${name}`)))
  expect(await get(variant(320, 'webp'))).toBe(200)
  expect(new Set(await answers)).toEqual(new Set([404]))
  expect(asked.filter((name) => !name.includes('-'))).toHaveLength(1)
})

test('a picture that takes too long is refused for now, not for what it is', async () => {
  const picture = await (await noise({ width: 1600, height: 1200 })).bytes()
  const slowly = normalise(picture, (upright) => upright.timeout({ seconds: 1 }).blur(1000).webp())
  await expect(slowly).rejects.toMatchObject({ code: 'unavailable' })
})
