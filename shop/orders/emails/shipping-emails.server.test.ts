import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'
import { sendShippingEmails } from './shipping-emails.server.ts'

const minute = 60_000

async function setup() {
  const shop = await testShop()
  const part = await createPart(shop)
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const order = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  await payOrderByCard(shop, ada, order)
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const ship = (shipping: boolean) => admin.shipPurchase({ params: { id: order._id }, body: { shipping } })
  /** Newest first, without those about placing and paying. */
  const subjects = async () =>
    (await shop.mail.read({ q: ada.email })).rows
      .map(({ subject }) => subject)
      .filter((subject) => /has shipped|^Correction/.test(subject))
  const refund = (amount: number, returned: number) =>
    admin.refundPurchase({ params: { id: order._id }, body: { amount, reason: 'Bent.', returned } })
  return { shop, ada, ship, refund, subjects }
}

test('the shipping email is sent once, a minute after the order was marked as shipped', async () => {
  const { shop, ship, subjects } = await setup()
  await ship(true)
  await sendShippingEmails(shop, Date.now() + 0.5 * minute)
  expect(await subjects()).toEqual([])
  await Promise.all([1, 2, 3].map(() => sendShippingEmails(shop, Date.now() + minute)))
  expect(await subjects()).toEqual(['Order #1001 has shipped: 10 × Chain'])
})

test('shipping that is undone within the minute sends no email, and shipping again starts the minute anew', async () => {
  const { shop, ship, subjects } = await setup()
  await ship(true)
  await ship(false)
  await sendShippingEmails(shop, Date.now() + 10 * minute)
  expect(await subjects()).toEqual([])
  await ship(true)
  await sendShippingEmails(shop, Date.now() + 10 * minute)
  expect(await subjects()).toEqual(['Order #1001 has shipped: 10 × Chain'])
})

test('shipping that is undone after the email is corrected by email', async () => {
  const { shop, ship, subjects } = await setup()
  await ship(true)
  await sendShippingEmails(shop, Date.now() + minute)
  await ship(false)
  await ship(false)
  expect(await subjects()).toEqual([
    'Correction: order #1001 (10 × Chain) hasn’t shipped yet',
    'Order #1001 has shipped: 10 × Chain',
  ])
})

test('what was refunded is neither announced once it is back in stock nor promised again', async () => {
  const { shop, ship, refund, subjects } = await setup()
  await ship(true)
  await sendShippingEmails(shop, Date.now() + minute)
  await refund(70, 0)
  await ship(false)
  expect(await subjects()).toEqual([
    'Correction: order #1001 (10 × Chain) hasn’t shipped',
    'Order #1001 has shipped: 10 × Chain',
  ])

  const second = await setup()
  await second.ship(true)
  await second.refund(70, 10)
  await sendShippingEmails(second.shop, Date.now() + minute)
  await second.ship(false)
  expect(await second.subjects()).toEqual([])

  const third = await setup()
  await third.ship(true)
  await third.refund(70, 1)
  await sendShippingEmails(third.shop, Date.now() + minute)
  expect(await third.subjects()).toEqual(['Order #1001 has shipped: 10 × Chain'])
})

test('an order whose other items were refunded has shipped, and not a part of it', async () => {
  const { shop, ada, subjects } = await setup()
  const lines = [await createPart(shop, { name: 'Tyre' }), await createPart(shop, { name: 'Rim' })].map(
    ({ _id }) => ({ partId: _id, quantity: 10 }),
  )
  const order = await (await clientOf(shop, ada)).placeOrder({ body: { ...purchase, lines } })
  const [tyre, rim] = order.lines
  await payOrderByCard(shop, ada, { ...tyre!, price: order.price })
  const admin = await clientOf(shop, await createUser(shop, 'Chief', 'admin'))
  const body = { amount: rim!.price, reason: 'Bent.', returned: 0 }
  await admin.refundPurchase({ params: { id: rim!._id }, body })
  await admin.shipPurchase({ params: { id: tyre!._id } })
  await sendShippingEmails(shop, Date.now() + minute)
  expect(await subjects()).toEqual(['Order #1002 has shipped: 10 × Tyre'])
})

test('items of an order that were shipped together are announced in one email', async () => {
  const { shop, ada, subjects } = await setup()
  const parts = [await createPart(shop, { name: 'Tyre' }), await createPart(shop, { name: 'Tube' })]
  const lines = [...parts, await createPart(shop, { name: 'Rim' })].map(({ _id }) => ({
    partId: _id,
    quantity: 10,
  }))
  const order = await (await clientOf(shop, ada)).placeOrder({ body: { ...purchase, lines } })
  await payOrderByCard(shop, ada, { ...order.lines[0]!, price: order.price })
  const admin = await clientOf(shop, await createUser(shop, 'Chief', 'admin'))
  for (const { _id } of order.lines.slice(0, 2)) await admin.shipPurchase({ params: { id: _id } })
  await sendShippingEmails(shop, Date.now() + minute)
  expect(await subjects()).toEqual(['Part of order #1002 has shipped: 10 × Tyre and 1 more item'])
  const newest = async () => (await shop.mail.read({ q: 'has shipped' })).rows[0]!.text
  expect(await newest()).toContain('The rest of your order ships separately.')
  const [tyre] = order.lines
  const refund = { amount: tyre!.price, reason: 'Bent.', returned: 0 }
  await admin.refundPurchase({ params: { id: tyre!._id }, body: refund })
  await admin.shipPurchase({ params: { id: tyre!._id }, body: { shipping: false } })
  // Though another item is left to ship.
  expect(await subjects()).toContain('Correction: part of order #1002 (10 × Tyre) hasn’t shipped')

  await admin.shipPurchase({ params: { id: order.lines[2]!._id } })
  await sendShippingEmails(shop, Date.now() + minute)
  expect(await newest()).toContain('10 × Rim')
  expect(await newest()).not.toContain('ships separately')
  expect(await newest()).toContain('This was the last parcel: with it, your order is complete.')
})

test('the owner gets one email per paid order', async () => {
  const { shop } = await setup()
  const { rows } = await shop.mail.read({ q: shop.mail.owner })
  expect(rows.filter(({ to }) => to === shop.mail.owner)).toMatchObject([
    { subject: 'Order #1001 is paid: 10 × Chain', replyTo: 'ada@example.com' },
  ])
})

test('of parcels that ship within a minute, only the last email says that the order is complete', async () => {
  const { shop, ada } = await setup()
  const parts = [await createPart(shop, { name: 'Tyre' }), await createPart(shop, { name: 'Tube' })]
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const order = await (await clientOf(shop, ada)).placeOrder({ body: { ...purchase, lines } })
  await payOrderByCard(shop, ada, { ...order.lines[0]!, price: order.price })
  const admin = await clientOf(shop, await createUser(shop, 'Chief', 'admin'))
  for (const { _id: lineId } of order.lines)
    await admin.shipOrder({ params: { id: order._id }, body: { lines: [{ lineId, quantity: 10 }] } })
  await sendShippingEmails(shop, Date.now() + minute)
  const { rows } = await shop.mail.read({ q: 'has shipped' })
  const isComplete = rows.map(({ subject, text }) => [subject, text.includes('your order is complete')])
  expect(isComplete).toEqual([
    ['Part of order #1002 has shipped: 10 × Tube', true],
    ['Part of order #1002 has shipped: 10 × Tyre', false],
  ])
})
