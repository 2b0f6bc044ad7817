import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { decodeJwt, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { pictures, users } from '#db/schema.ts'
import { maxPictureBytes, pictureWidths } from '#shop/pictures/picture.ts'
import { createUpload } from '#shop/pictures/pictures.server.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { signToken } from '#shop/users/tokens.server.ts'
import { jpeg, notPictures, payload, png, polyglot } from '#test/pictures.ts'
import { clientOf, createUser } from '#test/shop.ts'
import {
  boundary,
  cleanUpUploads,
  fileHeaders,
  formOf,
  imageHeaders,
  multipart,
  rawForm,
  setUpUpload,
} from '#test/uploads.ts'

const minute = 60_000
const day = 24 * 60 * minute

afterEach(async () => {
  vi.useRealTimers()
  await cleanUpUploads()
})

function endless(begin: Uint8Array) {
  const chunk = new Uint8Array(64 * 1024)
  let bytes = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const next = bytes === 0 ? begin : chunk
    bytes += next.length
    controller.enqueue(next)
  }
  return { body: new ReadableStream({ pull }, { highWaterMark: 0 }), bytes: () => bytes }
}

test('an uploaded picture is re-encoded, served and accepted as a part’s image', async () => {
  const { shop, admin, send, folder, storedState } = await setUpUpload()
  const client = await clientOf(shop, admin)
  const { url } = await client.createUpload()
  const response = await send(formOf(await jpeg()), {}, url)
  const answer = await response.json()
  expect([response.status, answer]).toEqual([
    200,
    { success: true, data: { url: expect.stringMatching(/^\/images\/[0-9a-f]{32}\.webp$/) } },
  ])
  const { url: image } = answer.data
  const jpegs = pictureWidths.map((width) => image.replace('.webp', `-${width}.jpg`))
  const files = [...jpegs, image].map((path) => path.replace('/images/', '')).toSorted()
  expect(await storedState()).toEqual({ files, tempFiles: [], pictures: 1 })

  const served = await shop.images.fetch(new Request(`http://shop.test${image}`))
  expect(served.headers.get('content-type')).toBe('image/webp')
  const stored = await readFile(join(folder, image.replace('/images/', '')))
  expect(await served.bytes()).toEqual(new Uint8Array(stored))
  const part = { name: 'Rotor', shortDescription: 'Six-bolt', description: 'Stops quietly.' }
  const numbers = { minQuantity: 4, availableQuantity: 100, perUnitPrice: 38 }
  expect(await client.addPart({ body: { ...part, ...numbers, image } })).toHaveProperty('insertedId')
})

test('an invalid picture returns 400 and its key stays usable', async () => {
  const { send, expectRefused, storedState } = await setUpUpload()
  for (const [what, file, reason] of await notPictures()) {
    const response = await send(formOf(file))
    expect(await response.clone().json(), what).toMatchObject({
      message: reason,
      fields: { image: [reason] },
    })
    await expectRefused(response, 400, what)
  }
  expect((await send(formOf(await jpeg()))).status).toBe(200)
  expect(await storedState()).toMatchObject({ tempFiles: [], pictures: 1 })
})

test('the format is detected by content, not by name or type', async () => {
  const { send, storedState } = await setUpUpload()
  const picture = await (await png()).bytes()
  const responses = new Set()
  for (const [name, type] of [
    ['chain.png', 'image/png'],
    ['chain.exe', 'application/x-msdownload'],
    ['chain.txt', 'text/plain'],
    ['chain.svg', 'image/svg+xml'],
    ['chain', ''],
  ] as const) {
    const response = await send(formOf(new Blob([picture], { type }), name))
    expect(response.status, name).toBe(200)
    responses.add(await response.text())
  }
  expect(responses.size).toBe(1)
  expect(await storedState()).toMatchObject({ pictures: 1 })
})

test('a polyglot file is stored as a picture only', async () => {
  const { send, folder } = await setUpUpload()
  const both = await new Blob([await polyglot(), '<?php system($_GET["x"]); ?>']).bytes()
  expect(Buffer.from(both).includes(payload)).toBe(true)
  expect((await send(formOf(new Blob([both])))).status).toBe(200)
  const names = await readdir(folder)
  expect(names).toHaveLength(1 + pictureWidths.length)
  for (const name of names) {
    const stored = (await readFile(join(folder, name))).toString('latin1')
    expect(stored).not.toMatch(/script|php|polyglot/)
  }
})

test('the file name does not affect the storage path', async () => {
  const { send, rootFolder, storedState } = await setUpUpload()
  const picture = await (await jpeg()).bytes()
  const { url } = (await (await send(formOf(new Blob([picture])))).json()).data
  for (const name of [
    ...['../../etc/x.png', '..\\..\\etc\\x.png', '/etc/x.png', 'C:\\x.png', '..', '.', '', '0', '1'],
    ...[
      'a\0b.png',
      'a%00b.png',
      '%2e%2e%2fx.png',
      "'; drop table parts; --.png",
      'a\\"b.png',
      '\u202egnp.exe',
    ],
    ...['CON', '~/x.png', '$(touch x).png', '`x`.png', 'x'.repeat(10_000), '{}', 'a\r\nb.png'],
  ]) {
    const response = await send(rawForm([[fileHeaders('image', name), picture]]), multipart)
    expect([response.status, (await response.json()).data], name.slice(0, 40)).toEqual([200, { url }])
  }
  const hash = url.slice('/images/'.length, -'.webp'.length)
  const files = [...pictureWidths.map((width) => `${hash}-${width}.jpg`), `${hash}.webp`].toSorted()
  expect(await storedState()).toEqual({ files, tempFiles: [], pictures: 1 })
  expect((await readdir(rootFolder)).toSorted()).toEqual(['pictures', 'temp'])
})

test('a form that is incomplete or has not exactly one picture returns 400', async () => {
  const { send, expectRefused } = await setUpUpload()
  const picture = await (await jpeg()).bytes()
  const many = (headers: string, body: string | Uint8Array = 'x') =>
    rawForm(Array.from({ length: 1_000 }, () => [headers, body]))
  const whole = rawForm([[imageHeaders, picture]])
  const forms: Record<string, Uint8Array> = {
    'an empty body': Buffer.alloc(0),
    'no part': rawForm([]),
    'no field': rawForm([['Content-Disposition: form-data; name="other"', 'text']]),
    'another field': rawForm([[fileHeaders('picture', 'chain.jpg'), picture]]),
    'a field of another case': rawForm([[fileHeaders('Image', 'chain.jpg'), picture]]),
    'a field name with brackets': rawForm([[fileHeaders('image[]', 'chain.jpg'), picture]]),
    'a field without a name': rawForm([
      ['Content-Disposition: form-data; filename="chain.jpg"\r\nContent-Type: image/jpeg', picture],
    ]),
    text: rawForm([['Content-Disposition: form-data; name="image"', 'chain.jpg']]),
    'text that is a picture': rawForm([['Content-Disposition: form-data; name="image"', picture]]),
    'a picture twice': rawForm([
      [imageHeaders, picture],
      [imageHeaders, picture],
    ]),
    'two pictures, the second one empty': rawForm([
      [imageHeaders, picture],
      [imageHeaders, ''],
    ]),
    'a thousand pictures': many(imageHeaders, picture),
    'a thousand files': many(fileHeaders('other', 'x.jpg')),
    'a thousand fields': many('Content-Disposition: form-data; name="other"'),
    'a thousand parts with 99 headers each': many('X-Wheel: 1\r\n'.repeat(99)),
    'no part headers': rawForm([['', picture]]),
    'unterminated part headers': rawForm([['X-Wheel: '.padEnd(200_000, 'x'), picture]]),
    'another boundary': Buffer.from(whole.toString('latin1').replaceAll(boundary, '----other'), 'latin1'),
    'no closing boundary': rawForm([[imageHeaders, picture]], ''),
    'a truncated picture': whole.subarray(0, whole.length / 2),
    'another field, truncated': rawForm([[fileHeaders('other', 'x.jpg'), picture]]).subarray(0, 500),
    'a picture and a truncated one': rawForm([
      [imageHeaders, picture],
      [imageHeaders, new Uint8Array(100_000)],
    ]).subarray(0, -1_000),
    'another field and a truncated picture': rawForm([
      [fileHeaders('other', 'x.jpg'), picture],
      [imageHeaders, new Uint8Array(100_000)],
    ]).subarray(0, -1_000),
    'truncated part headers': whole.subarray(0, 60),
    'a truncated boundary': whole.subarray(0, 8),
    'no multipart body': picture,
    JSON: Buffer.from('{"image":"chain.jpg"}'),
  }
  for (const [what, form] of Object.entries(forms))
    await expectRefused(await send(new Uint8Array(form), multipart), 400, what)
  expect((await send(new Uint8Array(whole), multipart)).status).toBe(200)
})

test('a wrong content type returns 415 and a missing boundary 400', async () => {
  const { send, expectRefused } = await setUpUpload()
  const whole = new Uint8Array(rawForm([[imageHeaders, await (await jpeg()).bytes()]]))
  for (const type of [
    ...['', 'image/jpeg', 'application/json', 'application/octet-stream', 'text/plain', 'multipart/mixed'],
    ...['application/x-www-form-urlencoded', 'multipart', 'multipart/form-data-x', 'x multipart/form-data'],
  ])
    await expectRefused(await send(whole, { 'content-type': type }), 415, type)
  for (const type of [
    ...['multipart/form-data', 'multipart/form-data;', 'multipart/form-data; boundary'],
    ...['multipart/form-data; boundary=', `multipart/form-data; border=${boundary}`],
  ])
    await expectRefused(await send(whole, { 'content-type': type }), 400, type)
})

test('a picture of exactly 10 MB is accepted and one byte more returns 413', async () => {
  const { send, expectRefused } = await setUpUpload()
  const picture = await (await jpeg()).bytes()
  const sendPadded = (bytes: number) => {
    const padded = Buffer.concat([picture], bytes)
    return send(new Uint8Array(rawForm([[imageHeaders, padded]])), multipart)
  }
  await expectRefused(await sendPadded(maxPictureBytes + 1), 413)
  await expectRefused(await sendPadded(11 * 1024 * 1024), 413)
  expect((await sendPadded(maxPictureBytes)).status).toBe(200)
})

test('a body with an oversized content length or an invalid key is not read', async () => {
  const { url, send, expectRefused } = await setUpUpload()
  const begin = rawForm([[imageHeaders, '']], '')
  const oversized = endless(begin)
  await expectRefused(
    await send(oversized.body, { ...multipart, 'content-length': String(10 * 2 ** 20 + 64 * 1024 + 1) }),
    413,
  )
  const withoutKey = endless(begin)
  await expectRefused(await send(withoutKey.body, multipart, '/images/upload'), 401)
  const withWrongKey = endless(begin)
  await expectRefused(await send(withWrongKey.body, multipart, `${url}x`), 401)
  expect([oversized.bytes(), withoutKey.bytes(), withWrongKey.bytes()]).toEqual([0, 0, 0])
})

test('a body without a content length is read only up to the size limit', async () => {
  const { send, expectRefused } = await setUpUpload()
  for (const begin of [
    `--${boundary}\r\n${imageHeaders}\r\n\r\n`,
    `--${boundary}\r\n${fileHeaders('other', 'x.jpg')}\r\n\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="image"\r\n\r\n`,
    `--${boundary}--\r\n`,
    'no form at all',
  ]) {
    const { body, bytes } = endless(Buffer.from(begin))
    await expectRefused(await send(body, multipart), 413, begin)
    expect(bytes(), begin).toBeLessThan(11 * 1024 * 1024)
  }
})

test('only a valid key of a signed-in admin is accepted', async () => {
  const { shop, admin, url, send, expectRefused } = await setUpUpload()
  const picture = formOf(await jpeg())
  const [, validKey] = url.split('key=') as [string, string]
  const [head, claims, signature] = validKey.split('.') as [string, string, string]
  const customer = await createUser(shop, 'Ada')
  const signKey = (secret = shop.secret, ageMs = 0) =>
    new SignJWT({ tokenVersion: 0 })
      .setProtectedHeader({ alg: 'HS256', typ: 'upload+jwt' })
      .setSubject(admin._id)
      .setJti(crypto.randomUUID())
      .setAudience('upload')
      .setIssuedAt((Date.now() - ageMs) / 1000)
      .setExpirationTime((Date.now() - ageMs + 10 * minute) / 1000)
      .sign(secret)
  const unsigned = Buffer.from('{"alg":"none","typ":"upload+jwt"}').toString('base64url')
  const keys = {
    none: undefined,
    'an empty one': '',
    malformed: 'x',
    expired: await signKey(shop.secret, 11 * minute),
    'of another shop': await signKey(new Uint8Array(32).fill(8)),
    'with alg none': `${unsigned}.${claims}.`,
    'with an invalid signature': `${head}.${claims}.${signature.toUpperCase()}`,
    'with the claims of another user': `${head}.${(await signToken(shop, 'upload', { _id: customer._id, tokenVersion: 0 })).split('.')[1]}.${signature}`,
    'an access token': await signToken(shop, 'access', { _id: admin._id, tokenVersion: 0 }),
    'of a customer': (await createUpload(shop, customer)).url.split('key=')[1],
    'very long': 'x'.repeat(10_000),
  }
  for (const [what, key] of Object.entries(keys)) {
    const url = key === undefined ? '/images/upload' : `/images/upload?key=${key}`
    await expectRefused(await send(picture, {}, url), 401, what)
  }
  await expectRefused(await send(picture, {}, `/images/upload?key=%00`), 401)

  for (const [change, original] of [
    [{ role: 'customer' }, { role: 'admin' }],
    [{ tokenVersion: 1 }, { tokenVersion: 0 }],
  ] as const) {
    await shop.db.update(users).set(change).where(eq(users._id, admin._id))
    await expectRefused(await send(picture), 401, JSON.stringify(change))
    await shop.db.update(users).set(original).where(eq(users._id, admin._id))
  }
  expect((await send(picture, {}, `/images/upload?key=${await signKey()}`)).status).toBe(200)
  expect((await send(picture)).status).toBe(200)
})

test('an upload key expires after ten minutes', async () => {
  const { url, send, expectRefused } = await setUpUpload()
  const picture = formOf(await jpeg())
  const { exp } = decodeJwt(url.split('key=')[1]!)
  vi.useFakeTimers({ toFake: ['Date'], now: exp! * 1000 })
  expect(Date.now() - (decodeJwt(url.split('key=')[1]!).iat ?? 0) * 1000).toBe(10 * minute)
  await expectRefused(await send(picture), 401)
  vi.setSystemTime(exp! * 1000 - 1000)
  expect((await send(picture)).status).toBe(200)
})

test('a key accepts one picture and repeats of it', async () => {
  const { send, storedState } = await setUpUpload()
  const first = await (await send(formOf(await jpeg()))).json()
  expect(first).toMatchObject({ success: true })
  const before = await storedState()
  expect(await (await send(formOf(await jpeg(), 'again.jpg'))).json()).toEqual(first)

  const other = await send(formOf(await jpeg({ color: '#123456' })))
  expect([other.status, await other.json()]).toEqual([
    409,
    { success: false, message: expect.stringContaining('another photo') },
  ])
  expect(await storedState()).toEqual(before)
})

test('of two concurrent uploads with one key, one succeeds and the other is purged', async () => {
  const { shop, send, storedState } = await setUpUpload()
  const [one, other] = [formOf(await jpeg()), formOf(await jpeg({ color: '#123456' }))]
  const responses = await Promise.all([one, other, one, other].map((form) => send(form)))
  const [accepted, rejected] = [200, 409].map((status) => responses.filter((one) => one.status === status))
  expect([accepted!.length, rejected!.length]).toEqual([2, 2])
  const [first, again] = await Promise.all(accepted!.map((response) => response.json()))
  expect(again).toEqual(first)
  expect(await storedState()).toMatchObject({ tempFiles: [], pictures: 1 })

  const { url } = first.data
  expect(await shop.db.select({ url: pictures.url }).from(pictures)).toEqual([{ url }])
  await shop.db.update(users).set({ photoURL: url })
  await purgeExpired(shop, Date.now() + 2 * day)
  const hash = url.slice('/images/'.length, -'.webp'.length)
  expect((await storedState()).files.filter((name) => !name.startsWith(hash))).toEqual([])
  expect((await storedState()).files).toHaveLength(1 + pictureWidths.length)
})
