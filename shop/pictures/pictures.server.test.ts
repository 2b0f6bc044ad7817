import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { orderLines, parts, pictures, profiles, reviews, users } from '#db/schema.ts'
import { folderStore } from '#providers/images/folder.ts'
import { storedImages } from '#providers/images/stored.ts'
import { commandLine } from '#shop/audit/record.server.ts'
import { deleteProduct } from '#shop/parts/edit.server.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { clientOf, createPart, createUser, purchase, type TestShop, testShop } from '#test/shop.ts'
import { pictureSizes } from './picture-sizes.server.ts'
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

async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-sweep-'))
  folders.push(folder)
  const images = storedImages(folderStore(folder))
  const shop = { ...(await testShop()), images }
  return {
    shop,
    folder,
    upload: async (background: string) =>
      (await uploadPicture(shop, await createPicture(background))).data.url,
    getStatus: async (url: string) => (await images.fetch(new Request(`http://shop.test${url}`))).status,
    listFiles: async () => (await readdir(folder)).map((name) => `/images/${name}`).sort(),
    listUrls: async () =>
      (await readdir(folder)).filter((name) => /^\w+\.webp$/.test(name)).map((name) => `/images/${name}`),
  }
}

async function readRemovalMarks({ db }: Pick<TestShop, 'db'>) {
  return (await db.select().from(pictures)).map(({ removedAt }) => removedAt !== null)
}

async function createPicture(background: string) {
  const picture = sharp({ create: { width: 20, height: 15, channels: 3, background } })
  return new Blob([new Uint8Array(await picture.png().toBuffer())])
}

test('all sizes of the new pictures of parts are made once, in the order of the parts', async () => {
  const { shop, upload } = await setup()
  const [photo, second, first, view] = [
    await upload('red'),
    await upload('green'),
    await upload('blue'),
    await upload('white'),
  ]
  await createPart(shop, { name: 'First', image: first, views: [view] })
  await createPart(shop, { name: 'Second', image: second })
  const [gone, removed] = [await upload('black'), await upload('pink')]
  await createPart(shop, { name: 'Gone', image: gone, deletedAt: new Date().toISOString() })
  await createPart(shop, { name: 'Third', image: removed })
  const removedAt = new Date().toISOString()
  await shop.db.update(pictures).set({ removedAt }).where(eq(pictures.url, removed))
  const made: string[] = []
  const images = { ...shop.images, prepareAllVariants: async (url: string) => void made.push(url) }
  const makePictureSizes = pictureSizes({ db: shop.db, images })
  await makePictureSizes()
  expect(made).toEqual([first, view, second])
  expect(made).not.toContain(photo)
  await makePictureSizes()
  expect(made).toHaveLength(3)

  const afterADay = pictureSizes({ db: shop.db, images })
  await afterADay(tomorrow)
  expect(made, 'older pictures get their sizes when they are viewed').toHaveLength(3)
})

test('a busy process makes the sizes of one picture each time', async () => {
  const { shop, upload } = await setup()
  for (const color of ['red', 'green', 'blue'])
    await createPart(shop, { name: color, image: await upload(color) })
  const made: string[] = []
  let isBusy = true
  const images = { ...shop.images, prepareAllVariants: async (url: string) => void made.push(url) }
  const makePictureSizes = pictureSizes({ db: shop.db, images }, () => () => isBusy)
  await makePictureSizes()
  expect(made).toHaveLength(1)
  isBusy = false
  await makePictureSizes()
  expect(made).toHaveLength(3)
})

test('deleteUnusedPictures removes an unused picture and its variants after a day, not earlier', async () => {
  const { shop, upload, getStatus, listFiles } = await setup()
  const url = await upload('#b03a1e')
  const variant = url.replace('.webp', '-320.avif')
  expect(await getStatus(variant)).toBe(200)

  const all = await listFiles()
  expect(all).toEqual(expect.arrayContaining([variant, url]))

  await deleteUnusedPictures(shop, Date.now() + 23 * hour)
  await deleteUnusedPictures(shop, Date.now() + 23 * hour)
  expect(await listFiles()).toEqual(all)

  await deleteUnusedPictures(shop, tomorrow)
  await deleteUnusedPictures(shop, tomorrow)
  expect(await listFiles()).toEqual(all)
  await deleteUnusedPictures(shop, tomorrow + 2 * hour)
  expect(await listFiles()).toEqual([])
  expect(await shop.db.$count(pictures)).toBe(0)
})

test('deleteUnusedPictures removes more pictures than a query has parameters', async () => {
  const { shop } = await setup()
  await shop.db.execute(
    sql`insert into pictures (url, created_at) select '/images/' || n || '.webp', now() from generate_series(1, 66000) n`,
  )
  await deleteUnusedPictures(shop, tomorrow)
  await deleteUnusedPictures(shop, tomorrow + 2 * hour)
  expect(await shop.db.$count(pictures)).toBe(0)
})

test('deleteUnusedPictures keeps every picture in use, in any size', async () => {
  const { shop, upload, listUrls } = await setup()
  const colours = ['#100000', '#200000', '#300000', '#400000', '#500000', '#600000']
  const urls = []
  for (const colour of colours) urls.push(await upload(colour))
  const [image, view, ofDeleted, ofUser, ofProfile, ofReview] = urls

  await createPart(shop, { image: image!, views: [view!] })
  const deletedPart = await createPart(shop, { name: 'Hub', image: ofDeleted! })
  await deleteProduct(shop, commandLine, deletedPart._id)
  const { _id: userId } = await createUser(shop, 'Ada')
  await shop.db.update(users).set({ photoURL: ofUser! })
  const profile = { userId, education: '', address: '', phoneNumber: '', linkedIn: '' }
  await shop.db.insert(profiles).values({ ...profile, photoURL: ofProfile!.replace('.webp', '-640.jpg') })
  const review = { name: 'Ada', address: '', reviews: '', rating: 5 }
  await shop.db.insert(reviews).values({ ...review, image: ofReview! })

  await shop.db.delete(pictures)
  await deleteUnusedPictures(shop, tomorrow)
  expect((await listUrls()).toSorted()).toEqual(urls.toSorted())

  await shop.db.update(parts).set({ views: [] })
  await shop.db.delete(reviews)
  await deleteUnusedPictures(shop, tomorrow)
  expect((await listUrls()).toSorted()).toEqual([image, ofDeleted, ofUser, ofProfile].toSorted())
})

test('pictures of a deleted part are kept for 30 days and then removed in two steps', async () => {
  const { shop, upload, listFiles, listUrls } = await setup()
  const [image, view] = [await upload('#b03a1e'), await upload('#123456')]
  const part = await createPart(shop, { image, views: [view] })
  await shop.db.delete(pictures).where(eq(pictures.url, '/images/chain.webp'))
  await deleteProduct(shop, commandLine, part._id)

  for (const later of [day, 2 * day, 30 * day - hour]) await deleteUnusedPictures(shop, Date.now() + later)
  expect(await listUrls()).toHaveLength(2)
  expect(await readRemovalMarks(shop)).toEqual([false, false])

  await deleteUnusedPictures(shop, Date.now() + 30 * day + hour)
  await deleteUnusedPictures(shop, Date.now() + 30 * day + 1.5 * hour)
  expect(await listUrls()).toHaveLength(2)
  expect(await readRemovalMarks(shop)).toEqual([true, true])
  await deleteUnusedPictures(shop, Date.now() + 30 * day + 3 * hour)
  expect([await listFiles(), await shop.db.$count(pictures)]).toEqual([[], 0])
})

test('pictures of a deleted part are kept while any order references it', async () => {
  const { shop, upload, listFiles, listUrls } = await setup()
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  const urls = []
  const now = new Date().toISOString()
  const paid = { paidAt: now, transactionId: 'pi_1' }
  for (const [i, change] of [
    { paidAt: null },
    paid,
    { ...paid, shippedAt: now, shippedQuantity: 10, transactionId: 'pi_2' },
    { expiredAt: now },
    { cancelledAt: now },
  ].entries()) {
    const [image, view] = [await upload(`#${i}0aa00`), await upload(`#${i}000aa`)]
    const { _id: partId } = await createPart(shop, { name: `Hub ${i}`, image, views: [view] })
    const order = await customer.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
    await shop.db.update(orderLines).set(change).where(eq(orderLines._id, order._id))
    await deleteProduct(shop, commandLine, partId)
    urls.push(image, view)
  }
  const year = 365 * day
  for (const later of [0, day, 2 * day]) await deleteUnusedPictures(shop, Date.now() + year + later)
  expect((await listUrls()).toSorted()).toEqual(urls.toSorted())

  await shop.db.delete(orderLines)
  for (const later of [0, day]) await deleteUnusedPictures(shop, Date.now() + year + later)
  expect(await listFiles()).toEqual([])
})

test('a picture of a deleted part can be reused until it is removed', async () => {
  const { shop, upload, getStatus } = await setup()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const add = (name: string, more: { image: string; views?: string[] }) =>
    admin.addPart({ body: { ...rotor, name, ...more } })
  const [image, view, kept] = [await upload('#b03a1e'), await upload('#123456'), await upload('#654321')]
  const deletedPart = await createPart(shop, { image, views: [view, kept] })
  await deleteProduct(shop, commandLine, deletedPart._id)

  await deleteUnusedPictures(shop, Date.now() + 29 * day)
  await add('Hub', { image: kept })
  await deleteUnusedPictures(shop, Date.now() + 31 * day)
  const refused = { status: 400, fields: { image: ['Upload the photo first'] } }
  await expect(add('Rotor', { image })).rejects.toMatchObject(refused)
  await expect(add('Rotor', { image: kept, views: [view] })).rejects.toMatchObject({ status: 400 })
  await add('Rim', { image: kept })

  await deleteUnusedPictures(shop, Date.now() + 32 * day)
  await expect(add('Rotor', { image })).rejects.toMatchObject(refused)
  expect([await getStatus(image), await getStatus(view), await getStatus(kept)]).toEqual([404, 404, 200])
  expect(await upload('#b03a1e')).toBe(image)
  await add('Rotor', { image })
})

test('a picture is unlisted before its file is deleted, so no part references a missing file', async () => {
  const { shop, upload, getStatus } = await setup()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const first = await upload('#b03a1e')
  const second = await upload('#123456')

  await deleteUnusedPictures(shop, tomorrow)
  const late = admin.addPart({ body: { ...rotor, image: first } })
  await expect(late).rejects.toMatchObject({ fields: { image: ['Upload the photo first'] } })

  // A part that was being added at that moment.
  const part = await createPart(shop, { image: second })
  await deleteUnusedPictures(shop, tomorrow + 2 * hour)
  expect([await getStatus(first), await getStatus(second)]).toEqual([404, 200])

  // Unused again: deleted an hour later.
  await shop.db.delete(parts).where(eq(parts._id, part._id))
  await deleteUnusedPictures(shop, tomorrow + 3 * hour)
  await deleteUnusedPictures(shop, tomorrow + 3.5 * hour)
  expect(await getStatus(second)).toBe(200)
  await deleteUnusedPictures(shop, tomorrow + 5 * hour)
  expect(await getStatus(second)).toBe(404)
})

test('a picture that is uploaded again is as new, even when it was marked as removed', async () => {
  const { shop, folder, upload, getStatus } = await setup()
  const url = await upload('#b03a1e')
  const twoDaysAgo = new Date(Date.now() - 48 * hour)
  const age = async () => {
    await utimes(join(folder, url.replace('/images/', '')), twoDaysAgo, twoDaysAgo)
    await shop.db.update(pictures).set({ createdAt: twoDaysAgo.toISOString() })
  }

  await age()
  await deleteUnusedPictures(shop)
  expect(await readRemovalMarks(shop)).toEqual([true])
  expect(await upload('#b03a1e')).toBe(url)
  await deleteUnusedPictures(shop)
  await deleteUnusedPictures(shop, Date.now() + 2 * hour)
  expect([await getStatus(url), await readRemovalMarks(shop)]).toEqual([200, [false]])

  // The file is stored, but the upload is not recorded yet.
  await age()
  await deleteUnusedPictures(shop)
  await shop.images.store(await createPicture('#b03a1e'))
  await deleteUnusedPictures(shop, Date.now() + 2 * hour)
  expect(await getStatus(url)).toBe(200)
})

test('purgeExpired removes partial uploads and orphaned variants after a day, and nothing else', async () => {
  const { shop, folder, listFiles } = await setup()
  const orphan = `${'a'.repeat(32)}-320.avif`
  for (const name of ['x.part', orphan, 'notes.txt', 'chain.webp']) await writeFile(join(folder, name), 'x')
  await purgeExpired(shop)
  expect(await listFiles()).toHaveLength(4)
  await purgeExpired(shop, tomorrow)
  expect(await listFiles()).toEqual(['/images/chain.webp', '/images/notes.txt'])
})
