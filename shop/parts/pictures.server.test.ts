import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { parts, pictures, profiles, reviews, users } from '#db/schema.ts'
import { embeddedImages } from '#providers/images/embedded.ts'
import { tidy } from '#shop/tidy.server.ts'
import { clientOf, someone, somePart, testShop } from '#test/shop.ts'
import { deleteProduct } from './parts.server.ts'
import { sweepPictures, uploadPicture } from './pictures.server.ts'

const hour = 60 * 60 * 1000
const tomorrow = Date.now() + 25 * hour

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** A shop with an empty folder of pictures. */
async function scene() {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-sweep-'))
  folders.push(folder)
  const images = embeddedImages(folder)
  const shop = { ...(await testShop()), images }
  return {
    shop,
    folder,
    upload: async (background: string) => (await uploadPicture(shop, await drawing(background))).data.url,
    ask: async (url: string) => (await images.fetch(new Request(`http://shop.test${url}`))).status,
    kept: async () => (await readdir(folder)).map((name) => `/images/${name}`).sort(),
  }
}

async function drawing(background: string) {
  const picture = sharp({ create: { width: 20, height: 15, channels: 3, background } })
  return new Blob([new Uint8Array(await picture.png().toBuffer())])
}

test('a picture that nobody used for a day goes with its variants, and one of today stays', async () => {
  const { shop, upload, ask, kept } = await scene()
  const url = await upload('#b03a1e')
  const variant = url.replace('.webp', '-320.avif')
  expect(await ask(variant)).toBe(200)

  await sweepPictures(shop, Date.now() + 23 * hour)
  await sweepPictures(shop, Date.now() + 23 * hour)
  expect(await kept()).toEqual([variant, url].sort())

  await sweepPictures(shop, tomorrow)
  // Another process, a moment later.
  await sweepPictures(shop, tomorrow)
  expect(await kept()).toEqual([variant, url].sort())
  await sweepPictures(shop, tomorrow + 2 * hour)
  expect(await kept()).toEqual([])
  expect(await shop.db.$count(pictures)).toBe(0)
})

test('a picture that anything shows stays, in whatever size', async () => {
  const { shop, upload, kept } = await scene()
  const colours = ['#100000', '#200000', '#300000', '#400000', '#500000', '#600000']
  const urls = []
  for (const colour of colours) urls.push(await upload(colour))
  const [image, view, ofDeleted, ofUser, ofProfile, ofReview] = urls as [string, ...string[]] as string[]

  await somePart(shop, { image: image!, views: [view!] })
  const gone = await somePart(shop, { name: 'Hub', image: ofDeleted! })
  await deleteProduct(shop, gone._id)
  const { _id: userId } = await someone(shop, 'Ada')
  await shop.db.update(users).set({ photoURL: ofUser! })
  const profile = { userId, education: '', address: '', phoneNumber: '', linkedIn: '' }
  await shop.db.insert(profiles).values({ ...profile, photoURL: ofProfile!.replace('.webp', '-640.jpg') })
  const review = { name: 'Ada', address: '', reviews: '', rating: 5 }
  await shop.db.insert(reviews).values({ ...review, image: ofReview! })

  await shop.db.delete(pictures)
  await sweepPictures(shop, tomorrow)
  expect(await kept()).toEqual(urls.toSorted())

  await shop.db.update(parts).set({ views: [] })
  await shop.db.delete(reviews)
  await sweepPictures(shop, tomorrow)
  expect(await kept()).toEqual([image, ofDeleted, ofUser, ofProfile].toSorted())
})

test('a picture is off the list of uploads before its file goes, so that no part shows a gap', async () => {
  const { shop, upload, ask } = await scene()
  const admin = await clientOf(shop, await someone(shop, 'Admin', 'admin'))
  const words = { name: 'Rotor', shortDescription: 'Six-bolt', description: 'Stops quietly.' }
  const numbers = { minQuantity: 4, availableQuantity: 100, perUnitPrice: 38 }
  const first = await upload('#b03a1e')
  const second = await upload('#123456')

  await sweepPictures(shop, tomorrow)
  const late = admin.addPart({ body: { ...words, ...numbers, image: first } })
  await expect(late).rejects.toMatchObject({ fields: { image: ['Please upload the picture first'] } })

  // One that was on its way into the shop at that very moment.
  const part = await somePart(shop, { image: second })
  await sweepPictures(shop, tomorrow + 2 * hour)
  expect([await ask(first), await ask(second)]).toEqual([404, 200])

  // Off the part it is as any other: an hour passes before it goes.
  await shop.db.delete(parts).where(eq(parts._id, part._id))
  await sweepPictures(shop, tomorrow + 3 * hour)
  await sweepPictures(shop, tomorrow + 3.5 * hour)
  expect(await ask(second)).toBe(200)
  await sweepPictures(shop, tomorrow + 5 * hour)
  expect(await ask(second)).toBe(404)
})

test('a picture that is uploaded again is as new', async () => {
  const { shop, folder, upload, ask } = await scene()
  const url = await upload('#b03a1e')
  const long = new Date(Date.now() - 48 * hour)
  const age = async () => {
    await utimes(join(folder, url.replace('/images/', '')), long, long)
    await shop.db.update(pictures).set({ createdAt: long.toISOString() })
  }

  await age()
  expect(await upload('#b03a1e')).toBe(url)
  await sweepPictures(shop)
  await sweepPictures(shop)
  expect([await ask(url), await shop.db.$count(pictures)]).toEqual([200, 1])

  // Its file is there already, and what puts it on the list is still under way.
  await age()
  await sweepPictures(shop)
  await shop.images.store(await (await drawing('#b03a1e')).bytes())
  await sweepPictures(shop, Date.now() + 2 * hour)
  expect(await ask(url)).toBe(200)
})

test('what was never finished and what is left of a picture goes after a day, and nothing else does', async () => {
  const { shop, folder, kept } = await scene()
  const orphan = `${'a'.repeat(32)}-320.avif`
  for (const name of ['x.part', orphan, 'notes.txt', 'chain.webp']) await writeFile(join(folder, name), 'x')
  await tidy(shop)
  expect(await kept()).toHaveLength(4)
  await tidy(shop, tomorrow)
  expect(await kept()).toEqual(['/images/chain.webp', '/images/notes.txt'])
})
