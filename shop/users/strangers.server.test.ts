import { expect, test } from 'vitest'
import { copySignInPhotos } from '#shop/photos/photos.server.ts'
import { checkUploadKey, createUpload } from '#shop/pictures/pictures.server.ts'
import type { Person } from '#shop/ports.ts'
import { confirmationToken } from '#test/identity.ts'
import { jpeg } from '#test/pictures.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'
import { confirmEmail, requestEmailConfirmation } from './confirmation.server.ts'
import type { Member } from './user.ts'
import { authenticate, removeAdmin, revokeTokens, signIn } from './users.server.ts'

// Like api/strangers.test.ts: a second account matches just as well, and is older.

test('each photo that came with a sign-in is copied to its own account', async () => {
  const colors: Record<string, string> = { bob: '#f00', ada: '#00f' }
  const shop = await testShop({
    download: (url) => jpeg({ color: colors[new URL(url).hostname.split('.')[0]!]! }),
  })
  const photoOf = async (name: string) => {
    const { token } = await signIn(
      shop,
      person(name, `https://${name}.example/me.jpg`),
      `${name}@mail.example`,
    )
    return (await authenticate(shop, token))!.photoURL
  }
  for (const name of ['bob', 'ada']) expect(await photoOf(name)).toBeNull()
  await copySignInPhotos(shop)
  const [bobs, adas] = [await photoOf('bob'), await photoOf('ada')]
  expect([bobs, adas]).toEqual([expect.any(String), expect.any(String)])
  expect(bobs).not.toBe(adas)
})

test('the same subject at another identity provider is another account', async () => {
  const shop = await testShop()
  const [one, other] = [person('ada'), { ...person('eve'), subject: 'ada', issuer: 'another' }]
  const first = await signIn(shop, one, one.email)
  const second = await signIn(shop, other, other.email)
  expect(await authenticate(shop, first.token)).toMatchObject({ email: 'ada@mail.example', name: 'ada' })
  expect(await authenticate(shop, second.token)).toMatchObject({ email: 'eve@mail.example', name: 'eve' })
  await revokeTokens(shop, other)
  expect(await authenticate(shop, second.token)).toBeNull()
  expect(await authenticate(shop, first.token)).toMatchObject({ name: 'ada' })
})

test('confirmation links of another account stay valid, and confirm nobody else', async () => {
  const shop = await testShop()
  const linkOf = async (name: string) => {
    const member = await createUser(shop, name, 'customer', { confirmed: false })
    await requestEmailConfirmation(shop, member)
    return { member, token: await confirmationToken(shop) }
  }
  const [bob, ada, eve] = [await linkOf('Bob'), await linkOf('Ada'), await linkOf('Eve')]
  await requestEmailConfirmation(shop, ada.member)
  await expect(confirmEmail(shop, ada.member, bob.token)).rejects.toMatchObject({ code: 'invalid' })
  await confirmEmail(shop, ada.member, await confirmationToken(shop))
  const isConfirmed = async ({ email, _id }: Member) =>
    (await (await clientOf(shop, { _id } as Member)).readProfile({ params: { email } })).emailConfirmedAt !==
    null
  expect(await Promise.all([bob, ada, eve].map(({ member }) => isConfirmed(member)))).toEqual([
    false,
    true,
    false,
  ])
  expect(await confirmEmail(shop, bob.member, bob.token)).toEqual({ modifiedCount: 1 })
})

test('the emails to another unconfirmed address do not count', async () => {
  const shop = await testShop({ rateLimits: true })
  const [bob, ada] = [
    await createUser(shop, 'Bob', 'customer', { confirmed: false }),
    await createUser(shop, 'Ada', 'customer', { confirmed: false }),
  ]
  for (let i = 0; i < 3; i++) await requestEmailConfirmation(shop, bob)
  await expect(requestEmailConfirmation(shop, bob)).rejects.toMatchObject({ code: 'rate-limited' })
  expect(await requestEmailConfirmation(shop, ada)).toEqual({ sentTo: ada.email })
})

test('an upload key is that of its admin, and ends with the role of that admin alone', async () => {
  const shop = await testShop()
  const [bob, ada] = [await createUser(shop, 'Bob', 'admin'), await createUser(shop, 'Ada', 'admin')]
  const keyOf = async (member: Member) =>
    new URL((await createUpload(shop, member)).url, shop.origin).searchParams.get('key')!
  const [bobs, adas] = [await keyOf(bob), await keyOf(ada)]
  await removeAdmin(shop, ada, ada.email)
  await expect(checkUploadKey(shop, adas)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await checkUploadKey(shop, bobs)).toEqual(expect.any(String))
})

function person(name: string, photoURL: string | null = null): Person {
  const issuedAt = new Date()
  const idToken = { id: crypto.randomUUID(), issuedAt, expiresAt: new Date(Date.now() + 300_000) }
  return {
    issuer: 'test',
    subject: name,
    name,
    email: `${name}@mail.example`,
    emailVerified: true,
    photoURL,
    idToken,
  }
}
