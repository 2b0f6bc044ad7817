import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orderEvents, orders } from '#db/schema.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { readAllowance } from '#shop/orders/place/hold-limits.server.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'
import type { Member } from '#shop/users/user.ts'
import { sentEmails } from '#test/identity.ts'
import {
  clientOf,
  createPart,
  createUser,
  payByCard,
  payOrderByCard,
  purchase,
  readStock,
  testShop,
} from '#test/shop.ts'

// Wherever the server chooses a row for the caller, a second member has one that matches just as well, and an older one.

async function twoMembers(role: Member['role'] = 'customer', options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const part = await createPart(shop, { availableQuantity: 500 })
  const [bob, ada] = [await createUser(shop, 'Bob', role), await createUser(shop, 'Ada', role)]
  const [asBob, asAda] = [await clientOf(shop, bob), await clientOf(shop, ada)]
  const body = { ...purchase, partId: part._id, quantity: 10 }
  return { shop, part, bob, ada, asBob, asAda, body }
}

const refund = { amount: 20, reason: 'It was bent.', returned: 2 }

test('startPayment without an order id never pays another customer’s order', async () => {
  const { shop, asBob, asAda, body } = await twoMembers()
  const older = await asBob.placePurchase({ body })
  await expect(asAda.startPayment({ body: { price: older.price } })).rejects.toMatchObject({
    status: 409,
    message: 'You don’t have an unpaid order for $70.',
  })
  const own = await asAda.placePurchase({ body })
  const { clientSecret } = await asAda.startPayment({ body: { price: own.price } })
  const { id } = await payByCard(shop, clientSecret)
  expect(await asAda.payPurchase({ params: { id: own._id }, body: { transactionId: id } })).toMatchObject({
    paid: true,
    email: 'ada@example.com',
  })
  expect(await asBob.readPurchase({ params: { id: older._id } })).toMatchObject({ paid: false })
})

test('startPayment returns the open payment of that order, not of an equal one', async () => {
  const { asBob, asAda, body } = await twoMembers()
  const [older, own] = [await asBob.placePurchase({ body }), await asAda.placePurchase({ body })]
  const secretOf = async (client: typeof asAda, { _id, price }: typeof own) =>
    (await client.startPayment({ body: { price, purchase: _id } })).clientSecret
  const first = await secretOf(asBob, older)
  const second = await secretOf(asAda, own)
  expect(second).not.toBe(first)
  expect([await secretOf(asBob, older), await secretOf(asAda, own)]).toEqual([first, second])
})

test('an order, its payments, refunds and events belong to its customer alone', async () => {
  const { shop, bob, ada, asBob, asAda, body } = await twoMembers()
  const [older, own] = [await asBob.placePurchase({ body }), await asAda.placePurchase({ body })]
  await payOrderByCard(shop, bob, older)
  const boss = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  await boss.refundPurchase({ params: { id: older._id }, body: { ...refund, amount: 60, returned: 9 } })
  await boss.shipPurchase({ params: { id: older._id }, body: { shipping: true } })
  // Of the whole order, rather than of a line.
  await shop.db.insert(orderEvents).values({ orderId: older._id, kind: 'reserved again' })
  const kindsOf = async (client: typeof asAda, id: string) =>
    (await client.readTimeline({ params: { id } })).map(({ kind }) => kind)
  expect(await kindsOf(asAda, own._id)).toEqual(['placed'])
  const kinds = ['placed', 'paid', 'refunded', 'shipped', 'reserved again']
  expect(await kindsOf(asBob, older._id)).toEqual(kinds)
  const ofOrder = await asBob.readOrderTimeline({ params: { id: older._id } })
  expect(ofOrder.map(({ kind }) => kind)).toEqual(kinds)

  const readOwn = () => asAda.readPurchase({ params: { id: own._id } })
  expect(await readOwn()).toMatchObject({ refunded: 0 })
  await payOrderByCard(shop, ada, own)
  expect(await readOwn()).toMatchObject({ refunded: 0, shipping: false })
  expect(
    await boss.refundPurchase({ params: { id: own._id }, body: { ...refund, amount: 70, returned: 10 } }),
  ).toMatchObject({ refunded: 70 })
  expect(await asBob.readPurchase({ params: { id: older._id } })).toMatchObject({ refunded: 60 })
  const lists = await Promise.all(
    [asAda, asBob].map((client, i) => client.listMyPurchases({ body: { email: [ada, bob][i]!.email } })),
  )
  expect(lists.map(({ rows, total }) => [total, rows[0]!._id])).toEqual([
    [1, own._id],
    [1, older._id],
  ])
})

test('another customer’s order can be neither read, paid, cancelled nor followed', async () => {
  const { asBob, asAda, body } = await twoMembers()
  const { _id: id } = await asBob.placePurchase({ body })
  const params = { id }
  for (const call of [
    () => asAda.readPurchase({ params }),
    () => asAda.readTimeline({ params }),
    () => asAda.readOrderTimeline({ params }),
    () => asAda.cancelPurchase({ params }),
    () => asAda.cancelOrder({ params }),
    () => asAda.payPurchase({ params, body: { transactionId: 'pi_1' } }),
    () => asAda.startPayment({ body: { price: 70, purchase: id } }),
  ])
    await expect(call()).rejects.toMatchObject({
      status: 404,
      message: 'This order doesn’t exist or was cancelled.',
    })
})

test('every email about an order goes to its customer', async () => {
  const { shop, bob, ada, asBob, asAda, body } = await twoMembers()
  const [older, own] = [await asBob.placePurchase({ body }), await asAda.placePurchase({ body })]
  for (const [member, order] of [
    [bob, older],
    [ada, own],
  ] as const) {
    const before = (await sentEmails(shop)).length
    await payOrderByCard(shop, member, order)
    const boss = await clientOf(shop, await createUser(shop, `Boss of ${member.name}`, 'admin'))
    await boss.shipPurchase({ params: { id: order._id } })
    await sendShippingEmails(shop, Date.now() + 60_000)
    await boss.refundPurchase({ params: { id: order._id }, body: refund })
    const sent = (await sentEmails(shop)).slice(before)
    const emails = sent.filter(({ recipient }) => recipient !== shop.mail.owner)
    expect(sent.length - emails.length, 'to the owner').toBe(1)
    expect(emails.map(({ recipient }) => recipient)).toEqual([member.email, member.email, member.email])
    for (const { body } of emails) expect(body).toContain(`Hello ${member.name},`)
  }
})

test('the unpaid and paid orders of another customer count towards nobody else’s limits', async () => {
  const { shop, bob, ada, asBob, body } = await twoMembers('customer', { rateLimits: true })
  await asBob.placePurchase({ body })
  await payOrderByCard(shop, bob, await asBob.placePurchase({ body }))
  const allowanceOf = (member: Member) => shop.db.transaction((tx) => readAllowance(shop, tx, member))
  expect(await allowanceOf(bob)).toMatchObject({ hasPaid: true, held: 70 })
  expect(await allowanceOf(ada)).toMatchObject({ hasPaid: false, held: 0 })
})

test('paying, confirming or starting a payment extends the holds of that customer alone', async () => {
  const shop = await testShop({ rateLimits: true })
  const part = await createPart(shop, { availableQuantity: 1_000 })
  const place = async (name: string) => {
    const member = await createUser(shop, name, 'customer', { confirmed: false })
    const client = await clientOf(shop, member)
    const [one, two] = [10, 20].map((quantity) => ({ ...purchase, partId: part._id, quantity }))
    return {
      member,
      client,
      orders: [await client.placePurchase({ body: one! }), await client.placePurchase({ body: two! })],
    }
  }
  const [bob, ada] = [await place('Bob'), await place('Ada')]
  const soon = new Date(Date.now() + 60_000).toISOString()
  await shop.db.update(orders).set({ shortHoldUntil: soon })
  const endsOf = async (all: typeof ada.orders) =>
    Promise.all(
      all.map(async ({ _id }) => {
        const [row] = await shop.db.select().from(orders).where(eq(orders._id, _id))
        return row!.shortHoldUntil
      }),
    )
  const [first] = ada.orders
  await ada.client.startPayment({ body: { price: first!.price, purchase: first!._id } })
  expect((await endsOf(ada.orders))[0]! > soon).toBe(true)
  expect([(await endsOf(ada.orders))[1], ...(await endsOf(bob.orders))]).toEqual([soon, soon, soon])
  await markConfirmed(shop.db, ada.member.email)
  expect([...(await endsOf(ada.orders)), ...(await endsOf(bob.orders))]).toEqual([null, null, soon, soon])
})

test('the same Idempotency-Key and body of two admins are two requests, for every admin call', async () => {
  const { shop, asBob, asAda } = await twoMembers('admin')
  const { _id: partId, image } = await createPart(shop, { name: 'Hub', availableQuantity: 50 })
  const form = {
    name: 'Hub',
    shortDescription: 'Light',
    description: 'Runs true.',
    image,
    minQuantity: 10,
    availableQuantity: 60,
    perUnitPrice: 7,
  }
  const both = async (send: (client: typeof asAda) => Promise<unknown>) =>
    (await Promise.allSettled([send(asBob).then(() => 'done'), send(asAda).then(() => 'done')])).map(
      (outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.status),
    )
  const key = 'once'
  expect(
    await both((client) => client.restockPart({ params: { partId }, body: { arrived: 5 }, key })),
  ).toEqual(['done', 'done'])
  expect(await readStock(shop, { _id: partId })).toBe(60)
  // The second finds what the first has changed: it does not get the first one's answer.
  const change = { ...form, availableQuantity: 90, availableQuantityBefore: 60 }
  const changed = await both((client) => client.updatePart({ params: { partId }, body: change, key }))
  expect(changed.toSorted()).toEqual([409, 'done'])
  const added = await both((client) => client.addPart({ body: { ...form, name: 'Rotor' }, key }))
  expect(added.toSorted()).toEqual([409, 'done'])

  const cy = await createUser(shop, 'Cy')
  const client = await clientOf(shop, cy)
  const { _id: id } = await payOrderByCard(
    ...([shop, cy, await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })] as const),
  )
  expect(await both((admin) => admin.refundPurchase({ params: { id }, body: refund, key }))).toEqual([
    'done',
    'done',
  ])
  expect(await client.readPurchase({ params: { id } })).toMatchObject({ refunded: 40 })
  const lines = [{ lineId: id, quantity: 3 }]
  expect(await both((admin) => admin.shipOrder({ params: { id }, body: { lines }, key }))).toEqual([
    'done',
    'done',
  ])
  expect(await client.readPurchase({ params: { id } })).toMatchObject({ shippedQuantity: 6, shipping: true })
})

test('the same Idempotency-Key and body of two customers or visitors are two requests, for every call', async () => {
  const { part, asBob, asAda, bob, ada, body } = await twoMembers()
  const key = 'once'
  const [older, own] = [await asBob.placePurchase({ body, key }), await asAda.placePurchase({ body, key })]
  expect([older.email, own.email]).toEqual(['bob@example.com', 'ada@example.com'])
  const { perUnitPrice, minQuantity, multiple, priceBreaks } = part
  const item = { partId: part._id, quantity: 10, seen: { perUnitPrice, minQuantity, multiple, priceBreaks } }
  for (const client of [asBob, asAda]) await client.addToBasket({ body: { items: [item] }, key })
  expect((await asAda.readBasket()).items).toHaveLength(1)
  const form = { body: purchase, key: 'address' }
  for (const [client, { email }] of [
    [asBob, bob],
    [asAda, ada],
  ] as const) {
    const [ordered] = await client.listAddresses({ params: { email } })
    await client.deleteAddress({ params: { email, id: ordered!._id } })
    const { insertedId } = await client.addAddress({ params: { email }, ...form })
    expect(await client.listAddresses({ params: { email } })).toMatchObject([{ _id: insertedId }])
  }
  const review = { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }
  await asBob.addReview({ body: review, key })
  await asAda.addReview({ body: review, key })
  expect((await asAda.listReviews()).rows.map(({ name }) => name)).toEqual(['Ada', 'Bob'])
  const message = { name: 'Visitor', phone: '5550100', message: 'Do you ship to islands?' }
  const sent = await Promise.all(
    ['bob', 'ada'].map((name) =>
      asAda.sendMessage({ body: { ...message, email: `${name}@example.com` }, key }),
    ),
  )
  expect(new Set(sent.map(({ insertedId }) => insertedId)).size).toBe(2)
})

test('a delivery address is listed, changed and deleted for its user alone, and another user’s does not exist', async () => {
  const { asBob, asAda, bob, ada, body } = await twoMembers()
  await asBob.placePurchase({ body })
  const list = (client: typeof asAda, { email }: Member) => client.listAddresses({ params: { email } })
  const [saved] = await list(asBob, bob)
  expect(await list(asAda, ada)).toEqual([])
  await asAda.placePurchase({ body })
  expect(await list(asAda, ada)).toMatchObject([{ ...purchase, isDefault: true }])

  const params = { email: ada.email, id: saved!._id }
  for (const call of [
    () => asAda.updateAddress({ params, body: purchase }),
    () => asAda.deleteAddress({ params }),
    () => asAda.setDefaultAddress({ params }),
  ])
    await expect(call()).rejects.toMatchObject({
      status: 404,
      message: 'This delivery address doesn’t exist.',
    })
  expect(await list(asBob, bob)).toEqual([saved])
})

test('a profile is read and saved for its owner alone', async () => {
  const { asBob, asAda, bob, ada } = await twoMembers()
  const form = { address: '1 Hub Road', phoneNumber: '5550100', linkedIn: 'https://linkedin.example/in' }
  const save = (client: typeof asAda, { email }: Member, education: string) =>
    client.updateProfile({ params: { email }, body: { ...form, education } })
  const read = async (client: typeof asAda, { email }: Member) =>
    (await client.readProfile({ params: { email } })).education
  await save(asBob, bob, 'Mechanic')
  expect(await read(asAda, ada)).toBeNull()
  await save(asAda, ada, 'Countess')
  expect([await read(asBob, bob), await read(asAda, ada)]).toEqual(['Mechanic', 'Countess'])
})
