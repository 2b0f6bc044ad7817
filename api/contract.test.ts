import { expect, inject, test } from 'vitest'
import { signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'
import { testDatabase } from '#test/database.ts'
import { clientOf, createPart, createUser, purchase, type TestShop, testApi, testShop } from '#test/shop.ts'
import { type AccessRule, type AnyCall, pathOf } from './call.ts'
import { api } from './contract.ts'

const rows = Object.entries(api) as [string, AnyCall][]

/** Expected access per rule; the path has the owner's email and order. */
// biome-ignore format: a table
const allowed: Record<AccessRule, { visitor: boolean; stranger: boolean; owner: boolean; admin: boolean }> = {
  'anyone':      { visitor: true,  stranger: true,  owner: true,  admin: true  },
  'identity':    { visitor: false, stranger: false, owner: false, admin: false },
  'key':         { visitor: false, stranger: false, owner: false, admin: false },
  'member':      { visitor: false, stranger: true,  owner: true,  admin: true  },
  'self':        { visitor: false, stranger: false, owner: true,  admin: true  },
  'self only':  { visitor: false, stranger: false, owner: true,  admin: false },
  'owner':       { visitor: false, stranger: false, owner: true,  admin: true  },
  'owner only': { visitor: false, stranger: false, owner: true,  admin: false },
  'admin':       { visitor: false, stranger: false, owner: false, admin: true  },
}

test('the contract contains the 22 required calls', () => {
  const calls = rows.map(([, call]) => `${call.method} ${call.path.replace(/:\w+/g, '{}')}`)
  expect(calls).toEqual(
    expect.arrayContaining([
      'GET /admin/{}',
      'PUT /user/{}',
      'GET /reviews',
      'POST /reviews',
      'GET /part',
      'GET /part/{}',
      'POST /part',
      'POST /images/upload',
      'GET /products',
      'DELETE /products/{}',
      'GET /user',
      'PUT /user/admin/{}',
      'POST /purchase',
      'GET /purchase',
      'PATCH /shipped/{}',
      'DELETE /purchase/{}',
      'GET /myPurchase',
      'GET /profiles/{}',
      'PUT /profiles/{}',
      'GET /purchase/{}',
      'POST /create-payment-intent',
      'PATCH /purchase/{}',
    ]),
  )
})

const onServer = inject('postgresUrl') !== undefined

for (const [name, call] of rows) {
  const access = allowed[call.access]
  const users = ['visitor', 'stranger', 'owner', 'admin'] as const
  const [admitted, rejected] = [users.filter((who) => access[who]), users.filter((who) => !access[who])]
  const title = `${name}: ${call.method} ${call.path}`

  // The engines do not differ in what is refused before a statement.
  if (onServer && rejected.length > 0)
    test(`${title} rejects ${rejected.join(', ')} and invalid tokens, and changes nothing`, async () => {
      const current = await openFixture()
      for (const who of rejected) {
        const isAuthenticated = who !== 'visitor' && call.access !== 'identity' && call.access !== 'key'
        const rejectedStatus = call.access.startsWith('owner') ? 404 : 403
        const { status } = await send(current, call, current.tokens[who])
        expect({ who, status }).toEqual({ who, status: isAuthenticated ? rejectedStatus : 401 })
      }
      for (const [token, create] of Object.entries(badTokens())) {
        const { status } = await send(current, call, await create(current.shop, current.admin))
        expect({ token, status }).toEqual({ token, status: 401 })
      }
      expect(await keepUnchanged(current)).toBe(true)
    })

  for (const who of admitted)
    test(`${title} allows ${who}`, async () => {
      const current = await openFixture()
      const { status } = await send(current, call, current.tokens[who])
      expect([401, 403]).not.toContain(status)
      expect(status).toBeLessThan(500)
      if (call.access.startsWith('owner')) expect(status).not.toBe(404)
      await keepUnchanged(current)
    })
}

let fixture: Fixture | null = null

/** A fixture that no call has changed. */
async function openFixture() {
  // A failed test drops its database.
  const { db } = await testDatabase()
  const current = fixture?.shop.db === db ? fixture : await createFixture()
  fixture = null
  return current
}

/** Lets the next test use the fixture if no call has changed it, and returns whether that is so. */
async function keepUnchanged(current: Fixture) {
  const isUnchanged = (await digest(current.shop)) === current.digest
  if (isUnchanged) fixture = current
  return isUnchanged
}

interface Fixture {
  shop: TestShop
  api: ReturnType<typeof testApi>
  digest: string
  admin: Member
  owner: Member
  orderId: string
  partId: string
  tokens: Record<'visitor' | 'stranger' | 'owner' | 'admin', string | null>
}

async function createFixture(): Promise<Fixture> {
  const shop = await testShop()
  const [admin, owner, stranger] = [
    await createUser(shop, 'Admin', 'admin'),
    await createUser(shop, 'Owner'),
    await createUser(shop, 'Stranger'),
  ]
  const part = await createPart(shop)
  const client = await clientOf(shop, owner)
  const order = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  const tokenOf = (member: Member) => signToken(shop, 'access', { _id: member._id, tokenVersion: 0 })
  const tokens = {
    visitor: null,
    stranger: await tokenOf(stranger),
    owner: await tokenOf(owner),
    admin: await tokenOf(admin),
  }
  return {
    ...{ shop, admin, owner, orderId: order._id, partId: part._id, tokens },
    ...{ api: testApi(shop), digest: await digest(shop) },
  }
}

async function send({ api, owner, orderId, partId }: Fixture, call: AnyCall, token: string | null) {
  const path = pathOf(call)
    .replace(':email', encodeURIComponent(owner.email))
    .replace(':partId', partId)
    .replace(':id', call.path.startsWith('/products') ? partId : orderId)
    .replace(':document', 'pro-forma')
  const query = call.path.startsWith('/my') ? `?email=${owner.email}` : ''
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  return api.request(path + query, { method: call.method, ...(headers && { headers }) })
}

function badTokens(): Record<string, (shop: TestShop, admin: Member) => Promise<string> | string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = (admin: Member) => ({ sub: admin._id, aud: 'access', tokenVersion: 0, exp: 9_999_999_999 })
  const claimsOf = (admin: Member) => ({ _id: admin._id, tokenVersion: 0 })
  return {
    nonsense: () => 'nonsense',
    unsigned: (_, admin) => `${encode({ alg: 'none', typ: 'access+jwt' })}.${encode(payload(admin))}.`,
    'signed with another key': (shop, admin) =>
      signToken({ ...shop, secret: new Uint8Array(32).fill(8) }, 'access', claimsOf(admin)),
    'meant for uploads': (shop, admin) => signToken(shop, 'upload', claimsOf(admin)),
    revoked: (shop, admin) => signToken(shop, 'access', { ...claimsOf(admin), tokenVersion: -1 }),
    'of a missing user': (shop) => signToken(shop, 'access', { _id: 'gone', tokenVersion: 0 }),
  }
}

async function digest({ db }: TestShop) {
  const tables = [
    ...[
      'users',
      'profiles',
      'delivery_addresses',
      'parts',
      'basket_items',
      'saved_lists',
      'orders',
      'reviews',
      'messages',
      'pictures',
      'idempotency_keys',
      'outbox',
    ],
    ...['payments', 'refunds', 'ledger', 'order_events', 'invoices', 'shipments', 'bank.payment_intents'],
  ]
  const rows = tables.map((table) => `(select json_agg(t) from ${table} t)`)
  const result = (await db.execute(`select json_build_array(${rows}) as all`)) as unknown as {
    rows: object[]
  }
  return JSON.stringify(result.rows)
}
