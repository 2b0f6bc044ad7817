import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { type FailureMode, openBucket } from '#test/image-hosts.ts'
import { jpeg } from '#test/pictures.ts'
import { bucketOf } from './bucket.ts'
import { folderOf } from './folder.ts'
import { servedImages } from './served.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((bucket) => bucket.stop()))
})

/** A shop whose pictures are in a bucket, one of them stored, and another process of the same shop. */
async function scene() {
  const bucket = await openBucket()
  opened.push(bucket)
  const open = (patience = 60_000) => {
    const images = servedImages(bucketOf(bucket.settings, patience))
    const ask = (path: string) => images.fetch(new Request(`http://shop.test${path}`))
    return { ...images, ask }
  }
  const shop = open()
  const url = await shop.store(await jpeg())
  const name = url.slice(1)
  return { bucket, shop, other: open(), hasty: open(300), url, name, webp: url.replace('.webp', '-320.webp') }
}

test('a picture and its variants are kept with their type and for ever', async () => {
  const { bucket, shop, url } = await scene()
  const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }
  for (const [format, type] of [['', 'image/webp'], ...Object.entries(types)]) {
    const path = format ? url.replace('.webp', `-320.${format}`) : url
    const asked = await (await shop.ask(path)).bytes()
    const object = await bucket.object(path.slice(1))
    expect([object.headers.get('content-type'), object.headers.get('cache-control')]).toEqual([
      type,
      'public, max-age=31536000, immutable',
    ])
    expect(await object.bytes()).toEqual(asked)
  }
  expect(await bucket.objects()).toHaveLength(4)
})

test('a variant that one process made is not made again, by none of them', async () => {
  const { bucket, shop, other, url, webp } = await scene()
  await shop.prepareVariants(url)
  const [jpg, first] = [url.replace('.webp', '-640.jpg'), await (await shop.ask(webp)).bytes()]
  const written = await bucket.writtenAt(webp.slice(1))

  const encoded = vi.spyOn(sharp.prototype as Sharp, 'toBuffer')
  for (const process of [shop, other]) {
    expect(await (await process.ask(webp)).bytes()).toEqual(first)
    for (const path of [url, jpg]) expect((await process.ask(path)).status).toBe(200)
    await process.prepareVariants(url)
  }
  expect(encoded).not.toHaveBeenCalled()
  expect(await bucket.writtenAt(webp.slice(1))).toEqual(written)
})

test('two processes that make the same variant at once both answer it', async () => {
  const { bucket, shop, other, webp } = await scene()
  const [one, two] = await Promise.all([shop, other].map(async ({ ask }) => (await ask(webp)).bytes()))
  expect(one).toEqual(two)
  expect(await bucket.objects()).toHaveLength(2)
})

test('a bucket that does not answer makes no broken pictures, and all are there as soon as it does', async () => {
  const { bucket, shop, hasty, url, webp } = await scene()
  vi.spyOn(console, 'error').mockReturnValue()
  const troubles: FailureMode[] = [
    'is down',
    'answers 500',
    'never answers',
    'stops halfway',
    'answers a page',
    'answers nothing',
    'sends us elsewhere',
  ]
  for (const trouble of troubles) {
    await bucket.suffer(trouble)
    const asked = [
      ...[url, webp, webp.replace('320', '640')].map((path) => hasty.ask(path)),
      hasty.deleteUnused(new Set(), new Date(Date.now() + 60_000)),
    ]
    const answers = (await Promise.allSettled(asked)) as { reason?: { code: string } }[]
    const codes = answers.map(({ reason }) => reason?.code)
    expect(codes, trouble).toEqual(Array(4).fill('unavailable'))
    await bucket.suffer(null)
    expect((await shop.ask(url)).status, trouble).toBe(200)
  }
  expect(await bucket.objects()).toHaveLength(1)
  expect((await shop.ask(webp)).status).toBe(200)
})

test('what is answered in place of a picture holds no connection', async () => {
  const { bucket, shop, url } = await scene()
  vi.spyOn(console, 'error').mockReturnValue()
  await bucket.suffer('answers a page')
  await Promise.allSettled(Array.from({ length: 20 }, () => shop.ask(url)))
  await vi.waitFor(async () => expect(await bucket.connections()).toBe(0))
})

test('a shop sweeps its own bucket alone', async () => {
  const { bucket, url, name } = await scene()
  const shops = ['ours', 'theirs'].map((owner) => servedImages(bucketOf(bucket.settings), owner))
  await shops[0]!.deleteUnused(new Set([url]), new Date())
  await bucket.age(name, new Date('2020-01-01'))
  await expect(shops[1]!.deleteUnused(new Set(), new Date('2021-01-01'))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await bucket.objects()).toEqual([name, 'images/owner'].sort())
  await shops[0]!.deleteUnused(new Set(), new Date('2021-01-01'))
  expect(await bucket.objects()).toEqual(['images/owner'])
})

test('a folder’s files that are moved to a bucket go on working there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-moved-'))
  try {
    const before = servedImages(folderOf(folder))
    const url = await before.store(await jpeg({ width: 700, height: 500 }))
    await before.prepareVariants(url)
    const { bucket, shop } = await scene()
    for (const name of await readdir(folder))
      await bucket.put(`images/${name}`, await readFile(join(folder, name)))
    for (const path of [url, url.replace('.webp', '-640.jpg'), url.replace('.webp', '-320.avif')]) {
      const [there, here] = await Promise.all(
        [before.fetch, shop.fetch].map((ask) => ask(new Request(`http://shop.test${path}`))),
      )
      expect([...there!.headers], path).toEqual([...here!.headers])
      expect(await there!.bytes(), path).toEqual(await here!.bytes())
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('what else is in the bucket is neither shown nor swept', async () => {
  const { bucket, shop, name } = await scene()
  const hash = '0'.repeat(32)
  const theirs = [
    'backup.sql',
    `${hash}.webp`,
    `other/${hash}.webp`,
    `images2/${hash}.webp`,
    `images/x/${hash}.webp`,
  ]
  for (const object of theirs) {
    await bucket.put(object, 'theirs')
    await bucket.age(object, new Date('2020-01-01'))
  }
  await bucket.age(name, new Date('2020-01-01'))
  expect((await shop.ask(`/images/${hash}.webp`)).status).toBe(404)
  await shop.deleteUnused(new Set(), new Date('2021-01-01'))
  expect(await bucket.objects()).toEqual(theirs.sort())
})

test('a bucket of more than a thousand objects is swept as a whole', async () => {
  const { bucket, shop, name } = await scene()
  const foreign = Array.from({ length: 1_100 }, (_, at) => `images/0-${at}.txt`)
  await Promise.all(foreign.map((object) => bucket.put(object, 'x')))
  await bucket.age(name, new Date('2020-01-01'))
  const last = `images/${'f'.repeat(32)}-320.webp`
  await bucket.put(last, 'x')
  await bucket.age(last, new Date('2020-01-01'))

  await shop.deleteUnused(new Set(), new Date('2021-01-01'))
  expect(await bucket.objects()).toEqual(foreign.sort())
})

test('pictures go to no bucket that is not there', async () => {
  const { bucket } = await scene()
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const images = servedImages(bucketOf({ ...bucket.settings, bucket: 'elsewhere' }))
  await expect(images.store(await jpeg())).rejects.toMatchObject({ code: 'unavailable' })
  await expect(images.deleteUnused(new Set(), new Date())).rejects.toMatchObject({ code: 'unavailable' })
  expect(log.mock.calls.join()).toContain('NoSuchBucket')
})
