import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { profiles, reviews, users } from '#db/schema.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'

const form = {
  education: 'Mechanic',
  address: '1 Hub Road',
  phoneNumber: '5550100',
  photoURL: '/images/ada.webp',
  linkedIn: 'https://www.linkedin.com/in/ada',
}

/** Another customer has a profile and a photo already. */
async function setup() {
  const shop = await testShop()
  const bob = await createUser(shop, 'Bob')
  const ofBob = { ...form, userId: bob._id, photoURL: '/images/bob.webp' }
  await shop.db.insert(profiles).values(ofBob)
  const ada = await createUser(shop, 'Ada')
  return { shop, ada, client: await clientOf(shop, ada), params: { email: ada.email } }
}

test('readProfile returns an empty profile before the first save', async () => {
  const { client, ada } = await setup()
  const blank = { education: null, address: null, phoneNumber: null, photoURL: null, linkedIn: null }
  expect(await client.readProfile({ params: { email: 'ADA@Example.com' } })).toEqual({
    email: ada.email,
    emailConfirmedAt: ada.emailConfirmedAt,
    ...blank,
  })
})

test('updateProfile reports one modified row on the first and later saves', async () => {
  const { client, params } = await setup()
  expect(await client.updateProfile({ params, body: form })).toEqual({ modifiedCount: 1 })
  expect(await client.updateProfile({ params, body: { ...form, photoURL: '' } })).toEqual({
    modifiedCount: 1,
  })
  expect(await client.readProfile({ params })).toMatchObject({ education: 'Mechanic', photoURL: null })
})

test('a photo that is removed from the profile is removed from reviews, and another change keeps it there', async () => {
  const { shop, ada, client, params } = await setup()
  const image = '/images/ada.webp'
  const review = { userId: ada._id, name: 'Ada', address: 'Gdynia', reviews: 'Quiet.', rating: 5, image }
  const ofBob = { ...review, userId: null, image: '/images/bob.webp' }
  await shop.db.insert(reviews).values([ofBob, review])
  const images = async () => {
    const [bobs, ...adas] = await shop.db.select().from(reviews).orderBy(reviews.number)
    expect(bobs!.image).toBe(ofBob.image)
    return adas.map((row) => row.image)
  }
  for (const photoURL of ['', image, image])
    await client.updateProfile({ params, body: { ...form, photoURL, phoneNumber: '5550101' } })
  expect(await images()).toEqual([image])
  const remove = () => client.updateProfile({ params, body: { ...form, photoURL: '' } })
  await remove()
  expect(await images()).toEqual([null])

  // Of the account, without a profile, which then hides it.
  const eve = await createUser(shop, 'Eve')
  await shop.db.update(users).set({ photoURL: image }).where(eq(users._id, eve._id))
  await shop.db.insert(reviews).values({ ...review, userId: eve._id })
  const asEve = await clientOf(shop, eve)
  await asEve.updateProfile({ params: { email: eve.email }, body: { ...form, photoURL: '' } })
  expect(await images()).toEqual([null, null])

  // Of the account, which the profile hides already.
  await shop.db.update(users).set({ photoURL: image })
  await shop.db.insert(reviews).values(review)
  await remove()
  expect(await images()).toEqual([null, null, image])
})

test('updateProfile rejects unsafe URLs', async () => {
  const { client, params } = await setup()
  const unsafeUrls = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https:evil',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https://evil.\texample',
    'http://plain.example',
    'https://a:b@evil.example',
    'ada',
  ]
  for (const linkedIn of unsafeUrls) {
    const saved = client.updateProfile({ params, body: { ...form, linkedIn } })
    await expect(saved, linkedIn).rejects.toMatchObject({
      status: 400,
      fields: { linkedIn: [expect.any(String)] },
    })
  }
  const photo = client.updateProfile({ params, body: { ...form, photoURL: '/images/../secret' } })
  await expect(photo).rejects.toMatchObject({ status: 400 })
  expect(await client.readProfile({ params })).toMatchObject({ linkedIn: null })
})

test('text loses characters that change the direction of the text around it', async () => {
  const { client, params } = await setup()
  const address = '\u202e1 Hub\u2066 Road\u200f\x1b'.concat('\u0344\u0323'.repeat(9))
  await client.updateProfile({ params, body: { ...form, address } })
  expect(await client.readProfile({ params })).toMatchObject({
    address: `1 Hub Road${'\u0344\u0323'.repeat(4)}`,
  })
  const letters = '\u2800\u115f\u3164\uffa0\ufff0\ufffc\ue000\u{13441}\u{1d159}\u{e0fff}'
  for (const invisible of ['\u202e ', '\u200b\u2060', ...letters])
    await expect(
      client.updateProfile({ params, body: { ...form, address: invisible } }),
    ).rejects.toMatchObject({ fields: { address: ['Address is required'] } })
})

test('an admin can read another user’s profile but not change it', async () => {
  const { shop, params } = await setup()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  expect(await admin.readProfile({ params })).toMatchObject({ email: 'ada@example.com' })
  await expect(admin.updateProfile({ params, body: form })).rejects.toMatchObject({ status: 403 })
})
