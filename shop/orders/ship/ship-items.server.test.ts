import { expect, test } from 'vitest'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'

const minute = 60_000

async function setup() {
  const shop = await testShop()
  const boss = await createUser(shop, 'Boss', 'admin')
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  const parts = [
    await createPart(shop, { availableQuantity: 500 }),
    await createPart(shop, { name: 'Hub', availableQuantity: 500 }),
  ]
  const place = async (who: typeof ada, count = 1) => {
    const lines = parts.slice(0, count).map(({ _id: partId }) => ({ partId, quantity: 10 }))
    return (await clientOf(shop, who)).placeOrder({ body: { ...purchase, lines } })
  }
  const placePaid = async (who: typeof ada, count = 1) => {
    const order = await place(who, count)
    await payOrderByCard(shop, who, { ...order.lines[0]!, price: order.price })
    return { ...order, ids: order.lines.map(({ _id }) => _id) }
  }
  const admin = await clientOf(shop, boss)
  const shipments = async (id: string) =>
    (await admin.listShipments({ params: { id } })).map(({ lines }) =>
      lines.map(({ parts, quantity }) => `${quantity} × ${parts}`),
    )
  const emails = async () => {
    await sendShippingEmails(shop, Date.now() + 2 * minute)
    return (await shop.mail.read()).rows.filter(({ subject }) => subject.includes('shipped'))
  }
  return { shop, ada, bob, admin, place, placePaid, shipments, emails }
}

test('shipItems ships the items of each order as one shipment with one email, and the rest of partly shipped ones', async () => {
  const { ada, bob, admin, placePaid, shipments, emails } = await setup()
  const [two, one] = [await placePaid(ada, 2), await placePaid(bob)]
  const [first] = two.ids as [string]
  await admin.shipOrder({ params: { id: two._id }, body: { lines: [{ lineId: first, quantity: 4 }] } })
  const items = [...two.ids, ...one.ids]
  expect(await admin.shipItems({ body: { items } })).toEqual({ shipped: items, failed: [] })
  expect(await shipments(two._id)).toEqual([['4 × Chain'], ['6 × Chain', '10 × Hub']])
  expect(await shipments(one._id)).toEqual([['10 × Chain']])
  expect((await emails()).map(({ to }) => to).sort()).toEqual([ada.email, ada.email, bob.email])
})

test('shipItems names what cannot be shipped any more, and ships the others, also of the same order', async () => {
  const { ada, bob, admin, place, placePaid, shipments } = await setup()
  const [refunded, unpaid, shipped, fine] = [
    await placePaid(ada, 2),
    await place(ada),
    await placePaid(ada),
    await placePaid(bob),
  ]
  await admin.refundPurchase({
    params: { id: refunded.ids[0]! },
    body: { amount: 70, reason: 'Bent', returned: 0 },
  })
  await admin.shipPurchase({ params: { id: shipped.ids[0]! } })
  const items = [refunded, shipped, fine].flatMap(({ ids }) => ids).concat(unpaid.lines[0]!._id, 'nothing')
  const result = await admin.shipItems({ body: { items } })
  expect(result.shipped).toEqual([refunded.ids[1], fine.ids[0]])
  expect(result.failed.map(({ number, name, parts, reason }) => [number, name, parts, reason])).toEqual([
    [refunded.number, 'Ada', 'Chain', 'This item was refunded, so it can’t be shipped.'],
    [unpaid.number, 'Ada', 'Chain', 'This order isn’t paid yet, so it can’t be shipped.'],
    [shipped.number, 'Ada', 'Chain', 'Nothing of this item is left to ship.'],
  ])
  expect(await shipments(refunded._id)).toEqual([['10 × Hub']])
  expect(await shipments(shipped._id)).toHaveLength(1)
})

test('shipItems ships once for two requests at once and for a repeated key, and rejects unknown and cancelled items', async () => {
  const { ada, admin, place, placePaid, shipments } = await setup()
  const [one, two, three] = [await placePaid(ada), await placePaid(ada, 2), await placePaid(ada)]
  const body = { items: one.ids }
  const results = await Promise.all([admin.shipItems({ body }), admin.shipItems({ body })])
  expect(results.map(({ shipped }) => shipped.length).sort()).toEqual([0, 1])
  const items = [two.ids[1]!, three.ids[0]!]
  for (const _ of [1, 2])
    expect(await admin.shipItems({ body: { items }, key: 'k' })).toEqual({ shipped: items, failed: [] })
  const shipped = await Promise.all([one, two, three].map(({ _id }) => shipments(_id)))
  expect(shipped).toEqual([[['10 × Chain']], [['10 × Hub']], [['10 × Chain']]])
  const [cancelled] = (await place(ada, 2)).lines
  await admin.cancelPurchase({ params: { id: cancelled!._id } })
  for (const id of ['nothing', cancelled!._id])
    await expect(admin.shipItems({ body: { items: [id] } })).rejects.toMatchObject({ status: 404 })
})

test('readPackingSlips has a slip for each order with something to pack, and their PDF a page for each', async () => {
  const { ada, bob, admin, place, placePaid } = await setup()
  const [two, unpaid, one] = [await placePaid(ada, 2), await place(ada), await placePaid(bob)]
  const orders = [two.number, unpaid._id, one.number, two.number].join(',')
  const slips = await admin.readPackingSlips({ body: { orders } })
  expect(slips.map(({ order, lines }) => [order, lines.map(({ parts }) => parts)])).toEqual([
    [two.number, ['Chain', 'Hub']],
    [one.number, ['Chain']],
  ])
  const file = await admin.downloadPackingSlips({ body: { orders } })
  expect(file.name).toBe('packing-slips.pdf')
  const pdf = Buffer.from(await file.arrayBuffer()).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2)
  const nothing = admin.downloadPackingSlips({ body: { orders: unpaid._id } })
  await expect(nothing).rejects.toMatchObject({ status: 409 })
  const unknown = admin.readPackingSlips({ body: { orders: '99999' } })
  await expect(unknown).rejects.toMatchObject({ status: 404 })
})
