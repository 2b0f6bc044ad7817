import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { rateLimits, users } from '#db/schema.ts'
import { accessChecks } from '#shop/access.server.ts'
import { signToken } from '#shop/users/tokens.server.ts'
import { shopWithOrder } from '#test/bank.ts'
import { clientOf, createPart, createUser, purchase, type TestShop, testApi, testShop } from '#test/shop.ts'
import { createClient } from './client.ts'
import { api } from './contract.ts'
import { handlers } from './handlers.ts'
import { createApi } from './server.ts'

const optionsOf = (shop: TestShop) => {
  return { access: accessChecks(shop), limits: shop, clientAddress: () => '192.0.2.1' }
}

async function tokenOfAdmin(shop: TestShop) {
  const admin = await createUser(shop, 'Boss', 'admin')
  return { admin, token: await signToken(shop, 'access', { _id: admin._id, tokenVersion: 0 }) }
}

async function setup() {
  const shop = await testShop()
  const part = await createPart(shop)
  const ada = await createUser(shop, 'Ada')
  const token = await signToken(shop, 'access', { _id: ada._id, tokenVersion: 0 })
  return { shop, part, ada, token, client: await clientOf(shop, ada) }
}

function post(shop: TestShop, path: string, token: string, body: BodyInit, type = 'application/json') {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  return testApi(shop).request(path, { method: 'POST', headers, body })
}

test('malformed JSON returns 400 with a readable message', async () => {
  const { shop, token } = await setup()
  const response = await post(shop, '/api/purchase', token, '{"quantity": 10')
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ message: 'The request body is not valid JSON.' })
})

test('a body that is not an object returns 400', async () => {
  const { shop, token } = await setup()
  for (const body of ['[]', '"text"', '7', 'null', 'true', '{}']) {
    expect((await post(shop, '/api/purchase', token, body)).status, body).toBe(400)
  }
})

test('a body that is not application/json returns 415', async () => {
  const { shop, token } = await setup()
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
  ]) {
    expect((await post(shop, '/api/purchase', token, '{}', type)).status, type).toBe(415)
  }
  for (const type of ['Application/JSON', 'application/json; charset=utf-8', 'application/json ;x'])
    expect((await post(shop, '/api/purchase', token, '{}', type)).status, type).toBe(400)
})

test('the email in a path decides about access, whatever the query says', async () => {
  const { shop, ada, token } = await setup()
  const { email } = await createUser(shop, 'Bob')
  const path = `/api/profiles/${email}?email=${ada.email}`
  const response = await testApi(shop).request(path, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(403)
})

test('a list that is sent in batches is valid JSON, also when some are empty', async () => {
  const shop = await testShop()
  const { admin, token } = await tokenOfAdmin(shop)
  const users = ['a', 'b', 'c'].map((_id) => ({ ...admin, _id, tags: [] }))
  const send = async (batches: (typeof users)[]) => {
    const rows = (async function* () {
      yield* batches
    })()
    const listUsers = async () => ({ batches: rows, total: 3 })
    const options = optionsOf(shop)
    const app = createApi({ listUsers: api.listUsers }, { listUsers }, options)
    const response = await app.request('/api/user', { headers: { authorization: `Bearer ${token}` } })
    expect(response.headers.get('x-total-count')).toBe('3')
    return ((await response.json()) as typeof users).map(({ _id }) => _id)
  }
  const [a, ...others] = users
  expect(await send([[], [a!], [], others])).toEqual(['a', 'b', 'c'])
  expect(await send([])).toEqual([])
})

test('missing fields return the form’s validation messages', async () => {
  const { shop, part, token } = await setup()
  for (const quantity of [undefined, null, ' ']) {
    const response = await post(shop, '/api/purchase', token, JSON.stringify({ partId: part._id, quantity }))
    expect(response.status).toBe(400)
    expect((await response.json()).fields).toEqual({
      address: ['Address is required'],
      phoneNumber: ['Phone Number is required'],
      quantity: ['Quantity is required'],
    })
  }
})

test('fields of the wrong type return 400 and are not coerced', async () => {
  const { shop, part, token } = await setup()
  for (const quantity of [
    10.5,
    '10.5',
    '1e1',
    '0x10',
    '12abc',
    ' ',
    [10],
    true,
    { $gt: 0 },
    2 ** 53,
    '9'.repeat(20),
  ]) {
    const body = JSON.stringify({ ...purchase, partId: part._id, quantity })
    expect((await post(shop, '/api/purchase', token, body)).status, JSON.stringify(quantity)).toBe(400)
  }
})

test('unknown fields are ignored', async () => {
  const { client, part, ada } = await setup()
  const extra = {
    paid: true,
    shipping: true,
    transactionId: 'x',
    _id: 'mine',
    email: 'eve@example.com',
    userId: 'eve',
  }
  const order = await client.placePurchase({
    body: { ...purchase, partId: part._id, quantity: 10, ...extra },
  })
  expect(order).toMatchObject({
    paid: false,
    shipping: false,
    transactionId: null,
    email: ada.email,
    name: 'Ada',
  })
  expect(order._id).not.toBe('mine')
})

test('a NUL character returns 400', async () => {
  const { shop, part, token } = await setup()
  const body = JSON.stringify({ ...purchase, partId: part._id, quantity: 10, address: 'a\0b' })
  expect((await post(shop, '/api/purchase', token, body)).status).toBe(400)
  for (const path of ['/api/part?q=%00', '/api/part/%00']) {
    expect((await testApi(shop).request(path)).status, path).toBe(400)
  }
})

test('unknown or malformed ids return 404', async () => {
  const { shop } = await setup()
  for (const id of [
    '0',
    '-1',
    "'",

    '..%2f1',
    '%7B%22$ne%22:null%7D',
    'x'.repeat(10_000),
    '%E0%A4%A',
  ]) {
    expect((await testApi(shop).request(`/api/part/${id}`)).status, id.slice(0, 20)).toBe(404)
  }
})

test('an unknown path returns 404 and an unknown method 405', async () => {
  const { shop } = await setup()
  const unknown = await testApi(shop).request('/api/nothing')
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { message: 'This endpoint doesn’t exist. See /api/docs.' },
  ])
  expect((await testApi(shop).request('/api/part', { method: 'DELETE' })).status).toBe(405)
})

test('path variants do not bypass authorization', async () => {
  const { shop, token } = await setup()
  for (const path of [
    '/api//products',
    '/api/products/',
    '/api/%70roducts',
    '/api/products;x',
    '/api/PRODUCTS',
    '/api/./products',
  ]) {
    const response = await testApi(shop).request(path, { headers: { authorization: `Bearer ${token}` } })
    expect([403, 404, 405], path).toContain(response.status)
  }
})

test('a repeated query parameter returns 400', async () => {
  const { shop, token, ada } = await setup()
  const path = `/api/myPurchase?email=${ada.email}&email=eve@example.com`
  expect((await testApi(shop).request(path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
    400,
  )
})

test('a list response has the total in X-Total-Count', async () => {
  const { shop } = await setup()
  await createPart(shop, { name: 'Rotor' })
  const response = await testApi(shop).request('/api/part?limit=1')
  expect(response.headers.get('x-total-count')).toBe('2')
  expect(await response.json()).toHaveLength(1)
})

test('a private response is not cacheable', async () => {
  const { shop, ada, token } = await setup()
  const headers = { authorization: `Bearer ${token}` }
  const response = await testApi(shop).request(`/api/myPurchase?email=${ada.email}`, { headers })
  expect(response.headers.get('cache-control')).toBe('no-store')
  const cacheOf = async (path: string) => (await testApi(shop).request(path)).headers.get('cache-control')
  expect([await cacheOf('/api/part'), await cacheOf('/api/part/none')]).toEqual(['no-cache', 'no-store'])
})

test('an unexpected error returns 500 without internal details', async () => {
  const { shop, part } = await setup()
  const broken = { ...shop, db: undefined as never }
  const response = await testApi(broken).request(`/api/part/${part._id}`)
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ message: 'Something went wrong. Try again.' })
})

test('the eleventh message within an hour returns 429', async () => {
  const shop = await testShop({ rateLimits: true })
  const client = await clientOf(shop)
  const body = { name: 'Ada', email: 'ada@example.com', phone: '5550100', message: 'Do you ship to islands?' }
  for (let i = 0; i < 10; i++) await client.sendMessage({ body })
  await expect(client.sendMessage({ body })).rejects.toMatchObject({
    status: 429,
    message: 'Too many attempts. Try again in 60 minutes.',
  })
})

test('failed calls do not count towards the rate limit', async () => {
  const shop = await testShop({ rateLimits: true })
  const part = await createPart(shop)
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const body = { ...purchase, partId: part._id, quantity: 1 }
  const expire = new Date(Date.now() + 3_600_000)
  await shop.db.insert(rateLimits).values({ key: `placePurchase:by:${ada._id}`, points: 119, expire })
  for (let i = 0; i < 3; i++)
    await expect(client.placePurchase({ body })).rejects.toMatchObject({ status: 400 })
  expect(await client.placePurchase({ body: { ...body, quantity: 10 } })).toMatchObject({ quantity: 10 })
})

test('users of one network do not use up the limits of each other', async () => {
  const shop = await testShop({ rateLimits: true })
  const body = { address: 'Bremen', reviews: 'Good parts.', rating: 5 }
  const review = async (name: string, times: number) => {
    const client = await clientOf(shop, await createUser(shop, name))
    for (let i = 0; i < times; i++) await client.addReview({ body })
    return client
  }
  const ada = await review('Ada', 10)
  await expect(ada.addReview({ body })).rejects.toMatchObject({ status: 429 })
  await review('Bob', 10)
})

test('a network is limited to the calls of several users, and reviews to those of three', async () => {
  const shop = await testShop({ rateLimits: true })
  const client = await clientOf(shop, await createUser(shop, 'Ada'))
  const body = { address: 'Bremen', reviews: 'Good parts.', rating: 5 }
  const expire = new Date(Date.now() + 3_600_000)
  await shop.db.insert(rateLimits).values({ key: 'addReview:from:192.0.2.1', points: 29, expire })
  await client.addReview({ body })
  await expect(client.addReview({ body })).rejects.toMatchObject({ status: 429 })
})

test('attempts to pay are limited even when they are refused, because each asks the card provider', async () => {
  const { shop, ada, client, order, start } = await shopWithOrder({ rateLimits: true })
  const transactionId = (await start()).clientSecret.split('_secret_')[0]!
  const expire = new Date(Date.now() + 3_600_000)
  const pay = () => client.payPurchase({ params: { id: order._id }, body: { transactionId } })
  await shop.db.insert(rateLimits).values({ key: `payPurchase:by:${ada._id}`, points: 239, expire })
  await expect(pay()).rejects.toMatchObject({ status: 402 })
  await expect(pay()).rejects.toMatchObject({ status: 429 })
})

test('an unreachable database returns 503 with Retry-After', async () => {
  const pool = new pg.Pool({ connectionString: 'postgres://shop@127.0.0.1:1/shop' })
  const shop = { ...(await testShop()), db: drizzle(pool) as unknown as TestShop['db'] }
  const response = await testApi(shop).request('/api/part')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  await pool.end()
})

test('integers beyond the range of the database return 400', async () => {
  const { shop, token } = await setup()
  for (const price of [999_999_999_999_999, -99_999_999_999, '99999999999'])
    expect(
      (
        await testApi(shop).request('/api/create-payment-intent', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ price }),
        })
      ).status,
      String(price),
    ).toBe(400)
})

test('four requests of an account are handled at a time, and those of others do not wait', async () => {
  const { shop, token } = await setup()
  const bob = await createUser(shop, 'Bob')
  const bobsToken = await signToken(shop, 'access', { _id: bob._id, tokenVersion: 0 })
  const started: string[] = []
  const release = Promise.withResolvers<void>()
  const list = async ({ user }: { user: { name: string } }) => {
    started.push(user.name)
    await release.promise
    return { rows: [], total: 0 }
  }
  const app = createApi(api, { ...handlers(shop), listMyPurchases: list }, optionsOf(shop))
  const get = (email: string, token: string) =>
    app.request(`/api/myPurchase?email=${email}`, { headers: { authorization: `Bearer ${token}` } })
  const responses = Array.from({ length: 6 }, () => get('ada@example.com', token))
  await expect.poll(() => started).toHaveLength(4)
  responses.push(get('bob@example.com', bobsToken))
  await expect.poll(() => started).toEqual(['Ada', 'Ada', 'Ada', 'Ada', 'Bob'])
  release.resolve()
  for (const response of responses) expect((await response).status).toBe(200)
  expect(started).toHaveLength(7)
})

test('a request that waited for others of its account is refused when its role has ended meanwhile', async () => {
  const { shop } = await setup()
  const { admin, token } = await tokenOfAdmin(shop)
  const release = Promise.withResolvers<void>()
  let started = 0
  const listUsers = async () => {
    started += 1
    await release.promise
    return { rows: [], total: 0 }
  }
  const app = createApi(api, { ...handlers(shop), listUsers }, optionsOf(shop))
  const get = async () =>
    (await app.request('/api/user', { headers: { authorization: `Bearer ${token}` } })).status
  const statuses = Array.from({ length: 5 }, get)
  await expect.poll(() => started).toBe(4)
  await shop.db.update(users).set({ role: 'customer' }).where(eq(users._id, admin._id))
  release.resolve()
  expect((await Promise.all(statuses)).toSorted()).toEqual([200, 200, 200, 200, 403])
})

test('a large request is refused when the role of its account has ended while it arrived', async () => {
  const { shop } = await setup()
  const { admin, token } = await tokenOfAdmin(shop)
  const body = new ReadableStream(
    {
      // Read once the account has been checked.
      async pull(controller) {
        await shop.db.update(users).set({ role: 'customer' }).where(eq(users._id, admin._id))
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ csv: 'Part number\r\n' })))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body, duplex: 'half' }
  expect((await testApi(shop).request('/api/product-imports/preview', request)).status).toBe(403)
})

test('a file that is cut off is an error for the client, however much of it has arrived', async () => {
  const shop = await testShop()
  async function* chunks() {
    yield 'Email\r\n'
    throw new Error('cut')
  }
  const exportUsers = async () => ({ name: 'users.csv', type: 'text/csv', chunks: chunks() })
  const contract = { exportUsers: api.exportUsers }
  const options = optionsOf(shop)
  const app = createApi(contract, { exportUsers }, options)
  vi.spyOn(console, 'error').mockReturnValue()
  const { token } = await tokenOfAdmin(shop)
  const client = createClient(contract, {
    origin: 'http://shop.test',
    token: () => token,
    send: (request) => app.fetch(request),
  })
  await expect(client.exportUsers()).rejects.toMatchObject({ status: 0 })
})
