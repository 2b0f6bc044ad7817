import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import type { Images } from '#shop/ports.ts'
import { type FailureMode, failureModes, openBucket, openImgbb } from '#test/image-hosts.ts'
import {
  animatedWebp,
  avif,
  jpeg,
  notPictures,
  payload,
  photographer,
  png,
  polyglot,
  transparentPng,
  webp,
} from '#test/pictures.ts'
import { bucketStore } from './bucket.ts'
import { folderStore } from './folder.ts'
import { imgbbImages } from './imgbb.ts'
import { type StoredImages, storedImages } from './stored.ts'

const encoders = { jpeg, png, webp, avif }

/** Timeouts in milliseconds: one that never triggers, and a short one. */
const [longTimeout, shortTimeout] = [60_000, 300]

interface Host {
  images: Images
  show(url: string): Promise<Response>
  stored(): Promise<string[]>
  stop(): Promise<unknown>
}

interface RemoteHost extends Host {
  failWith(mode: FailureMode | null): Promise<void>
  /** The same host with a short timeout. */
  withShortTimeout: Images
  /** With invalid credentials. */
  withInvalidKey: Images
  /** Must not be logged. */
  secret: string
}

interface CleanableHost extends Host {
  put(name: string, content: string): Promise<unknown>
  setModified(name: string, date: Date): Promise<unknown>
  writtenAt(name: string): Promise<Date>
}

const opened: Pick<Host, 'stop'>[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((host) => host.stop()))
})

function stopAfterTest<T extends Host>(host: T): T {
  opened.push(host)
  return host
}

async function folder(): Promise<CleanableHost> {
  const path = await mkdtemp(join(tmpdir(), 'winged-wheels-pictures-'))
  const images = storedImages(folderStore(path))
  return stopAfterTest({
    images,
    show: requestFrom(images),
    stored: async () => (await readdir(path)).sort(),
    put: (name, content) => writeFile(join(path, name), content),
    setModified: (name, date) => utimes(join(path, name), date, date),
    writtenAt: async (name) => (await stat(join(path, name))).mtime,
    stop: () => rm(path, { recursive: true }),
  })
}

async function bucket(): Promise<CleanableHost & RemoteHost> {
  const s3 = await openBucket()
  const { settings, failWith, stop } = s3
  const images = storedImages(bucketStore(settings, longTimeout))
  return stopAfterTest({
    images,
    show: requestFrom(images),
    stored: async () => (await s3.objects()).map((name) => name.replace('images/', '')),
    put: (name, content) => s3.put(`images/${name}`, content),
    setModified: (name, date) => s3.setModified(`images/${name}`, date),
    writtenAt: (name) => s3.writtenAt(`images/${name}`),
    failWith,
    withShortTimeout: storedImages(bucketStore(settings, shortTimeout)),
    withInvalidKey: storedImages(bucketStore({ ...settings, accessKeyId: 'SOMEBODY' }, longTimeout)),
    secret: settings.secretAccessKey,
    stop,
  })
}

async function imgbb(): Promise<RemoteHost> {
  const { settings, stored, failWith, stop } = await openImgbb()
  return stopAfterTest({
    images: imgbbImages(settings, longTimeout),
    show: (url) => fetch(url),
    stored: async () => [...stored.keys()],
    failWith,
    withShortTimeout: imgbbImages(settings, shortTimeout),
    withInvalidKey: imgbbImages({ ...settings, key: 'wrong' }, longTimeout),
    secret: settings.key,
    stop,
  })
}

const requestFrom = (images: StoredImages) => (path: string) =>
  images.fetch(new Request(new URL(path, 'http://shop.test')))

const hosts: [string, () => Promise<Host>][] = [
  ['a folder', folder],
  ['a bucket', bucket],
  ['imgbb', imgbb],
]
const remoteHosts: [string, () => Promise<RemoteHost>][] = [
  ['a bucket', bucket],
  ['imgbb', imgbb],
]
const cleanableHosts: [string, () => Promise<CleanableHost>][] = [
  ['a folder', folder],
  ['a bucket', bucket],
]

async function fetchPicture({ show }: Pick<Host, 'show'>, url: string): Promise<Buffer> {
  const response = await show(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\/(jpeg|webp)$/),
  ])
  return Buffer.from(await response.bytes())
}

async function storeAndFetch(host: Host, picture: Blob) {
  return fetchPicture(host, await host.images.store(picture))
}

async function sizeOf(picture: Uint8Array) {
  const { width, height } = await sharp(picture).metadata()
  return [width, height]
}

/** At a relative position from 0 to 1, on white. */
async function colorAt(picture: Uint8Array, x: number, y: number) {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [column, row] = [Math.floor(x * info.width), Math.floor(y * info.height)]
  return [...data.subarray((row * info.width + column) * info.channels).subarray(0, 3)]
}

function distance(one: number[], other: number[]) {
  return Math.max(...one.map((value, at) => Math.abs(value - other[at]!)))
}

/** RGB of `#b4523c`, the colour of the test pictures. */
const rust = [180, 82, 60]
/** The same after a CMYK round trip. */
const cmykRust = [175, 72, 35]
const white = [255, 255, 255]

for (const [name, open] of hosts) {
  test(`${name} accepts every supported format under any file name`, async () => {
    const host = await open()
    for (const make of Object.values(encoders)) {
      const picture = await make()
      for (const file of [picture, new File([picture], '../../chain.txt', { type: 'text/html' })]) {
        const stored = await storeAndFetch(host, file)
        expect(await sizeOf(stored)).toEqual([400, 300])
        expect(distance(await colorAt(stored, 0.9, 0.9), rust)).toBeLessThan(8)
      }
    }
  })

  test(`${name} shrinks pictures to 1,600 pixels and enlarges none`, async () => {
    const host = await open()
    for (const [width, height, wide, high] of [
      [2400, 1800, 1600, 1200],
      [1800, 2400, 1200, 1600],
      [1601, 1601, 1600, 1600],
      [1600, 900, 1600, 900],
      [9000, 30, 1600, 5],
      [30, 9000, 5, 1600],
      [9000, 1, 1600, 1],
      [1, 9000, 1, 1600],
      [1, 1, 1, 1],
    ] as const) {
      expect(
        await sizeOf(await storeAndFetch(host, await png({ width, height }))),
        `${width} × ${height}`,
      ).toEqual([wide, high])
    }
  })

  test(`${name} gives a JPEG of 640 pixels for a PDF, and null for a picture that it has not`, async () => {
    const { images } = await open()
    const url = await images.store(await png({ width: 1200, height: 900 }))
    const bytes = (await images.readJpeg(url))!
    expect((await sharp(bytes).metadata()).format).toBe('jpeg')
    expect(await sizeOf(bytes)).toEqual([640, 480])
    for (const other of ['https://elsewhere.example/a.jpg', '/illustrations/reviewer-1.svg', ''])
      expect(await images.readJpeg(other)).toBeNull()
  })

  test(`${name} strips all metadata`, async () => {
    const host = await open()
    for (const [format, make] of Object.entries(encoders)) {
      const picture = await make({ gps: true, profile: 'p3', orientation: 1 })
      expect(Buffer.from(await picture.bytes()).includes(photographer), format).toBe(true)

      const stored = await storeAndFetch(host, picture)
      const { exif, xmp, icc, iptc, orientation, comments } = await sharp(stored).metadata()
      expect({ exif, xmp, icc, iptc, orientation, comments }, format).toEqual({})
      expect(stored.includes(photographer), format).toBe(false)
    }
  })

  test(`${name} converts other colour profiles to sRGB`, async () => {
    const host = await open()
    for (const [format, make] of Object.entries(encoders)) {
      const picture = await make({ profile: 'p3' })
      const { data } = await sharp(await picture.bytes(), { ignoreIcc: true })
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(distance([...data.subarray(-3)], rust), `${format} as it came in`).toBeGreaterThan(8)

      const stored = await storeAndFetch(host, picture)
      expect((await sharp(stored).metadata()).space, format).toBe('srgb')
      expect(distance(await colorAt(stored, 0.9, 0.9), rust), format).toBeLessThan(8)
    }
    const stored = await storeAndFetch(host, await jpeg({ profile: 'cmyk' }))
    expect((await sharp(stored).metadata()).space).toBe('srgb')
    expect(distance(await colorAt(stored, 0.9, 0.9), cmykRust)).toBeLessThan(8)
    expect(distance(await colorAt(stored, 0.1, 0.1), white)).toBeLessThan(8)
  })

  test(`${name} applies the EXIF orientation`, async () => {
    const host = await open()
    const corners = [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.9, 0.9],
      [0.1, 0.9],
    ] as const
    // Expected position of the original top-left corner, clockwise.
    const upright = [0, 1, 2, 3, 0, 1, 2, 3]
    const pictures = upright.map((_, at) => ({ orientation: at + 1, make: jpeg }))
    for (const { orientation, make } of [
      ...pictures,
      { orientation: 6, make: png },
      { orientation: 6, make: webp },
      { orientation: 6, make: avif },
    ]) {
      const stored = await storeAndFetch(host, await make({ orientation }))
      expect(await sizeOf(stored), `${orientation}`).toEqual(orientation < 5 ? [400, 300] : [300, 400])
      const colors = await Promise.all(corners.map(([x, y]) => colorAt(stored, x, y)))
      const whites = colors.map((color) => distance(color, white) < 8)
      expect(whites.indexOf(true), `${orientation}`).toBe(upright[orientation - 1])
      expect(whites.filter(Boolean), `${orientation}`).toHaveLength(1)
    }
  })

  test(`${name} strips the HTML of a polyglot file`, async () => {
    const host = await open()
    const file = await polyglot()
    expect(
      Buffer.from(await file.bytes())
        .toString('latin1')
        .split(payload),
    ).toHaveLength(3)
    const stored = await storeAndFetch(host, file)
    expect(await sizeOf(stored)).toEqual([400, 300])
    expect(stored.toString('latin1')).not.toMatch(/script|alert|html/i)
  })

  test(`${name} rejects a file that is not a whole picture for its reason and stores nothing`, async () => {
    const host = await open()
    for (const [what, file, reason] of await notPictures()) {
      await expect(host.images.store(file), what).rejects.toMatchObject({
        code: 'invalid',
        message: reason,
        fields: { image: [reason] },
      })
    }
    expect(await host.stored()).toEqual([])
    expect(await sizeOf(await storeAndFetch(host, await jpeg()))).toEqual([400, 300])
  })

  test(`${name} accepts transparent pictures`, async () => {
    const host = await open()
    expect(
      distance(await colorAt(await storeAndFetch(host, await transparentPng()), 0.5, 0.5), white),
    ).toBeLessThan(3)
    const half = await storeAndFetch(host, await transparentPng({ alpha: 0.5 }))
    expect(distance(await colorAt(half, 0.5, 0.5), [228, 127, 127])).toBeLessThan(8)
  })

  test(`${name} keeps only the first frame of an animation`, async () => {
    const host = await open()
    const stored = await storeAndFetch(host, await animatedWebp())
    expect((await sharp(stored).metadata()).pages ?? 1).toBe(1)
    expect(await sizeOf(stored)).toEqual([60, 40])
    expect(distance(await colorAt(stored, 0.5, 0.5), [255, 0, 0])).toBeLessThan(8)
  })

  test(`${name} accepts the same picture repeatedly and concurrently`, async () => {
    const host = await open()
    const picture = await jpeg()
    const first = await storeAndFetch(host, picture)
    expect(await storeAndFetch(host, picture)).toEqual(first)
    const urls = await Promise.all([1, 2, 3].map(() => host.images.store(picture)))
    for (const url of urls) expect(await fetchPicture(host, url)).toEqual(first)
  })

  test(`${name} stores concurrent uploads under their own URLs`, async () => {
    const host = await open()
    const colors = Array.from({ length: 24 }, (_, at) => [at * 10, 255 - at * 10, 90])
    const urls = await Promise.all(
      colors.map(async ([r, g, b]) => host.images.store(await png({ color: `rgb(${r}, ${g}, ${b})` }))),
    )
    expect(new Set(urls).size).toBe(24)
    for (const [at, url] of urls.entries()) {
      expect(distance(await colorAt(await fetchPicture(host, url), 0.9, 0.9), colors[at]!), url).toBeLessThan(
        8,
      )
    }
  })

  test(`${name} allows repeated and concurrent prepareVariants`, async () => {
    const { images, show } = await open()
    const url = await images.store(await jpeg())
    await images.prepareVariants(url)
    await Promise.all([images.prepareVariants(url), images.prepareVariants(url)])
    expect((await show(url)).status).toBe(200)
  })
}

for (const [name, open] of remoteHosts) {
  for (const trouble of Object.keys(failureModes) as FailureMode[]) {
    test(`store fails while ${name} ${trouble}, and works after recovery`, async () => {
      const host = await open()
      const log = vi.spyOn(console, 'error').mockReturnValue()
      const picture = await jpeg()
      await host.failWith(trouble)
      await expect(host.withShortTimeout.store(picture)).rejects.toMatchObject({ code: 'unavailable' })
      expect(log).toHaveBeenCalled()
      expect(JSON.stringify(log.mock.calls)).not.toContain(host.secret)

      await host.failWith(null)
      expect(await host.stored()).toEqual([])
      expect(await sizeOf(await storeAndFetch(host, picture))).toEqual([400, 300])
    })
  }

  test(`${name} rejects an upload with an unknown key`, async () => {
    const host = await open()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    await expect(host.withInvalidKey.store(await jpeg())).rejects.toMatchObject({ code: 'unavailable' })
    expect(log.mock.calls.join()).toMatch(/Invalid API v1 key|InvalidAccessKeyId/)
    expect(await host.stored()).toEqual([])
  })

  test(`store rejects a file that is not a picture even while ${name} is down`, async () => {
    const host = await open()
    await host.failWith('is down')
    await expect(host.images.store(new Blob(['A bicycle chain.']))).rejects.toMatchObject({ code: 'invalid' })
  })
}

const oldDate = new Date('2026-01-01T10:00:00Z')
const cutoff = new Date('2026-01-02T10:00:00Z')

for (const [name, open] of cleanableHosts) {
  async function setUp() {
    const host = await open()
    const [used, unused, young] = await Promise.all(
      ['#a00', '#0a0', '#00a'].map(async (color) => {
        const url = await host.images.store(await png({ width: 60, height: 40, color }))
        await host.images.prepareVariants(url)
        return url
      }),
    )
    const hashOf = (url: string) => url.slice('/images/'.length, -'.webp'.length)
    for (const file of await host.stored()) {
      if (!file.startsWith(hashOf(young!))) await host.setModified(file, oldDate)
    }
    const remaining = async () => {
      const names: Record<string, string> = {
        [hashOf(used!)]: 'used',
        [hashOf(unused!)]: 'unused',
        [hashOf(young!)]: 'young',
      }
      const files = await host.stored()
      return files.map((file) => file.replace(/^[0-9a-f]{32}/, (hash) => names[hash] ?? hash)).sort()
    }
    return {
      ...host,
      used: used!,
      unused: unused!,
      young: young!,
      remaining,
      fileOf: (url: string) => url.slice(8),
    }
  }

  const all = (picture: string) =>
    ['-1600.jpg', '-320.jpg', '-640.jpg', '-960.jpg', '.webp'].map((ending) => picture + ending)

  test(`deleteUnused removes old unused pictures and their variants from ${name}`, async () => {
    const { images, used, unused, remaining, show } = await setUp()
    expect(await remaining()).toEqual([...all('unused'), ...all('used'), ...all('young')])
    await images.deleteUnused(new Set([used]), cutoff)
    expect(await remaining()).toEqual([...all('used'), ...all('young')])
    expect((await show(unused)).status).toBe(404)
    expect((await show(unused.replace('.webp', '-320.jpg'))).status).toBe(404)
    expect((await show(used)).status).toBe(200)

    await images.deleteUnused(new Set([used]), cutoff)
    expect(await remaining()).toEqual([...all('used'), ...all('young')])
  })

  test(`deleteUnused removes nothing from ${name} when everything is used, and ignores external URLs`, async () => {
    const { images, used, unused, young, remaining } = await setUp()
    const before = await remaining()
    await images.deleteUnused(
      new Set([used, unused, young, 'https://i.example.com/chain.webp', '']),
      new Date(),
    )
    expect(await remaining()).toEqual(before)
  })

  test(`deleteUnused keeps an old picture in ${name} that was stored again`, async () => {
    const { images, unused, fileOf, writtenAt, remaining } = await setUp()
    const again = await images.store(await png({ width: 60, height: 40, color: '#0a0' }))
    expect(again).toBe(unused)
    expect(await writtenAt(fileOf(unused))).not.toEqual(oldDate)
    await images.deleteUnused(new Set(), cutoff)
    expect(await remaining()).toEqual([...all('unused'), ...all('young')])
  })

  test(`deleteUnused removes only old orphaned variants from ${name}`, async () => {
    const { images, used, young, unused, put, setModified, stored } = await setUp()
    const orphans = [`${'0'.repeat(32)}-320.webp`, `${'0'.repeat(32)}-640.avif`] as const
    for (const orphan of orphans) await put(orphan, 'x')
    await setModified(orphans[0], oldDate)
    await images.deleteUnused(new Set([used, unused, young]), cutoff)
    const remaining = await stored()
    expect(orphans.filter((orphan) => remaining.includes(orphan))).toEqual([orphans[1]])
    expect(remaining).toHaveLength(16)
  })

  test(`deleteUnused keeps unrelated files in ${name}`, async () => {
    const { images, put, setModified, stored } = await setUp()
    const unrelated = [
      'README.txt',
      'chain.webp',
      'chain-320.webp',
      `${'0'.repeat(31)}.webp`,
      `${'0'.repeat(32)}.webp.bak`,
      `${'A'.repeat(32)}.webp`,
      `x${'0'.repeat(32)}.webp`,
    ]
    for (const file of unrelated) await put(file, 'theirs')
    for (const file of await stored()) await setModified(file, oldDate)
    await images.deleteUnused(new Set(), cutoff)
    expect((await stored()).sort()).toEqual(unrelated.sort())
  })

  test(`two concurrent deleteUnused calls on ${name} both succeed`, async () => {
    const { images, used, remaining } = await setUp()
    await Promise.all([1, 2].map(() => images.deleteUnused(new Set([used]), cutoff)))
    expect(await remaining()).toEqual([...all('used'), ...all('young')])
  })
}
