import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { type FailureMode, openBucket } from '#test/image-hosts.ts'
import { jpeg } from '#test/pictures.ts'
import { bucketStore } from './bucket.ts'
import { folderStore } from './folder.ts'
import { storedImages } from './stored.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((bucket) => bucket.stop()))
})

/** One stored picture and two processes of the same shop. */
async function setUp() {
  const bucket = await openBucket()
  opened.push(bucket)
  const open = (timeoutMs = 60_000) => {
    const images = storedImages(bucketStore(bucket.settings, timeoutMs))
    const get = (path: string) => images.fetch(new Request(`http://shop.test${path}`))
    return { ...images, get }
  }
  const shop = open()
  const url = await shop.store(await jpeg())
  const name = url.slice(1)
  return {
    bucket,
    shop,
    other: open(),
    withShortTimeout: open(300),
    url,
    name,
    webp: url.replace('.webp', '-320.webp'),
  }
}

test('a picture and its variants are stored with content type and immutable caching', async () => {
  const { bucket, shop, url } = await setUp()
  const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }
  for (const [format, type] of [['', 'image/webp'], ...Object.entries(types)]) {
    const path = format ? url.replace('.webp', `-320.${format}`) : url
    const body = await (await shop.get(path)).bytes()
    const object = await bucket.object(path.slice(1))
    expect([object.headers.get('content-type'), object.headers.get('cache-control')]).toEqual([
      type,
      'public, max-age=31536000, immutable',
    ])
    expect(await object.bytes()).toEqual(body)
  }
  expect(await bucket.objects()).toHaveLength(4)
})

test('a stored variant is never encoded again by any process', async () => {
  const { bucket, shop, other, url, webp } = await setUp()
  await shop.prepareVariants(url)
  const [jpg, first] = [url.replace('.webp', '-640.jpg'), await (await shop.get(webp)).bytes()]
  const written = await bucket.writtenAt(webp.slice(1))

  const toBuffer = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  for (const process of [shop, other]) {
    expect(await (await process.get(webp)).bytes()).toEqual(first)
    for (const path of [url, jpg]) expect((await process.get(path)).status).toBe(200)
    await process.prepareVariants(url)
  }
  expect(toBuffer).not.toHaveBeenCalled()
  expect(await bucket.writtenAt(webp.slice(1))).toEqual(written)
})

test('two processes that make the same variant concurrently both return it', async () => {
  const { bucket, shop, other, webp } = await setUp()
  const [one, two] = await Promise.all([shop, other].map(async ({ get }) => (await get(webp)).bytes()))
  expect(one).toEqual(two)
  expect(await bucket.objects()).toHaveLength(2)
})

test('bucket failures throw unavailable, store nothing and leave no damage', async () => {
  const { bucket, shop, withShortTimeout, url, webp } = await setUp()
  vi.spyOn(console, 'error').mockReturnValue()
  const failures: FailureMode[] = [
    'is down',
    'responds with 500',
    'never responds',
    'ends early',
    'answers with a page',
    'answers with an empty body',
    'redirects',
  ]
  for (const failure of failures) {
    await bucket.failWith(failure)
    const requests = [
      ...[url, webp, webp.replace('320', '640')].map((path) => withShortTimeout.get(path)),
      withShortTimeout.deleteUnused(new Set(), new Date(Date.now() + 60_000)),
    ]
    const answers = (await Promise.allSettled(requests)) as { reason?: { code: string } }[]
    const codes = answers.map(({ reason }) => reason?.code)
    expect(codes, failure).toEqual(Array(4).fill('unavailable'))
    await bucket.failWith(null)
    expect((await shop.get(url)).status, failure).toBe(200)
  }
  expect(await bucket.objects()).toHaveLength(1)
  expect((await shop.get(webp)).status).toBe(200)
})

test('an unexpected response body does not hold a connection open', async () => {
  const { bucket, shop, url } = await setUp()
  vi.spyOn(console, 'error').mockReturnValue()
  await bucket.failWith('answers with a page')
  await Promise.allSettled(Array.from({ length: 20 }, () => shop.get(url)))
  await expect.poll(bucket.connections).toBe(0)
})

test('deleteUnused rejects another shop’s bucket', async () => {
  const { bucket, url, name } = await setUp()
  const shops = ['ours', 'theirs'].map((owner) => storedImages(bucketStore(bucket.settings), owner))
  await shops[0]!.deleteUnused(new Set([url]), new Date())
  await bucket.setModified(name, new Date('2020-01-01'))
  await expect(shops[1]!.deleteUnused(new Set(), new Date('2021-01-01'))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await bucket.objects()).toEqual([name, 'images/owner'].sort())
  await shops[0]!.deleteUnused(new Set(), new Date('2021-01-01'))
  expect(await bucket.objects()).toEqual(['images/owner'])
})

test('files moved from a folder to a bucket are served unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-moved-'))
  try {
    const before = storedImages(folderStore(folder))
    const url = await before.store(await jpeg({ width: 700, height: 500 }))
    await before.prepareVariants(url)
    const { bucket, shop } = await setUp()
    for (const name of await readdir(folder))
      await bucket.put(`images/${name}`, await readFile(join(folder, name)))
    for (const path of [url, url.replace('.webp', '-640.jpg'), url.replace('.webp', '-320.avif')]) {
      const [there, here] = await Promise.all(
        [before.fetch, shop.fetch].map((get) => get(new Request(`http://shop.test${path}`))),
      )
      expect([...there!.headers], path).toEqual([...here!.headers])
      expect(await there!.bytes(), path).toEqual(await here!.bytes())
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('unrelated objects in the bucket are neither served nor deleted', async () => {
  const { bucket, shop, name } = await setUp()
  const hash = '0'.repeat(32)
  const unrelated = [
    'backup.sql',
    `${hash}.webp`,
    `other/${hash}.webp`,
    `images2/${hash}.webp`,
    `images/x/${hash}.webp`,
  ]
  for (const object of unrelated) {
    await bucket.put(object, 'theirs')
    await bucket.setModified(object, new Date('2020-01-01'))
  }
  await bucket.setModified(name, new Date('2020-01-01'))
  expect((await shop.get(`/images/${hash}.webp`)).status).toBe(404)
  await shop.deleteUnused(new Set(), new Date('2021-01-01'))
  expect(await bucket.objects()).toEqual(unrelated.sort())
})

test('deleteUnused reads every page of a large bucket', async () => {
  const { bucket, shop, name } = await setUp()
  const unrelated = Array.from({ length: 1_100 }, (_, at) => `images/0-${at}.txt`)
  await Promise.all(unrelated.map((object) => bucket.put(object, 'x')))
  await bucket.setModified(name, new Date('2020-01-01'))
  const last = `images/${'f'.repeat(32)}-320.webp`
  await bucket.put(last, 'x')
  await bucket.setModified(last, new Date('2020-01-01'))

  await shop.deleteUnused(new Set(), new Date('2021-01-01'))
  expect(await bucket.objects()).toEqual(unrelated.sort())
})

test('a missing bucket throws unavailable and logs NoSuchBucket', async () => {
  const { bucket } = await setUp()
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const images = storedImages(bucketStore({ ...bucket.settings, bucket: 'elsewhere' }))
  await expect(images.store(await jpeg())).rejects.toMatchObject({ code: 'unavailable' })
  await expect(images.deleteUnused(new Set(), new Date())).rejects.toMatchObject({ code: 'unavailable' })
  expect(log.mock.calls.join()).toContain('NoSuchBucket')
})
