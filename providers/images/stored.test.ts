import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import sharp, { type Sharp } from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { sendErrorResponse } from '#api/server.ts'
import { pictureWidths } from '#shop/pictures/picture.ts'
import { avif, blackPng, jpeg } from '#test/pictures.ts'
import { normalise } from './encode.ts'
import { folderStore } from './folder.ts'
import { storedImages } from './stored.ts'

const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }
const decoded = { avif: 'heif', webp: 'webp', jpg: 'jpeg' }
const formats = Object.keys(types) as (keyof typeof types)[]

const folders: string[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

async function setUp(picture: Parameters<typeof noise>[0] = { width: 400, height: 300 }) {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-pictures-'))
  folders.push(folder)
  const images = storedImages(folderStore(folder))
  const url = await images.store(await noise(picture))
  const app = new Hono().get('/images/*', (c) => images.fetch(c.req.raw))
  app.onError(sendErrorResponse)
  return {
    folder,
    images,
    url,
    variant: (width: number | string, format: string) => url.replace(/\.webp$/, `-${width}.${format}`),
    get: (path: string, headers: Record<string, string> = {}) => app.request(path, { headers }),
    kept: async () => (await readdir(folder)).map((name) => name.replace(/^[0-9a-f]{32}/, '')).sort(),
  }
}

/** Unique noise. */
async function noise({ width, height, alpha = false }: { width: number; height: number; alpha?: boolean }) {
  const pixels = { type: 'gaussian', mean: 128, sigma: 6 } as const
  const picture = sharp({ create: { width, height, channels: 3, background: '#888', noise: pixels } })
  const bytes = await (alpha ? picture.ensureAlpha(0) : picture).png({ compressionLevel: 1 }).toBuffer()
  return new Blob([new Uint8Array(bytes)])
}

test('a picture is served and stored in every width and format', async () => {
  const { get, variant, kept } = await setUp({ width: 1800, height: 1350 })
  for (const format of formats) {
    for (const width of pictureWidths) {
      const response = await get(variant(width, format))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, types[format]])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const picture = await sharp(await response.bytes()).metadata()
      expect(picture).toMatchObject({ format: decoded[format], width, height: width * 0.75 })
    }
  }
  const all = formats.flatMap((format) => pictureWidths.map((width) => `-${width}.${format}`))
  expect(await kept()).toEqual([...all, '.webp'].sort())
})

test('a stored variant is served without encoding, also after a restart', async () => {
  const { folder, get, variant } = await setUp()
  const path = variant(320, 'webp')
  const first = await (await get(path)).bytes()
  expect(await readFile(join(folder, path.replace('/images/', '')))).toEqual(Buffer.from(first))

  const toBufferSpy = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  const reopened = await storedImages(folderStore(folder)).fetch(new Request(`http://shop.test${path}`))
  expect(await reopened.bytes()).toEqual(first)
  expect(toBufferSpy).not.toHaveBeenCalled()
})

test('pictures are served with their type and a sandboxing content security policy', async () => {
  const { get, url, variant } = await setUp()
  for (const [path, type] of [
    [url, 'image/webp'],
    [variant(320, 'avif'), 'image/avif'],
    [variant(320, 'webp'), 'image/webp'],
    [variant(320, 'jpg'), 'image/jpeg'],
  ] as const) {
    const { status, headers } = await get(path)
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy':
          "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
        etag: `"${path.replace('/images/', '')}"`,
      },
    ])
  }
})

test('a missing picture gets exactly the policy that allows nothing', async () => {
  const { get } = await setUp()
  for (const path of ['/images/nothing.webp', `/images/${'0'.repeat(32)}.webp`, '/images/x-7.avif']) {
    const response = await get(path)
    expect([response.status, await response.json()], path).toEqual([
      404,
      { message: 'This photo doesn’t exist.' },
    ])
    expect(Object.fromEntries(response.headers), path).toEqual({
      'content-type': 'application/json',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
  }
})

test('a matching If-None-Match returns 304', async () => {
  const { get, url, variant, kept } = await setUp()
  for (const path of [url, variant(640, 'avif')]) {
    const tag = `"${path.replace('/images/', '')}"`
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const response = await get(path, { 'if-none-match': tags })
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', tag])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    for (const tags of ['"other"', path.slice(8), tag.replace('"', '"x')]) {
      expect((await get(path, { 'if-none-match': tags })).status, tags).toBe(200)
    }
  }
  expect(await kept()).toEqual(['-640.avif', '.webp'])
})

test('prepareVariants makes only the JPEG variants', async () => {
  const { get, images, url, variant, kept } = await setUp()
  await images.prepareVariants(url)
  expect(await kept()).toEqual([...pictureWidths.map((width) => `-${width}.jpg`), '.webp'].sort())

  const toBufferSpy = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  await images.prepareVariants(url)
  for (const width of pictureWidths) expect((await get(variant(width, 'jpg'))).status).toBe(200)
  expect(toBufferSpy).not.toHaveBeenCalled()
})

test('prepareAllVariants makes every variant once', async () => {
  const { images, url, kept } = await setUp()
  await images.prepareAllVariants(url)
  expect(await kept()).toHaveLength(formats.length * pictureWidths.length + 1)
  const toBufferSpy = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  await images.prepareAllVariants(url)
  await images.prepareAllVariants('https://i.ibb.co/w04/chain.jpg')
  expect(toBufferSpy).not.toHaveBeenCalled()
})

test('a small picture is never enlarged', async () => {
  const { get, variant } = await setUp()
  for (const format of formats) {
    const widths = pictureWidths.map(async (width) => {
      const response = await get(variant(width, format))
      return (await sharp(await response.bytes()).metadata()).width
    })
    expect(await Promise.all(widths), format).toEqual([320, 400, 400, 400])
  }
})

test('a picture of one pixel has all variants', async () => {
  const { get, variant } = await setUp({ width: 1, height: 1 })
  for (const format of formats) expect((await get(variant(640, format))).status, format).toBe(200)
})

test('transparent pixels become white in a JPEG', async () => {
  const { get, variant } = await setUp({ width: 40, height: 30, alpha: true })
  const { channels } = await sharp(await (await get(variant(320, 'jpg'))).bytes()).stats()
  expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
})

test('20 concurrent requests for a variant encode it once', async () => {
  const { get, variant } = await setUp()
  const toBufferSpy = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  const responses = await Promise.all(Array.from({ length: 20 }, () => get(variant(640, 'avif'))))
  const pictures = await Promise.all(responses.map((response) => response.bytes()))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(pictures.every((picture) => Buffer.from(picture).equals(pictures[0]!))).toBe(true)
  expect(toBufferSpy).toHaveBeenCalledTimes(1)
})

test('one variant is encoded at a time', async () => {
  const { get, variant } = await setUp()
  const { toBuffer } = sharp.prototype as { toBuffer: (this: Sharp) => Promise<never> }
  let [active, max] = [0, 0]
  const toBufferSpy = vi.spyOn(sharp.prototype as Sharp, 'toBuffer').mockImplementation(function (
    this: Sharp,
  ) {
    max = Math.max(max, ++active)
    return toBuffer.call(this).finally(() => active--)
  })
  const requests = formats.flatMap((format) => pictureWidths.map((width) => get(variant(width, format))))
  await Promise.all(requests)
  expect([toBufferSpy.mock.calls.length, max]).toEqual([12, 1])
})

const queueFull = {
  success: false,
  message: 'Too many photos are being uploaded. Try again in a moment.',
}

test('a full queue of uploads rejects further ones, and pictures are still served', async () => {
  const { get, images, url, variant } = await setUp()
  const picture = await noise({ width: 60, height: 40 })
  const arrived = Promise.withResolvers<void>()
  const delayed = { bytes: () => arrived.promise.then(() => picture.bytes()) } as Blob
  const waiting = Array.from({ length: 1 + 60 }, () => images.store(delayed))

  await expect(images.store(picture)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  await expect(images.prepareVariants(url)).rejects.toMatchObject({ code: 'unavailable' })
  for (const path of [url, variant(320, 'jpg')]) expect((await get(path)).status, path).toBe(200)

  arrived.resolve()
  expect(new Set(await Promise.all(waiting)).size).toBe(1)
})

test('a full queue of variants answers 503, and stored ones and uploads go on', async () => {
  const { get, images, url, variant } = await setUp({ width: 60, height: 40 })
  expect((await get(variant(320, 'jpg'))).status).toBe(200)
  const pictures = await Promise.all(Array.from({ length: 6 }, () => noise({ width: 60, height: 40 })))
  const urls = await Promise.all(pictures.map((picture) => images.store(picture)))
  const names = urls.flatMap((one) =>
    formats.flatMap((format) => pictureWidths.map((width) => one.replace('.webp', `-${width}.${format}`))),
  )
  const release = Promise.withResolvers<void>()
  const { toBuffer } = sharp.prototype as { toBuffer: (this: Sharp) => Promise<never> }
  vi.spyOn(sharp.prototype as Sharp, 'toBuffer').mockImplementationOnce(async function (this: Sharp) {
    await release.promise
    return toBuffer.call(this)
  })
  const statuses: number[] = []
  const answers = names.map(async (name) => statuses.push((await get(name)).status))
  await expect.poll(() => statuses).toEqual(Array(names.length - 1 - 60).fill(503))
  const refused = await get(variant(640, 'webp'))
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '5',
    queueFull,
  ])
  for (const path of [url, variant(320, 'jpg')]) expect((await get(path)).status, path).toBe(200)
  await images.prepareVariants(await images.store(await noise({ width: 60, height: 40 })))

  release.resolve()
  await Promise.all(answers)
  expect((await get(variant(640, 'webp'))).status).toBe(200)
})

test('a picture whose turn does not come within 25 seconds is rejected, and photos have a queue of their own', async () => {
  const { images } = await setUp()
  const picture = await noise({ width: 60, height: 40 })
  const arrived = Promise.withResolvers<void>()
  const delayed = { bytes: () => arrived.promise.then(() => picture.bytes()) } as Blob
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const first = images.store(delayed)
    const second = expect(images.store(picture)).rejects.toMatchObject({ code: 'unavailable' })
    await images.store(picture, { photoSide: 320 })
    await vi.advanceTimersByTimeAsync(25_000)
    await second
    arrived.resolve()
    expect(await first).toMatch(/^\/images\//)
  } finally {
    vi.useRealTimers()
  }
})

test('a JPEG of more than 64 scans is rejected before it is decoded', async () => {
  const whole = Buffer.from(await (await jpeg()).bytes())
  const scan = whole.subarray(whole.indexOf(Buffer.from([0xff, 0xda])), whole.length - 2)
  const withScans = (count: number) =>
    Buffer.concat([whole.subarray(0, -2), ...Array(count - 1).fill(scan), whole.subarray(-2)])
  const encode = vi.fn((picture: Sharp) => picture.webp({ effort: 0 }))
  expect((await normalise(withScans(1), encode)).length).toBeGreaterThan(0)
  // Of one that is not progressive, the decoder reads the first only.
  expect((await normalise(withScans(64), encode)).length).toBeGreaterThan(0)
  encode.mockClear()
  await expect(normalise(withScans(65), encode)).rejects.toMatchObject({ code: 'invalid' })
  expect(encode).not.toHaveBeenCalled()
})

test('a JPEG with arithmetic coding is rejected before it is decoded, whatever comes before its frame', async () => {
  const huffman = Buffer.from(await (await jpeg()).bytes())
  const frame = huffman.indexOf(Buffer.from([0xff, 0xc0]))
  const arithmetic = (marker: number) => Buffer.from(huffman).fill(marker, frame + 1, frame + 2)
  const expectRefused = async (picture: Buffer, name: string) => {
    const encode = vi.fn((picture: Sharp) => picture.webp())
    await expect(normalise(picture, encode), name).rejects.toMatchObject({ code: 'invalid' })
    expect(encode, name).not.toHaveBeenCalled()
  }
  for (const marker of [0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
    await expectRefused(arithmetic(marker), marker.toString(16))
  for (const hex of ['ff01', 'ffd0', 'ffd7', 'ffff', '00', 'ff00', 'fffe0000', 'fffe0002']) {
    for (const at of [2, frame]) {
      const hidden = [
        arithmetic(0xc9).subarray(0, at),
        Buffer.from(hex, 'hex'),
        arithmetic(0xc9).subarray(at),
      ]
      await expectRefused(Buffer.concat(hidden), `${hex} at ${at}`)
    }
  }
  await expectRefused(huffman.subarray(0, frame), 'without a frame')
})

test('a baseline or progressive JPEG is accepted, with metadata, a profile, comments and padding', async () => {
  const encode = (picture: Sharp) => picture.webp({ effort: 0 })
  const drawn = sharp({ create: { width: 300, height: 200, channels: 3, background: '#c40' } })
  const plain = await drawn.jpeg().toBuffer()
  const insert = (hex: string) =>
    Buffer.concat([plain.subarray(0, 2), Buffer.from(hex, 'hex'), plain.subarray(2)])
  const honest = [
    ...[plain, insert('fffe000868656c6c6f21'), insert('ffff')],
    await drawn.clone().jpeg({ progressive: true }).toBuffer(),
    await drawn.clone().jpeg({ mozjpeg: true }).toBuffer(),
    Buffer.from(await (await jpeg({ gps: true, orientation: 6, profile: 'p3' })).bytes()),
    Buffer.from(await (await jpeg({ profile: 'cmyk' })).bytes()),
  ]
  for (const picture of honest) expect((await normalise(picture, encode)).length).toBeGreaterThan(0)
})

test('an AVIF is rejected before it is decoded when it is large, made of other pictures or a customer’s photo', async () => {
  const encode = (picture: Sharp) => picture.webp({ effort: 0 })
  const bytesOf = async (picture: Promise<Blob>) => Buffer.from(await (await picture).bytes())
  const small = await bytesOf(avif())
  expect((await normalise(small, encode)).length).toBeGreaterThan(0)
  const item = small.indexOf('av01', small.indexOf('infe'))
  for (const type of ['iovl', 'grid', 'iden', 'tili']) {
    const derived = Buffer.from(small)
    derived.write(type, item)
    await expect(normalise(derived, encode), type).rejects.toMatchObject({ message: /made of tiles/ })
  }
  await expect(normalise(small, encode, 320)).rejects.toMatchObject({ code: 'invalid' })

  const large = { width: 4_000, height: 3_001, channels: 3, background: '#000' } as const
  const tooLarge = await sharp({ create: large }).avif({ effort: 0 }).toBuffer()
  await expect(normalise(tooLarge, encode)).rejects.toMatchObject({ code: 'invalid' })
})

test('on a disk that is filling up, photos are rejected, and variants are served but not kept', async () => {
  const { folder, url, variant, kept } = await setUp()
  const images = storedImages({ ...folderStore(folder), hasRoom: async () => false })
  const photo = images.store(await noise({ width: 60, height: 40 }), { photoSide: 320 })
  await expect(photo).rejects.toMatchObject({ code: 'insufficient-storage' })
  const response = await images.fetch(new Request(`http://shop.test${variant(320, 'avif')}`))
  expect(response.status).toBe(200)
  await images.prepareVariants(url)
  expect(await kept()).toEqual(['.webp'])
  await images.store(await noise({ width: 60, height: 40 }))
  expect(await kept()).toEqual(['.webp', '.webp'])
})

test('an unknown width, format or name returns 404 and writes nothing', async () => {
  const { get, url, variant, kept } = await setUp()
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
    const response = await get(path)
    expect(response.status, path).toBe(404)
  }
  expect(await (await get('/images/chain.webp')).json()).toEqual({ message: 'This photo doesn’t exist.' })
  expect(await kept()).toEqual(['.webp'])
})

test('a damaged picture answers 500 and stores no variant', async () => {
  const { folder, get, url, variant, kept } = await setUp()
  const originalName = join(folder, url.replace('/images/', ''))
  const original = await readFile(originalName)
  const log = vi.spyOn(console, 'error').mockReturnValue()
  for (const damaged of [original.subarray(0, original.length / 2), Buffer.from('hello'), Buffer.alloc(0)]) {
    await writeFile(originalName, damaged)
    for (const format of formats) {
      const response = await get(variant(320, format))
      expect([response.status, await response.json()]).toEqual([
        500,
        { success: false, message: 'Something went wrong. Try again.' },
      ])
    }
  }
  expect(log).toHaveBeenCalledTimes(9)
  expect(await kept()).toEqual(['.webp'])

  await writeFile(originalName, original)
  expect((await get(variant(320, 'avif'))).status).toBe(200)
})

test('a failed write leaves no partial file', async () => {
  const { folder, images, kept } = await setUp()
  const other = await noise({ width: 60, height: 40 })
  const name = (await images.store(other)).replace('/images/', '')
  await rm(join(folder, name))
  await mkdir(join(folder, name))
  await expect(images.store(other)).rejects.toThrow()
  expect(await kept()).toEqual(['.webp', '.webp'])
})

test('a variant that cannot be stored is still served, and prepareVariants fails', async () => {
  const { folder, images, url, variant, kept } = await setUp()
  const diskFull = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const fullDisk = storedImages({ ...folderStore(folder), write: () => Promise.reject(diskFull) })
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const response = await fullDisk.fetch(new Request(`http://shop.test${variant(320, 'avif')}`))
  expect((await sharp(await response.bytes()).metadata()).width).toBe(320)
  expect(log.mock.calls.join()).toContain('ENOSPC')
  await expect(fullDisk.prepareVariants(url)).rejects.toBe(diskFull)
  expect(await kept()).toEqual(['.webp'])
  await images.prepareVariants(url)
})

test('requests for missing pictures do not fill the queue', async () => {
  const { folder, variant } = await setUp()
  const requests: string[] = []
  const files = folderStore(folder)
  const slowImages = storedImages({
    ...files,
    async read(name) {
      requests.push(name)
      await wait(20)
      return files.read(name)
    },
  })
  const get = async (path: string) => (await slowImages.fetch(new Request(`http://shop.test${path}`))).status
  const missingNames = Array.from(
    { length: 400 },
    () => `${crypto.randomUUID().replaceAll('-', '')}-320.webp`,
  )
  const answers = Promise.all(missingNames.map((name) => get(`/images/${name}`)))
  expect(await get(variant(320, 'webp'))).toBe(200)
  expect(new Set(await answers)).toEqual(new Set([404]))
  expect(requests.filter((name) => !name.includes('-'))).toHaveLength(1)
})

test('normalise throws unavailable on a timeout', async () => {
  const picture = await (await noise({ width: 1600, height: 1200 })).bytes()
  const timedOut = normalise(picture, (upright) => upright.timeout({ seconds: 1 }).blur(300).webp())
  await expect(timedOut).rejects.toMatchObject({ code: 'unavailable' })
})

test('store keeps a trusted picture byte for byte and re-encodes any other', async () => {
  const { images, get } = await setUp({ width: 60, height: 40 })
  const webp = await sharp(await (await noise({ width: 60, height: 40 })).bytes())
    .webp()
    .toBuffer()
  const bytesAt = async (url: string) => Buffer.from(await (await get(url)).bytes())
  const picture = new Blob([new Uint8Array(webp)])
  expect(await bytesAt(await images.store(picture, { trusted: true }))).toEqual(webp)
  expect(await bytesAt(await images.store(picture))).not.toEqual(webp)
})

test('a picture of exactly 50 million pixels is accepted and one with a row more is not', async () => {
  const encode = (picture: Sharp) => picture.webp({ effort: 0 })
  const made = await normalise(blackPng(10_000, 5_000), encode)
  expect(await sharp(made).metadata()).toMatchObject({ width: 1_600, height: 800 })
  await expect(normalise(blackPng(10_000, 5_001), encode)).rejects.toMatchObject({ code: 'invalid' })
})

test('a picture of 20,000 pixels in height is accepted and one with a row more is not', async () => {
  const encode = (picture: Sharp) => picture.webp({ effort: 0 })
  expect(await sharp(await normalise(blackPng(2, 20_000), encode)).metadata()).toMatchObject({
    height: 1_600,
  })
  await expect(normalise(blackPng(2, 20_001), encode)).rejects.toMatchObject({ code: 'invalid' })
})
