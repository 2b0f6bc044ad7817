import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { shipOrder } from '#shop/orders/ship/shipments.server.ts'
import { emailSubjects, shopWithOrder } from '#test/bank.ts'
import { loseRace } from '#test/locks.ts'
import { clientOf, createUser, payOrderByCard, purchase } from '#test/shop.ts'
import { changeDelivery } from './delivery.server.ts'
import { describeDelivery } from './delivery-change.ts'

const quay = { address: '9 Quay, Bremen', phoneNumber: '5550111' }
const before = { recipient: 'Ada', company: '', ...purchase }

/** What an address that names no country has. */
const home = { country: 'US', region: null, postcode: null, town: null }

/** Ada’s unpaid order of 10 × Chain. */
async function setup() {
  const context = await shopWithOrder()
  const { shop, ada, client, admin, order } = context
  const params = { id: order._id }
  return {
    ...context,
    params,
    pay: () => payOrderByCard(shop, ada, order),
    change: (body: object = quay, by = client) => by.changeDelivery({ params, body: { ...quay, ...body } }),
    ship: (body: object = {}) => admin.shipOrder({ params, body }),
    readTo: async () => describeDelivery(await client.readPurchase({ params }), 'US'),
    emails: async () => (await shop.mail.read({})).rows,
  }
}

test('a customer sends an unpaid order elsewhere, which its page, search and pro-forma invoice show', async () => {
  const { shop, ada, client, admin, params, change, readTo, emails } = await setup()
  await change({ recipient: 'Jo Miller', company: 'Spoke & Sons' })
  expect(await readTo()).toBe('Jo Miller, Spoke & Sons, 9 Quay, Bremen, 5550111')
  const { rows } = await admin.listPurchases({ body: { q: 'quay' } })
  expect(rows.map(({ _id }) => _id)).toContain(params.id)
  const [proForma] = await client.listDocuments({ params })
  expect(proForma!.delivery).toEqual({ recipient: 'Jo Miller', company: 'Spoke & Sons', ...home, ...quay })
  const events = await client.readTimeline({ params })
  expect(events.at(-1)).toMatchObject({ kind: 'delivery changed', by: 'Ada' })
  const [email] = await emails()
  expect(email).toMatchObject({
    to: ada.email,
    subject: 'Order #1001 has another delivery address: 10 × Chain',
    text: expect.stringContaining('Deliver to:\nJo Miller\nSpoke & Sons\n9 Quay, Bremen\n5550111'),
  })
  expect(await admin.listAuditLog({ body: { action: 'changeDelivery' } })).toMatchObject({ rows: [] })
  await change({ recipient: '' })
  expect(await readTo()).toBe('Ada, 9 Quay, Bremen, 5550111')
  expect((await emails()).map(({ to }) => to)).not.toContain(shop.mail.owner)
})

test('of a paid order the packing slip shows the new address, the owner is told, and the invoice stays byte for byte', async () => {
  const { shop, client, admin, params, pay, change, emails } = await setup()
  await pay()
  const invoice = { ...params, document: 'invoice' }
  const read = async () =>
    Buffer.from(await (await client.downloadDocument({ params: invoice })).arrayBuffer())
  const issued = await read()
  await change()
  expect((await read()).equals(issued)).toBe(true)
  expect((await admin.readPackingSlip({ params })).delivery).toEqual({
    recipient: 'Ada',
    company: '',
    ...home,
    ...quay,
  })
  const [owners, customers] = await emails()
  expect(owners).toMatchObject({
    to: shop.mail.owner,
    text: expect.stringMatching(/Deliver to:\nAda\n9 Quay(.|\n)*Before:\nAda\n1 Hub Road/),
  })
  expect(customers!.text).toContain('9 Quay')
})

test('an admin’s change is in the audit log, and the same change again does nothing', async () => {
  const { shop, admin, pay, change, emails } = await setup()
  await pay()
  expect(await change(quay, admin)).toEqual({ modifiedCount: 1 })
  const count = (await emails()).length
  expect(await change({ before }, admin)).toEqual({ modifiedCount: 0 })
  expect(await emails()).toHaveLength(count)
  const { rows } = await admin.listAuditLog({ body: { subjectKind: 'order' } })
  expect(rows).toMatchObject([
    {
      action: 'changeDelivery',
      subject: '#1001',
      by: { name: 'Boss' },
      before: purchase,
      after: { ...quay },
    },
  ])
  expect(await emailSubjects(shop)).toContain('Order #1001 has another delivery address: 10 × Chain')
})

test('a customer changes the address until the first shipment, an admin until all has shipped', async () => {
  const { admin, order, pay, change, ship, readTo } = await setup()
  await pay()
  await ship({ lines: [{ lineId: order._id, quantity: 4 }] })
  await expect(change()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('This order has shipped'),
  })
  await change(quay, admin)
  expect(await readTo()).toContain('9 Quay')
  await ship()
  await expect(change({ address: '2 Mill Lane' }, admin)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('All of this order has shipped'),
  })
})

test('the address of an expired, refunded or cancelled order stays, and that of a stranger’s does not exist', async () => {
  const { shop, client, admin, order, params, pay, change } = await setup()
  const stranger = await clientOf(shop, await createUser(shop, 'Bob'))
  await expect(change(quay, stranger)).rejects.toMatchObject({ status: 404 })
  const [refunded, expired] = [
    await client.placePurchase({ body: { ...purchase, partId: order.partId, quantity: 10 } }),
    await client.placePurchase({ body: { ...purchase, partId: order.partId, quantity: 11 } }),
  ]
  await payOrderByCard(shop, await memberOf(shop, order.email), refunded)
  const refund = { amount: refunded.price, reason: 'It was bent.', returned: 10 }
  await admin.refundPurchase({ params: { id: refunded._id }, body: refund })
  await pay()
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  for (const { _id: id } of [refunded, expired])
    for (const by of [client, admin])
      await expect(by.changeDelivery({ params: { id }, body: quay })).rejects.toMatchObject({
        status: 409,
        message: 'Nothing of this order is left to deliver, so its delivery address stays.',
      })
  await client.cancelPurchase({ params: { id: expired._id } })
  for (const by of [client, admin])
    await expect(by.changeDelivery({ params: { id: expired._id }, body: quay })).rejects.toMatchObject({
      status: 404,
    })
  expect(await change({ before }, client)).toEqual({ modifiedCount: 1 })
  expect(params.id).toBe(order._id)
})

test('whoever changes an address, or ships to one, that another has changed meanwhile is told', async () => {
  const { change, ship, pay, readTo } = await setup()
  await pay()
  await change()
  await expect(change({ address: '2 Mill Lane', before })).rejects.toMatchObject({
    status: 409,
    message:
      'The delivery address has just changed to “Ada, 9 Quay, Bremen, 5550111”. Save again to replace it.',
  })
  await expect(ship({ deliverTo: before })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('Print a new packing slip, then ship again.'),
  })
  await ship({ deliverTo: { ...before, ...quay } })
  expect(await readTo()).toContain('9 Quay')
})

test('of an order that ships while its address is being changed, the address stays', async () => {
  const { shop, ada, boss, order, pay, readTo } = await setup()
  await pay()
  const [outcome] = await loseRace(
    shop,
    async (tx) => {
      await shipOrder({ ...shop, db: tx } as typeof shop, boss, order._id, { carrier: undefined })
    },
    [() => changeDelivery(shop, ada, order._id, quay)],
  )
  expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } })
  expect(await readTo()).toContain('1 Hub Road')
})

test('an email to an unconfirmed address does not have the address that was typed', async () => {
  const { shop, ada, change, emails } = await setup()
  await shop.db.update(users).set({ emailConfirmedAt: null }).where(eq(users._id, ada._id))
  await change({ company: 'Win a prize' })
  const [email] = await emails()
  expect(email!.subject).toContain('another delivery address')
  expect(email!.text).not.toMatch(/prize|Quay/)
})

test('an address that is incomplete is rejected at its fields', async () => {
  const { change, readTo } = await setup()
  await expect(change({ address: ' ', phoneNumber: '1'.repeat(12) })).rejects.toMatchObject({
    status: 400,
    fields: { address: ['Address is required'], phoneNumber: ['Phone Number must be 11 digit.'] },
  })
  expect(await readTo()).toContain('1 Hub Road')
})

async function memberOf(shop: Awaited<ReturnType<typeof shopWithOrder>>['shop'], email: string) {
  const [row] = await shop.db.select().from(users).where(eq(users.email, email))
  return { ...row!, photoURL: null }
}
