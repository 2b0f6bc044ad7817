import { existsSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { pictures, profiles, rateLimits, reviews, users } from '#db/schema.ts'
import { demoReviews } from '#db/seed/reviews.ts'
import { ShopError } from '#shop/errors.ts'
import { deleteUnusedPictures } from '#shop/pictures/pictures.server.ts'
import type { Download } from '#shop/ports.ts'
import { signIn } from '#shop/users/users.server.ts'
import { openPhotoHost, photoURL } from '#test/photo-host.ts'
import { jpeg, notPictures } from '#test/pictures.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'
import {
  copySignInPhotos,
  importPhoto,
  ownPictureUrl,
  photoSide,
  replaceForeignPhotos,
} from './photos.server.ts'

const opened: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((host) => host.stop()))
})

const day = 24 * 60 * 60 * 1000
const ownURL = /^\/images\/[0-9a-f]{32}\.webp$/
const notLoaded = /^We couldn’t load a photo from this link\./
const form = {
  education: 'Mechanic',
  address: '1 Hub Road',
  phoneNumber: '5550100',
  linkedIn: 'https://www.linkedin.com/in/ada',
}
const review = { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }

async function setup(
  paths: Parameters<typeof openPhotoHost>[0] = {},
  options: Parameters<typeof testShop>[0] = {},
) {
  const host = await openPhotoHost(paths)
  opened.push(host)
  const shop = await testShop({ download: host.download, ...options })
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const params = { email: ada.email }
  return {
    shop,
    ada,
    client,
    requests: host.requests,
    save: (url: string) => client.updateProfile({ params, body: { ...form, photoURL: url } }),
    readPhoto: async () => (await client.readProfile({ params })).photoURL,
    showPicture: (url: string) => shop.images.fetch(new Request(`http://shop.test${url}`)),
    /** Signs in as Ada, with a photo at the identity provider. */
    async signInWith(photo: string | null) {
      const issuedAt = new Date()
      const idToken = { id: crypto.randomUUID(), issuedAt, expiresAt: new Date(Date.now() + day) }
      const account = { issuer: 'test', subject: 'Ada', name: 'Ada', email: ada.email, emailVerified: true }
      const person = { ...account, photoURL: photo, idToken }
      const { token } = await signIn(shop, person, ada.email)
      return decodeJwt(token).photoURL
    },
  }
}

test('updateProfile keeps a re-encoded copy of a photo elsewhere and fetches it once', async () => {
  const { save, readPhoto, showPicture, requests } = await setup({
    'photos.example/ada.jpg': await jpeg({ gps: true, width: 900, height: 600 }),
  })
  await save(photoURL)
  const copy = (await readPhoto())!
  expect(copy).toMatch(ownURL)
  const response = await showPicture(copy)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect((await sharp(await response.bytes()).metadata()).width).toBe(photoSide)
  expect(requests).toHaveLength(1)

  await save(copy)
  expect(await readPhoto()).toBe(copy)
  expect(requests).toHaveLength(1)
})

test('updateProfile rejects a photo that cannot be loaded, at its field, and saves nothing', async () => {
  const rejected = (await notPictures()).map(
    ([name, file, reason], i) =>
      [
        `photos.example/${i}.jpg`,
        file,
        name.includes('AVIF') ? 'Choose a JPEG, PNG or WebP photo.' : reason,
      ] as const,
  )
  const { save, client, ada, requests } = await setup(
    Object.fromEntries(rejected.map(([path, file]) => [path, file])),
  )
  const paths = rejected.map(([path]) => path)
  const unreachable = ['photos.example/missing.jpg', '127.0.0.1/', '169.254.169.254/latest']
  for (const [address, reason] of [
    ...unreachable.map((address) => [address, notLoaded] as const),
    ...rejected.map(
      ([path, _, reason]) => [path, /^Choose a JPEG, PNG, WebP/.test(reason) ? notLoaded : reason] as const,
    ),
  ]) {
    await expect(save(`https://${address}`), address).rejects.toMatchObject({
      status: 400,
      fields: { photoURL: [expect.stringMatching(reason)] },
    })
  }
  expect(requests).toEqual(['photos.example/missing.jpg', ...paths])
  expect(await client.readProfile({ params: { email: ada.email } })).toMatchObject({ education: null })
})

test('a failure of the picture storage is not reported as a bad address', async () => {
  const { shop, save } = await setup({ 'photos.example/ada.jpg': await jpeg() })
  shop.images.store = () =>
    Promise.reject(new ShopError('unavailable', 'We can’t load or save photos right now.'))
  await expect(save(photoURL)).rejects.toMatchObject({ status: 503, fields: {} })
})

test('a user can load 20 photos an hour, failures included', async () => {
  const { shop, save, client, requests } = await setup({}, { rateLimits: true })
  for (let i = 0; i < 20; i++) await expect(save(`${photoURL}?${i}`)).rejects.toMatchObject({ status: 400 })
  await expect(save(photoURL)).rejects.toMatchObject({ status: 429 })
  expect(requests).toHaveLength(20)
  await save('/images/chain.webp')
  await client.updateProfile({ params: { email: 'ada@example.com' }, body: { ...form, photoURL: '' } })

  const bob = await clientOf(shop, await createUser(shop, 'Bob'))
  const another = bob.updateProfile({
    params: { email: 'bob@example.com' },
    body: { ...form, photoURL },
  })
  await expect(another).rejects.toMatchObject({ status: 400 })
})

test('a network can load 40 photos an hour and 200 a day', async () => {
  const { shop } = await setup({}, { rateLimits: true })
  const load = (i: number, network = '2001:db8:1:1::/64') =>
    importPhoto(shop, { userId: `user ${i}`, network }, `${photoURL}?${i}`)
  for (let i = 0; i < 40; i++) await expect(load(i)).rejects.toMatchObject({ code: 'invalid' })
  await expect(load(41)).rejects.toMatchObject({ code: 'rate-limited' })
  await expect(load(41, '2001:db8:1:2::/64')).rejects.toMatchObject({ code: 'invalid' })

  await shop.db
    .update(rateLimits)
    .set({ points: sql`case when key like 'photo:86400:from:%:1::/64' then 200 else 0 end` })
  await expect(load(42)).rejects.toMatchObject({ code: 'rate-limited', retryAfter: expect.any(Number) })
  await expect(load(42, '2001:db8:1:2::/64')).rejects.toMatchObject({ code: 'invalid' })
})

async function slowHost() {
  const started: string[] = []
  const release = Promise.withResolvers<void>()
  const download: Download = async (url) => {
    started.push(url)
    await release.promise
    return jpeg()
  }
  const { shop } = await setup({}, { download })
  const statuses: string[] = []
  const load = (userId: string, network: string) =>
    importPhoto(shop, { userId, network }, `${photoURL}?${userId}`).catch((error) =>
      statuses.push(error.code),
    )
  return { started, release, statuses, load }
}

test('at most 8 photos are loaded at once, 16 wait, and further ones are rejected', async () => {
  const { started, release, statuses, load } = await slowHost()
  const loads = Array.from({ length: 30 }, (_, i) => load(`user ${i}`, `192.0.2.${i}`))
  await expect.poll(() => statuses).toEqual(Array(30 - 8 - 16).fill('unavailable'))
  expect(started).toHaveLength(8)
  release.resolve()
  await Promise.all(loads)
  expect(started).toHaveLength(8 + 16)
})

test('at most 2 photos of an account and 4 of a network are loaded at once', async () => {
  const { started, release, statuses, load } = await slowHost()
  const networks = ['2001:db8:1:1::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64']
  const loads = ['Ada', 'Bob', 'Cy'].flatMap((user, i) => [1, 2, 3].map(() => load(user, networks[i]!)))
  loads.push(load('Dot', '192.0.2.1'))
  const startedBy = (userId: string) => started.filter((url) => url.endsWith(userId)).length
  await expect.poll(() => ['Ada', 'Bob', 'Cy', 'Dot'].map(startedBy)).toEqual([2, 2, 0, 1])
  expect(statuses).toEqual(Array(5).fill('unavailable'))
  release.resolve()
  await Promise.all(loads)
  await load('Ada', networks[0]!)
  expect(started).toHaveLength(6)
})

test('a sign-in does not wait for its photo, which a job copies once', async () => {
  const { shop, client, signInWith, requests } = await setup({ 'photos.example/ada.jpg': await jpeg() })
  expect(await signInWith(photoURL)).toBeNull()
  expect(requests).toEqual([])
  await copySignInPhotos(shop)
  const copy = await signInWith(photoURL)
  expect(copy).toMatch(ownURL)
  await client.addReview({ body: review })
  expect((await client.listReviews()).rows[0]).toMatchObject({ image: copy })
  await copySignInPhotos(shop)
  expect(requests).toHaveLength(1)

  expect(await signInWith(`${photoURL}?new`)).toBeNull()
  expect(await signInWith(copy as string)).toBe(copy)
  await copySignInPhotos(shop)
  expect(requests).toHaveLength(1)
  expect(await signInWith(null)).toBeNull()
})

test('a photo that another sign-in replaces while it is copied is not used', async () => {
  let during = async () => {}
  const download: Download = async () => during().then(() => jpeg())
  const { shop, signInWith } = await setup({}, { download })
  await signInWith(photoURL)
  const newer = `${photoURL}?new`
  during = async () => void (await signInWith(newer))
  await copySignInPhotos(shop)
  expect(await shop.db.select().from(users)).toMatchObject([{ photoURL: null, photoSource: newer }])
})

test('a sign-in whose photo cannot be loaded has none, and it is tried again after the next one', async () => {
  const log = vi.spyOn(console, 'error')
  const { shop, signInWith, requests } = await setup({ 'photos.example/ada.jpg': new Blob(['<html>']) })
  for (const address of ['https://127.0.0.1/ada.jpg', photoURL]) {
    await signInWith(address)
    await copySignInPhotos(shop)
    await copySignInPhotos(shop)
    expect(await signInWith(address), address).toBeNull()
  }
  expect(requests).toHaveLength(1)
  await copySignInPhotos(shop)
  expect(requests).toHaveLength(2)
  expect(log).not.toHaveBeenCalled()
})

test('addresses of other hosts that an earlier release saved are never handed out, and are copied or removed', async () => {
  const { shop, ada, client, signInWith, readPhoto, requests } = await setup({
    'photos.example/ada.jpg': await jpeg(),
  })
  const missing = 'https://photos.example/missing.jpg'
  const { _id: userId } = ada
  const eve = await createUser(shop, 'Eve')
  const bob = await createUser(shop, 'Bob')
  const photosOf = async () =>
    (await shop.db.select().from(users).orderBy(users.number)).map((row) => [row.photoURL, row.photoSource])
  const own = { photoURL: '/images/bob.webp', photoSource: 'https://photos.example/bob.jpg' }
  for (const [values, { _id }] of [
    [{ photoURL }, ada],
    [{ photoURL: missing }, eve],
    [own, bob],
  ] as const)
    await shop.db.update(users).set(values).where(eq(users._id, _id))
  await shop.db.insert(profiles).values({ userId: bob._id, ...form, photoURL: own.photoURL })
  await shop.db.insert(profiles).values({ userId, ...form, photoURL: missing })
  const rows = [photoURL, missing, '/images/chain.webp', null]
  for (const image of rows) await shop.db.insert(reviews).values({ userId, name: 'Ada', ...review, image })
  const images = async () => (await client.listReviews()).rows.map(({ image }) => image).reverse()

  await client.addReview({ body: review })
  expect(await images()).toEqual([null, null, '/images/chain.webp', null, null])
  expect(await readPhoto()).toBeNull()
  expect(requests).toEqual([])

  await replaceForeignPhotos(shop)
  await replaceForeignPhotos(shop)
  const copy = expect.stringMatching(ownURL)
  expect(await images()).toEqual([copy, null, '/images/chain.webp', null, null])
  const profilePhotos = (await shop.db.select().from(profiles)).map((row) => row.photoURL)
  expect(profilePhotos.toSorted()).toEqual([own.photoURL, null])
  expect(await photosOf()).toEqual([
    [copy, photoURL],
    [null, null],
    [own.photoURL, own.photoSource],
  ])
  expect(await signInWith(photoURL)).toEqual(copy)
  expect(requests.toSorted()).toEqual(['photos.example/ada.jpg', 'photos.example/missing.jpg'])
})

test('a photo of a sign-in or an earlier release waits while the picture storage fails', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { shop, ada, client, signInWith } = await setup({ 'photos.example/ada.jpg': await jpeg() })
  await shop.db.insert(reviews).values({ userId: ada._id, name: 'Ada', ...review, image: photoURL })
  await signInWith(photoURL)
  const { store } = shop.images
  const source = async () => (await shop.db.select().from(users))[0]!.photoSource
  const during: unknown[] = []
  for (const error of [
    new ShopError('unavailable', 'We can’t load or save photos right now.'),
    new Error('ENOSPC'),
  ]) {
    shop.images.store = async () => {
      during.push(await source())
      throw error
    }
    await copySignInPhotos(shop)
    await replaceForeignPhotos(shop)
  }
  expect(log).toHaveBeenCalledTimes(2)
  expect(during, 'a picture that ends the process must not end it at each start').toContain(null)
  expect(await source()).toBe(photoURL)
  shop.images.store = store
  await copySignInPhotos(shop)
  await replaceForeignPhotos(shop)
  expect(await signInWith(photoURL)).toMatch(ownURL)
  expect((await client.listReviews()).rows[0]).toMatchObject({ image: expect.stringMatching(ownURL) })
})

test('deleteUnusedPictures removes a replaced photo and keeps the one in use', async () => {
  const { shop, save, readPhoto, showPicture, signInWith } = await setup({
    'photos.example/ada.jpg': await jpeg(),
    'photos.example/new.jpg': await jpeg({ color: '#123456' }),
    'photos.example/provider.jpg': await jpeg({ color: '#654321' }),
  })
  await save(photoURL)
  const replaced = (await readPhoto())!
  await save('https://photos.example/new.jpg')
  const current = (await readPhoto())!
  await signInWith('https://photos.example/provider.jpg')
  await copySignInPhotos(shop)
  const [{ photoURL: ofUser } = { photoURL: null }] = await shop.db.select().from(users)
  expect(await shop.db.$count(pictures)).toBe(3)

  for (const later of [day + 1, 2 * day, 3 * day]) await deleteUnusedPictures(shop, Date.now() + later)
  const status = async (url: string) => (await showPicture(url)).status
  expect(await Promise.all([replaced, current, ofUser!].map(status))).toEqual([404, 200, 200])
})

test('ownPictureUrl accepts the shop’s pictures and those of its image host', () => {
  const hosts = { origin: 'https://shop.example', imageOrigin: 'https://i.ibb.co' }
  const own = (url: string | null) => ownPictureUrl(hosts, url)
  expect(own('/images/chain.webp')).toBe('/images/chain.webp')
  expect(own('https://shop.example/images/chain.webp')).toBe('/images/chain.webp')
  for (const { image } of demoReviews) {
    expect(own(image)).toBe(image)
    expect(existsSync(`public${image}`), image).toBe(true)
  }
  expect(new Set(demoReviews.map(({ image }) => image)).size).toBe(12)
  expect(own('https://i.ibb.co/w04/chain.jpg')).toBe('https://i.ibb.co/w04/chain.jpg')
  const external = [
    ...['https://i.ibb.co.evil.example/x.jpg', 'https://shop.example.evil.example/images/x.webp'],
    ...['https://shop.example/api/reviews', '//evil.example/x.jpg', 'https://evil.example/x.jpg', '', null],
  ]
  for (const url of external) expect(own(url), String(url)).toBeNull()
  expect(ownPictureUrl({ ...hosts, imageOrigin: null }, 'https://i.ibb.co/w04/chain.jpg')).toBeNull()
})
