import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditLog, users } from '#db/schema.ts'
import type { Member } from '#shop/users/user.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  type TestShop,
  testShop,
} from '#test/shop.ts'

/** Another customer has one of everything, too. */
async function setup() {
  const shop = await testShop()
  const [boss, eve, ada, bob] = [
    await createUser(shop, 'Boss', 'admin'),
    await createUser(shop, 'Eve', 'admin'),
    await createUser(shop, 'Ada'),
    await createUser(shop, 'Bob'),
  ]
  const { _id: partId } = await createPart(shop, { availableQuantity: 500 })
  const place = async (member: Member, delivery = purchase) =>
    (await clientOf(shop, member)).placePurchase({ body: { ...delivery, partId, quantity: 10 } })
  const elsewhere = { address: '9 Rim Street', phoneNumber: '5559999' }
  await payOrderByCard(shop, bob, await place(bob, elsewhere))
  const asBoss = await clientOf(shop, boss)
  const read = (id: string) => asBoss.readCustomer({ params: { id } })
  return { shop, boss, eve, ada, bob, asBoss, asEve: await clientOf(shop, eve), place, read }
}

async function actionsOf({ db }: TestShop, { _id }: Member) {
  const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, _id)).orderBy(auditLog.number)
  return entries.map(({ action, before, after }) => [action, before, after])
}

test('readCustomer adds up orders and money, and lists addresses, messages and files', async () => {
  const { shop, ada, asBoss, place, read } = await setup()
  const client = await clientOf(shop, ada)
  await place(ada)
  const paid = await payOrderByCard(shop, ada, await place(ada))
  const cancelled = await place(ada)
  await client.cancelPurchase({ params: { id: cancelled._id } })
  await asBoss.refundPurchase({
    params: { id: paid._id },
    body: { amount: 12.5, reason: 'Scratched', returned: 0 },
  })
  await client.askAboutOrder({ params: { id: paid.orderId }, body: { message: 'Is it steel?' } })
  await client.sendMessage({
    body: { name: 'Ada', email: ada.email, phone: '5550100', message: 'Hello' },
  })
  const found = await read(ada._id)
  expect(found).toMatchObject({
    email: ada.email,
    orders: 2,
    paid: 57.5,
    refunded: 12.5,
    phoneNumber: purchase.phoneNumber,
    addresses: [{ address: purchase.address }],
    messages: [{ message: 'Hello' }, { message: 'Is it steel?', order: { _id: paid.orderId } }],
    messageCount: 2,
    files: [
      { kind: 'credit note', orderId: paid.orderId, document: 'credit-note-1001' },
      { kind: 'invoice', orderId: paid.orderId, document: 'invoice' },
    ],
    fileCount: 2,
    tags: [],
    notes: [],
    links: [],
  })
  // By whatever an admin's screen has at hand.
  for (const id of [' ADA@example.com', paid.number, paid.orderId, paid._id])
    expect((await read(id))._id).toBe(ada._id)
  await expect(read('nobody')).rejects.toMatchObject({
    status: 404,
    message: 'This customer doesn’t exist.',
  })
})

test('admins note what only they may change, and the audit log keeps each change', async () => {
  const { shop, ada, bob, asBoss, asEve, read } = await setup()
  const params = { id: ada._id }
  const note = { params, body: { text: 'Pays late.' }, key: 'k' }
  const { insertedId } = await asBoss.addCustomerNote(note)
  expect(await asBoss.addCustomerNote(note)).toEqual({ insertedId })
  await asEve.addCustomerNote({ params: { id: bob._id }, body: { text: 'Calls on Mondays.' } })
  const own = { params: { id: insertedId } }
  const body = { text: 'Pays on time.' }
  const forbidden = { status: 403, message: expect.stringContaining('only your own notes') }
  await expect(asEve.updateCustomerNote({ ...own, body })).rejects.toMatchObject(forbidden)
  await expect(asEve.deleteCustomerNote(own)).rejects.toMatchObject(forbidden)
  expect(await asBoss.updateCustomerNote({ ...own, body })).toEqual({ modifiedCount: 1 })
  expect(await asBoss.updateCustomerNote({ ...own, body })).toEqual({ modifiedCount: 0 })
  expect((await read(ada._id)).notes).toMatchObject([
    { text: body.text, by: { name: 'Boss' }, editedAt: expect.any(String) },
  ])
  await asBoss.deleteCustomerNote(own)
  await expect(asBoss.deleteCustomerNote(own)).rejects.toMatchObject({ status: 404 })
  expect((await read(ada._id)).notes).toEqual([])
  expect((await read(bob._id)).notes).toHaveLength(1)
  expect(await actionsOf(shop, ada)).toEqual([
    ['addCustomerNote', null, { note: 'Pays late.' }],
    ['updateCustomerNote', { note: 'Pays late.' }, { note: 'Pays on time.' }],
    ['deleteCustomerNote', { note: 'Pays on time.' }, null],
  ])
  await expect(
    asBoss.addCustomerNote({ params: { id: 'nobody' }, body: { text: 'Who?' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a tag is one word in any spelling, is suggested, and filters the users', async () => {
  const { shop, ada, bob, asBoss, read } = await setup()
  const tag = (id: string, tag: string) => asBoss.tagCustomer({ params: { id }, body: { tag } })
  expect(await tag(ada._id, ' Bike  workshop ')).toEqual({ modifiedCount: 1 })
  expect(await tag(ada._id, 'bike WORKSHOP')).toEqual({ modifiedCount: 0 })
  await tag(bob._id, 'BIKE workshop')
  await tag(bob._id, 'Late payer')
  expect((await read(bob._id)).tags).toEqual(['Bike workshop', 'Late payer'])
  const { rows: listed } = await asBoss.listUsers({ body: { sort: 'email' } })
  expect(Object.fromEntries(listed.map(({ email, tags }) => [email, tags]))).toMatchObject({
    [ada.email]: ['Bike workshop'],
    [bob.email]: ['Bike workshop', 'Late payer'],
  })
  expect(await asBoss.listCustomerTags()).toEqual(['Bike workshop', 'Late payer'])
  const emails = async (tag: string) => {
    const { rows } = await asBoss.listUsers({ body: { tag, sort: 'email' } })
    return rows.map(({ email }) => email)
  }
  expect(await emails('bike workshop')).toEqual([ada.email, bob.email])
  expect(await emails('late payer')).toEqual([bob.email])
  await asBoss.untagCustomer({ params: { id: bob._id }, body: { tag: 'LATE payer' } })
  expect(await emails('late payer')).toEqual([])
  expect(await actionsOf(shop, bob)).toEqual([
    ['tagCustomer', null, { tag: 'Bike workshop' }],
    ['tagCustomer', null, { tag: 'Late payer' }],
    ['untagCustomer', { tag: 'Late payer' }, null],
  ])
  for (let i = 0; i < 19; i += 1) await tag(ada._id, `Tag ${i}`)
  await expect(tag(ada._id, 'One more')).rejects.toMatchObject({ status: 409 })
})

test('accounts with one phone number, or one name and address, are linked until an admin says otherwise', async () => {
  const { shop, ada, bob, asBoss, place, read } = await setup()
  const phone = await createUser(shop, 'Adas-workshop')
  const [sameName, stranger] = [await createUser(shop, 'Ada-2'), await createUser(shop, 'Cy')]
  await shop.db.update(users).set({ name: 'ADA' }).where(eq(users._id, sameName._id))
  await place(ada, { address: '1 Hub Road, Bremen', phoneNumber: '+1 555-0100' })
  await place(phone, { address: '7 Axle Way', phoneNumber: '(1) 5550100' })
  await place(sameName, { address: '1 hub road  Bremen.', phoneNumber: '5557777' })
  await place(stranger, { address: '1 Hub Road, Bremen', phoneNumber: '5558888' })
  const linksOf = async ({ _id }: Member) =>
    (await read(_id)).links.map(({ email, reason }) => [email, reason])
  expect(await linksOf(ada)).toEqual([
    [phone.email, 'same phone number'],
    [sameName.email, 'same name and address'],
  ])
  expect(await linksOf(phone)).toEqual([[ada.email, 'same phone number']])

  const change = (call: 'linkCustomers' | 'unlinkCustomers', other: string) =>
    asBoss[call]({ params: { id: ada._id }, body: { other } })
  expect(await change('linkCustomers', bob.email.toUpperCase())).toEqual({ modifiedCount: 1 })
  expect(await change('unlinkCustomers', phone._id)).toEqual({ modifiedCount: 1 })
  expect(await change('unlinkCustomers', phone._id)).toEqual({ modifiedCount: 0 })
  expect(await linksOf(ada)).toEqual([
    [bob.email, 'linked'],
    [sameName.email, 'same name and address'],
  ])
  expect(await linksOf(bob)).toEqual([[ada.email, 'linked']])
  expect(await linksOf(phone)).toEqual([])
  await expect(change('linkCustomers', ada.email)).rejects.toMatchObject({ status: 400 })
  await expect(change('linkCustomers', 'nobody@example.com')).rejects.toMatchObject({ status: 400 })
  expect(await actionsOf(shop, bob)).toEqual([['linkCustomers', null, { account: ada.email }]])
})
