import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { orders, parts, pictures, profiles, reviews, users } from '#db/schema.ts'
import { folderOf } from '#providers/images/folder.ts'
import { servedImages } from '#providers/images/served.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { clientOf, createUser, purchase, somePart, type TestShop, testShop } from '#test/shop.ts'
import { deleteProduct } from './parts.server.ts'
import { deleteUnusedPictures, uploadPicture } from './pictures.server.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const tomorrow = Date.now() + 25 * hour

const rotor = {
  name: 'Rotor',
  shortDescription: 'Six-bolt',
  description: 'Stops quietly.',
  minQuantity: 4,
  availableQuantity: 100,
  perUnitPrice: 38,
}

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** A shop with an empty folder of pictures. */
async function scene() {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-sweep-'))
  folders.push(folder)
  const images = servedImages(folderOf(folder))
  const shop = { ...(await testShop()), images }
  return {
    shop,
    folder,
    upload: async (background: string) => (await uploadPicture(shop, await drawing(background))).data.url,
    ask: async (url: string) => (await images.fetch(new Request(`http://shop.test${url}`))).status,
    kept: async () => (await readdir(folder)).map((name) => `/images/${name}`).sort(),
    /** The addresses of the pictures whose files are there. */
    there: async () =>
      (await readdir(folder)).filter((name) => /^\w+\.webp$/.test(name)).map((name) => `/images/${name}`),
  }
}

/** Of each upload, whether no part can show it any more. */
async function marks({ db }: Pick<TestShop, 'db'>) {
  return (await db.select().from(pictures)).map(({ removedAt: sweptAt }) => sweptAt !== null)
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

  const all = await kept()
  expect(all).toEqual(expect.arrayContaining([variant, url]))

  await deleteUnusedPictures(shop, Date.now() + 23 * hour)
  await deleteUnusedPictures(shop, Date.now() + 23 * hour)
  expect(await kept()).toEqual(all)

  await deleteUnusedPictures(shop, tomorrow)
  // Another process, a moment later.
  await deleteUnusedPictures(shop, tomorrow)
  expect(await kept()).toEqual(all)
  await deleteUnusedPictures(shop, tomorrow + 2 * hour)
  expect(await kept()).toEqual([])
  expect(await shop.db.$count(pictures)).toBe(0)
})

test('a picture that anything shows stays, in whatever size', async () => {
  const { shop, upload, there } = await scene()
  const colours = ['#100000', '#200000', '#300000', '#400000', '#500000', '#600000']
  const urls = []
  for (const colour of colours) urls.push(await upload(colour))
  const [image, view, ofDeleted, ofUser, ofProfile, ofReview] = urls

  await somePart(shop, { image: image!, views: [view!] })
  const gone = await somePart(shop, { name: 'Hub', image: ofDeleted! })
  await deleteProduct(shop, gone._id)
  const { _id: userId } = await createUser(shop, 'Ada')
  await shop.db.update(users).set({ photoURL: ofUser! })
  const profile = { userId, education: '', address: '', phoneNumber: '', linkedIn: '' }
  await shop.db.insert(profiles).values({ ...profile, photoURL: ofProfile!.replace('.webp', '-640.jpg') })
  const review = { name: 'Ada', address: '', reviews: '', rating: 5 }
  await shop.db.insert(reviews).values({ ...review, image: ofReview! })

  await shop.db.delete(pictures)
  await deleteUnusedPictures(shop, tomorrow)
  expect((await there()).toSorted()).toEqual(urls.toSorted())

  await shop.db.update(parts).set({ views: [] })
  await shop.db.delete(reviews)
  await deleteUnusedPictures(shop, tomorrow)
  expect((await there()).toSorted()).toEqual([image, ofDeleted, ofUser, ofProfile].toSorted())
})

test('the pictures of a part that was deleted stay for 30 days, and go in two steps', async () => {
  const { shop, upload, kept, there } = await scene()
  const [image, view] = [await upload('#b03a1e'), await upload('#123456')]
  const part = await somePart(shop, { image, views: [view] })
  await shop.db.delete(pictures).where(eq(pictures.url, '/images/chain.webp'))
  await deleteProduct(shop, part._id)

  for (const later of [day, 2 * day, 30 * day - hour]) await deleteUnusedPictures(shop, Date.now() + later)
  expect(await there()).toHaveLength(2)
  expect(await marks(shop)).toEqual([false, false])

  await deleteUnusedPictures(shop, Date.now() + 30 * day + hour)
  await deleteUnusedPictures(shop, Date.now() + 30 * day + 1.5 * hour)
  expect(await there()).toHaveLength(2)
  expect(await marks(shop)).toEqual([true, true])
  await deleteUnusedPictures(shop, Date.now() + 30 * day + 3 * hour)
  expect([await kept(), await shop.db.$count(pictures)]).toEqual([[], 0])
})

test('the pictures of a part that was deleted stay for as long as an order names it, whatever became of that', async () => {
  const { shop, upload, kept, there } = await scene()
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  const urls = []
  const now = new Date().toISOString()
  const paid = { paidAt: now, transactionId: 'pi_1' }
  for (const [at, became] of [
    { paidAt: null },
    paid,
    { ...paid, shippedAt: now, transactionId: 'pi_2' },
    { expiredAt: now },
    { cancelledAt: now },
  ].entries()) {
    const [image, view] = [await upload(`#${at}0aa00`), await upload(`#${at}000aa`)]
    const { _id: partId } = await somePart(shop, { name: `Hub ${at}`, image, views: [view] })
    const order = await customer.placeOrder({ body: { ...purchase, partId, quantity: 10 } })
    await shop.db.update(orders).set(became).where(eq(orders._id, order._id))
    await deleteProduct(shop, partId)
    urls.push(image, view)
  }
  const year = 365 * day
  for (const later of [0, day, 2 * day]) await deleteUnusedPictures(shop, Date.now() + year + later)
  expect((await there()).toSorted()).toEqual(urls.toSorted())

  await shop.db.delete(orders)
  for (const later of [0, day]) await deleteUnusedPictures(shop, Date.now() + year + later)
  expect(await kept()).toEqual([])
})

test('a picture of a part that was deleted is shown by another only for as long as it is there', async () => {
  const { shop, upload, ask } = await scene()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const add = (name: string, more: { image: string; views?: string[] }) =>
    admin.addPart({ body: { ...rotor, name, ...more } })
  const [image, view, kept] = [await upload('#b03a1e'), await upload('#123456'), await upload('#654321')]
  const gone = await somePart(shop, { image, views: [view, kept] })
  await deleteProduct(shop, gone._id)

  await deleteUnusedPictures(shop, Date.now() + 29 * day)
  await add('Hub', { image: kept })
  await deleteUnusedPictures(shop, Date.now() + 31 * day)
  const refused = { status: 400, fields: { image: ['Please upload the picture first'] } }
  await expect(add('Rotor', { image })).rejects.toMatchObject(refused)
  await expect(add('Rotor', { image: kept, views: [view] })).rejects.toMatchObject({ status: 400 })
  await add('Rim', { image: kept })

  await deleteUnusedPictures(shop, Date.now() + 32 * day)
  await expect(add('Rotor', { image })).rejects.toMatchObject(refused)
  expect([await ask(image), await ask(view), await ask(kept)]).toEqual([404, 404, 200])
  expect(await upload('#b03a1e')).toBe(image)
  await add('Rotor', { image })
})

test('a picture is off the list of uploads before its file goes, so that no part shows a gap', async () => {
  const { shop, upload, ask } = await scene()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const first = await upload('#b03a1e')
  const second = await upload('#123456')

  await deleteUnusedPictures(shop, tomorrow)
  const late = admin.addPart({ body: { ...rotor, image: first } })
  await expect(late).rejects.toMatchObject({ fields: { image: ['Please upload the picture first'] } })

  // One that was on its way into the shop at that very moment.
  const part = await somePart(shop, { image: second })
  await deleteUnusedPictures(shop, tomorrow + 2 * hour)
  expect([await ask(first), await ask(second)]).toEqual([404, 200])

  // Off the part it is as any other: an hour passes before it goes.
  await shop.db.delete(parts).where(eq(parts._id, part._id))
  await deleteUnusedPictures(shop, tomorrow + 3 * hour)
  await deleteUnusedPictures(shop, tomorrow + 3.5 * hour)
  expect(await ask(second)).toBe(200)
  await deleteUnusedPictures(shop, tomorrow + 5 * hour)
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
  await deleteUnusedPictures(shop)
  await deleteUnusedPictures(shop)
  expect([await ask(url), await shop.db.$count(pictures)]).toEqual([200, 1])

  // Its file is there already, and what puts it on the list is still under way.
  await age()
  await deleteUnusedPictures(shop)
  await shop.images.store(await drawing('#b03a1e'))
  await deleteUnusedPictures(shop, Date.now() + 2 * hour)
  expect(await ask(url)).toBe(200)
})

test('what was never finished and what is left of a picture goes after a day, and nothing else does', async () => {
  const { shop, folder, kept } = await scene()
  const orphan = `${'a'.repeat(32)}-320.avif`
  for (const name of ['x.part', orphan, 'notes.txt', 'chain.webp']) await writeFile(join(folder, name), 'x')
  await purgeExpired(shop)
  expect(await kept()).toHaveLength(4)
  await purgeExpired(shop, tomorrow)
  expect(await kept()).toEqual(['/images/chain.webp', '/images/notes.txt'])
})
