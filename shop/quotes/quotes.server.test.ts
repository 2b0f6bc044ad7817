import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { idempotencyKeys, orders, quotes } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  readStock,
  testShop,
} from '#test/shop.ts'
import { acceptQuote } from './accept.server.ts'
import { withdrawQuote } from './quotes.server.ts'

const later = '2099-12-31'

/** Chains cost $7 each, are sold by 10 or more, and 50 are in stock; tubes cost $3. */
async function setup(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const [chain, tube] = [await createPart(shop), await createPart(shop, { name: 'Tube', perUnitPrice: 3 })]
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin, visitor] = [
    await clientOf(shop, ada),
    await clientOf(shop, boss),
    await clientOf(shop),
  ]
  const lines = [
    { partId: chain._id, quantity: 20, unitPrice: 6 },
    { partId: tube._id, quantity: 10, unitPrice: 2 },
  ]
  const form = { email: ada.email, name: 'Ada', validUntil: later, note: 'As we said by phone.', lines }
  const add = async (change: object = {}) =>
    (await admin.addQuote({ body: { ...form, ...change } })).insertedId
  const readToken = async () => {
    const [email] = (await shop.mail.read({})).rows
    return /\/quote\/([\w-]+)/.exec(email!.text)![1]!
  }
  const send = async (change: object = {}) => {
    const id = await add(change)
    await admin.sendQuote({ params: { id } })
    return { id, token: await readToken() }
  }
  const accept = (token: string, by = client) =>
    by.acceptQuote({ params: { token }, body: { ...purchase, saveAddress: false } })
  const stateOf = async (id: string) => (await admin.readQuote({ params: { id } })).state
  return { shop, chain, tube, ada, boss, client, admin, visitor, form, add, send, accept, readToken, stateOf }
}

test('a draft is changed, sent with a link, read without an account, and accepted at its own prices', async () => {
  const { shop, chain, ada, admin, client, visitor, form, add, accept, readToken, stateOf } = await setup()
  const id = await add()
  const [line] = form.lines
  await admin.updateQuote({ params: { id }, body: { ...form, lines: [line!], version: 1 } })
  expect(await admin.readQuote({ params: { id } })).toMatchObject({ number: 1, state: 'draft', total: 120 })
  expect(await admin.sendQuote({ params: { id } })).toEqual({ modifiedCount: 1 })
  expect(await admin.sendQuote({ params: { id } })).toEqual({ modifiedCount: 0 })
  const { rows, total } = await shop.mail.read({})
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    to: ada.email,
    subject: 'Quote 1 from Winged Wheels: $120',
    text: expect.stringMatching(/20 × Chain at \$6 each: \$120\nTotal: \$120(.|\n)*until 31 December 2099/),
  })
  const token = await readToken()
  expect(await visitor.readSentQuote({ params: { token } })).toEqual({
    number: 1,
    email: ada.email,
    name: 'Ada',
    validUntil: later,
    note: 'As we said by phone.',
    lines: [{ ...line, parts: 'Chain' }],
    total: 120,
    state: 'sent',
  })
  const order = await accept(token)
  expect(order).toMatchObject({
    number: '1001',
    price: 120,
    lines: [{ parts: 'Chain', quantity: 20, price: 120 }],
  })
  expect(await readStock(shop, chain)).toBe(30)
  expect(await stateOf(id)).toBe('accepted')
  expect(await payOrderByCard(shop, ada, { ...order.lines[0]!, price: 120 })).toMatchObject({ paid: true })
  expect((await client.listDocuments({ params: { id: order._id } }))[0]).toMatchObject({
    lines: [{ unitPrice: 6, amount: 120 }],
  })
  const { rows: changes } = await admin.listAuditLog({ body: { subjectKind: 'quote' } })
  expect(changes.map(({ action }) => action)).toEqual(['sendQuote', 'updateQuote', 'addQuote'])
})

test('a quote becomes one order: in two tabs, at the same time, and after its idempotency key is gone', async () => {
  const { shop, chain, ada, send, accept } = await setup()
  const { token } = await send()
  const orders1 = await Promise.all([1, 2, 3].map(() => acceptQuote(shop, ada, token, purchase)))
  expect(new Set(orders1.map(({ number }) => number))).toEqual(new Set(['1001']))
  await shop.db.delete(idempotencyKeys)
  expect(await accept(token)).toMatchObject({ number: '1001' })
  expect(await shop.db.$count(orders)).toBe(1)
  expect(await readStock(shop, chain)).toBe(30)
})

test('only the account of its email address can accept a quote', async () => {
  const { shop, send, accept, visitor } = await setup()
  const { token } = await send()
  const bob = await clientOf(shop, await createUser(shop, 'Bob'))
  await expect(accept(token, bob)).rejects.toMatchObject({
    status: 403,
    message: 'This quote is for ada@example.com. Sign in with that address to accept it.',
  })
  await expect(accept(token, visitor)).rejects.toMatchObject({ status: 401 })
  for (const wrong of [`${token}a`, 'x'])
    await expect(visitor.readSentQuote({ params: { token: wrong } })).rejects.toMatchObject({ status: 404 })
  const [row] = await shop.db.select().from(quotes)
  expect(row!.tokenHash).not.toContain(token)
  expect(await shop.db.$count(orders)).toBe(0)
})

test('a quote that is withdrawn or whose date is over is not accepted', async () => {
  const { shop, admin, visitor, send, accept, stateOf } = await setup()
  const [withdrawn, over] = [await send(), await send()]
  await admin.withdrawQuote({ params: { id: withdrawn.id } })
  await shop.db.update(quotes).set({ validUntil: '2020-01-31' }).where(eq(quotes._id, over.id))
  expect([await stateOf(withdrawn.id), await stateOf(over.id)]).toEqual(['withdrawn', 'expired'])
  await expect(accept(withdrawn.token)).rejects.toMatchObject({ status: 409, message: /withdrawn/ })
  await expect(accept(over.token)).rejects.toMatchObject({ status: 409, message: /until 31 January 2020/ })
  expect(await visitor.readSentQuote({ params: { token: over.token } })).toMatchObject({ state: 'expired' })
  for (const [state, id] of [
    ['withdrawn', withdrawn.id],
    ['expired', over.id],
  ] as const)
    expect((await admin.listQuotes({ body: { state } })).rows.map(({ _id }) => _id)).toEqual([id])
  expect(await shop.db.$count(orders)).toBe(0)
})

test('an accepted quote cannot be withdrawn, and its order that expires or is cancelled does not revive it', async () => {
  const { shop, chain, admin, client, send, accept, stateOf } = await setup()
  const { id, token } = await send()
  const order = await accept(token)
  await expect(admin.withdrawQuote({ params: { id } })).rejects.toMatchObject({
    status: 409,
    message: 'The customer has accepted this quote: order #1001.',
  })
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  expect(await accept(token)).toMatchObject({ number: '1001', expired: true })
  await client.cancelOrder({ params: { id: order._id } })
  await expect(accept(token)).rejects.toMatchObject({ status: 404 })
  expect(await stateOf(id)).toBe('accepted')
  expect(await readStock(shop, chain)).toBe(50)
  expect(await shop.db.$count(orders)).toBe(1)
})

test('a quote cannot be withdrawn while its order is being placed', async () => {
  const { shop, boss, send, stateOf } = await setup()
  const { id } = await send()
  await shop.db.update(quotes).set({ acceptingUntil: sql`now() + interval '1 minute'` })
  await expect(withdrawQuote(shop, boss, id)).rejects.toMatchObject({ code: 'conflict' })
  await shop.db.update(quotes).set({ acceptingUntil: sql`now() - interval '1 minute'` })
  await withdrawQuote(shop, boss, id)
  expect(await stateOf(id)).toBe('withdrawn')
})

test('a quote goes below the minimum only when the admin said so, and never above the stock', async () => {
  const { chain, form, add, send, accept, stateOf } = await setup()
  const few = { lines: [{ partId: chain._id, quantity: 3, unitPrice: 9 }] }
  await expect(add(few)).rejects.toMatchObject({
    status: 400,
    fields: { 'lines.0.quantity': ['Purchase atleast minimum 10 quantity.'] },
  })
  const { token } = await send({ ...few, belowMinimum: true })
  expect(await accept(token)).toMatchObject({ price: 27 })
  const many = await send({ lines: [{ ...form.lines[0]!, quantity: 60 }] })
  await expect(accept(many.token)).rejects.toMatchObject({
    status: 400,
    fields: { 'lines.0.quantity': ["Purchase can't be higher than 47 available quantity."] },
  })
  expect(await stateOf(many.id)).toBe('sent')
})

test('what an admin has agreed to does not count against a new customer’s limits', async () => {
  const { shop, chain, send, accept } = await setup({ rateLimits: true })
  const bob = await createUser(shop, 'Bob', 'customer', { confirmed: false })
  const { token } = await send({
    email: bob.email,
    lines: [{ partId: chain._id, quantity: 50, unitPrice: 900 }],
  })
  expect(await accept(token, await clientOf(shop, bob))).toMatchObject({ price: 45_000 })
})

test('a quote is rejected at its fields, and a change of what another admin has changed is told', async () => {
  const { chain, admin, form, add } = await setup()
  const [line] = form.lines
  for (const [change, field] of [
    [{ email: 'ada' }, 'email'],
    [{ name: ' ' }, 'name'],
    [{ validUntil: '2026-02-30' }, 'validUntil'],
    [{ lines: [] }, 'lines'],
    [{ lines: [line, line] }, 'lines'],
    [{ lines: [{ ...line, unitPrice: 500_000 }] }, 'lines'],
    [{ lines: [{ ...line, unitPrice: 1.5 }] }, 'lines.0.unitPrice'],
    [{ lines: [{ ...line, partId: 'none' }] }, 'lines.0.quantity'],
  ] as const)
    await expect(add(change), field).rejects.toMatchObject({
      status: 400,
      fields: { [field]: [expect.any(String)] },
    })
  const id = await add()
  const change = (version: number) => admin.updateQuote({ params: { id }, body: { ...form, version } })
  await change(1)
  await expect(change(1)).rejects.toMatchObject({ status: 409, message: /Another admin changed this/ })
  await admin.deleteProduct({ params: { id: chain._id } })
  await expect(admin.sendQuote({ params: { id } })).rejects.toMatchObject({
    status: 400,
    message: 'This part is no longer for sale.',
  })
})

test('quotes are found by words of name and email, by state, and sorted', async () => {
  const { admin, add, send, form } = await setup()
  const draft = await add({ name: 'Jörg Lund', email: 'lund@example.com' })
  const { id: sent } = await send({ lines: [form.lines[1]!] })
  const list = async (body: object) => (await admin.listQuotes({ body })).rows.map(({ _id }) => _id)
  expect(await list({})).toEqual([sent, draft])
  expect(await list({ q: 'jorg' })).toEqual([draft])
  expect(await list({ q: 'ada@example' })).toEqual([sent])
  expect(await list({ state: 'sent' })).toEqual([sent])
  expect(await list({ state: 'draft' })).toEqual([draft])
  expect(await list({ sort: '-total' })).toEqual([draft, sent])
  expect(await admin.listQuotes({ body: { limit: 1, page: 2 } })).toMatchObject({
    total: 2,
    rows: [{ _id: draft }],
  })
})
