import { expect, test } from 'vitest'
import { orders } from '#db/schema.ts'
import { pickDelivery } from '#shop/addresses/address.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { listOrders } from '#shop/orders/read/all-orders.server.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'

const minute = 60_000

async function setup(partCount = 2) {
  const shop = await testShop()
  const boss = await createUser(shop, 'Boss', 'admin')
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  const parts: { _id: string }[] = []
  for (let i = 0; i < partCount; i++)
    parts.push(await createPart(shop, { name: ['Chain', 'Hub'][i] ?? `Part ${i}`, availableQuantity: 900 }))
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
  const ship = (...ids: string[]) => admin.shipOrders({ body: { orders: ids } })
  const shipments = async (id: string) =>
    (await admin.listShipments({ params: { id } })).map(({ lines }) =>
      lines.map(({ parts, quantity }) => `${quantity} × ${parts}`),
    )
  const emails = async () => {
    await sendShippingEmails(shop, Date.now() + 2 * minute)
    return (await shop.mail.read()).rows.filter(({ subject }) => subject.includes('shipped'))
  }
  return { shop, ada, bob, admin, place, placePaid, ship, shipments, emails }
}

test('shipOrders ships all that is left of each order as one shipment with one email', async () => {
  const { ada, bob, admin, placePaid, ship, shipments, emails } = await setup()
  const [two, one] = [await placePaid(ada, 2), await placePaid(bob)]
  const lines = [{ lineId: two.ids[0]!, quantity: 4 }]
  await admin.shipOrder({ params: { id: two._id }, body: { lines } })
  const { shipped, failed } = await ship(two._id, one._id)
  expect(failed).toEqual([])
  expect(shipped).toMatchObject([
    { orderId: two._id, number: two.number, name: 'Ada', lines: [{ quantity: 6 }, { quantity: 10 }] },
    { orderId: one._id, number: one.number, name: 'Bob', lines: [{ quantity: 10 }] },
  ])
  expect(await shipments(two._id)).toEqual([['4 × Chain'], ['6 × Chain', '10 × Hub']])
  expect(await shipments(one._id)).toEqual([['10 × Chain']])
  expect((await emails()).map(({ to }) => to).sort()).toEqual([ada.email, ada.email, bob.email])
})

test('shipOrders names orders that cannot be shipped with their reasons, and ships the others', async () => {
  const { ada, bob, admin, place, placePaid, ship, shipments } = await setup()
  const [partly, refunded, shipped] = [await placePaid(ada, 2), await placePaid(ada), await placePaid(ada)]
  const [unpaid, cancelled, fine] = [await place(ada), await place(ada), await placePaid(bob)]
  for (const { ids } of [partly, refunded])
    await admin.refundPurchase({
      params: { id: ids[0]! },
      body: { amount: 70, reason: 'Bent', returned: 0 },
    })
  await admin.shipPurchase({ params: { id: shipped.ids[0]! } })
  await admin.cancelOrder({ params: { id: cancelled._id } })
  const result = await ship(...[partly, refunded, shipped, unpaid, cancelled, fine].map(({ _id }) => _id))
  expect(result.shipped.map(({ orderId }) => orderId)).toEqual([partly._id, fine._id])
  expect(result.failed).toEqual([
    {
      _id: refunded._id,
      number: refunded.number,
      name: 'Ada',
      reason: 'This order was refunded, so it can’t be shipped.',
    },
    expect.objectContaining({ _id: shipped._id, reason: 'Nothing in this order is left to ship.' }),
    expect.objectContaining({
      _id: unpaid._id,
      reason: 'This order isn’t paid yet, so it can’t be shipped.',
    }),
    expect.objectContaining({ _id: cancelled._id, reason: 'This order doesn’t exist or was cancelled.' }),
  ])
  expect(await shipments(partly._id)).toEqual([['10 × Hub']])
  expect(await shipments(shipped._id)).toHaveLength(1)
})

test('shipOrders keeps back an order that goes elsewhere than was seen, and ships the others', async () => {
  const { ada, bob, admin, placePaid, shipments } = await setup()
  const [moved, same, unseen] = [await placePaid(ada), await placePaid(bob), await placePaid(bob)]
  const deliverTo = Object.fromEntries([moved, same].map((order) => [order._id, pickDelivery(order)]))
  const quay = { address: '9 Quay, Bremen', phoneNumber: '5550111' }
  await admin.changeDelivery({ params: { id: moved._id }, body: quay })
  const body = { orders: [moved._id, same._id, unseen._id], deliverTo }
  const { shipped, failed } = await admin.shipOrders({ body })
  expect(shipped.map(({ orderId }) => orderId)).toEqual([same._id, unseen._id])
  const reason =
    'The delivery address has just changed to “Ada, 9 Quay, Bremen, 5550111”. Print a new packing slip, then ship again.'
  expect(failed).toEqual([{ _id: moved._id, number: moved.number, name: 'Ada', reason }])
  expect(await shipments(moved._id)).toEqual([])
})

test('shipOrders ships once for two requests at once and for a repeated key, and nothing when an order is unknown', async () => {
  const { ada, admin, placePaid, ship, shipments } = await setup()
  const [one, two, three] = [await placePaid(ada), await placePaid(ada, 2), await placePaid(ada)]
  const results = await Promise.all([ship(one._id), ship(one._id)])
  expect(results.map(({ shipped }) => shipped.length).sort()).toEqual([0, 1])
  await expect(ship(two._id, 'nothing')).rejects.toMatchObject({ status: 404 })
  expect(await shipments(two._id)).toEqual([])
  const body = { orders: [two._id, three._id, two._id] }
  const first = await admin.shipOrders({ body, key: 'k' })
  expect(first.shipped).toHaveLength(2)
  expect(await admin.shipOrders({ body, key: 'k' })).toEqual(first)
  expect(await shipments(two._id)).toEqual([['10 × Chain', '10 × Hub']])
  await expect(admin.shipOrders({ body: { orders: [] } })).rejects.toMatchObject({ status: 400 })
})

test('whatever page of orders of 1 to 100 items is selected and shipped, no order is cut', async () => {
  const { shop, ada, placePaid, ship, shipments } = await setup(100)
  const counts = [1, 2, 3, 4, 5, 6, 9, 10, 11, 19, 20, 21, 24, 25, 26, 49, 50, 51, 99, 100]
  for (const count of counts) await placePaid(ada, count)
  for (const limit of [1, 3, 10, 25, 50, 100])
    for (const lines of [1, 5, 10])
      for (let page = 1, listed = 0; ; page++) {
        const { rows, total } = await listOrders(shop, { status: 'pending', limit, lines, page })
        expect(rows.map(({ linesToShip }) => linesToShip)).toEqual(counts.slice(listed, listed + limit))
        for (const order of rows) expect(order.lines).toHaveLength(Math.min(lines, order.lineCount))
        listed += rows.length
        if (listed >= total) break
      }
  // What was selected on pages of each size is what ships.
  const sizes = [1, 3, 10, 25]
  for (const limit of sizes) {
    const { rows } = await listOrders(shop, { status: 'pending', limit, lines: 5 })
    await ship(...rows.map(({ _id }) => _id))
  }
  const all = await shop.db.select().from(orders).orderBy(orders.number)
  for (const [i, { _id }] of all.entries()) {
    const parcels = await shipments(_id)
    expect(
      parcels.map((parcel) => parcel.length),
      `${counts[i]} items`,
    ).toEqual([counts[i]])
  }
  expect((await listOrders(shop, { status: 'pending' })).total).toBe(0)
})

test('undoShipments takes back the shipments of which no customer was told, once, and leaves the others', async () => {
  const { shop, ada, bob, admin, placePaid, ship, shipments, emails } = await setup()
  const [told, one, two] = [await placePaid(ada), await placePaid(ada, 2), await placePaid(bob)]
  const { shipped: first } = await ship(told._id)
  expect(await emails()).toHaveLength(1)
  const { shipped } = await ship(one._id, two._id)
  const ids = [...first, ...shipped].map(({ _id }) => _id)
  const undo = () => admin.undoShipments({ body: { shipments: [...ids, 'nothing'] } })
  for (const _ of [1, 2])
    expect(await undo()).toEqual({
      removed: shipped.map(({ _id }) => _id),
      failed: [
        {
          _id: ids[0],
          number: told.number,
          name: 'Ada',
          reason: expect.stringContaining('already got the email'),
        },
        { _id: 'nothing', number: null, name: null, reason: 'This shipment doesn’t exist.' },
      ],
    })
  expect(await emails()).toHaveLength(1)
  expect(await shipments(one._id)).toEqual([])
  expect(await shipments(told._id)).toHaveLength(1)
  expect((await listOrders(shop, { status: 'pending' })).rows.map(({ _id }) => _id)).toEqual([
    one._id,
    two._id,
  ])
})

test('saveTracking saves carrier and number of each shipment, or neither with its error', async () => {
  const { ada, bob, admin, placePaid, ship } = await setup()
  const orders = [await placePaid(ada), await placePaid(bob), await placePaid(bob)]
  const { shipped } = await ship(...orders.map(({ _id }) => _id))
  const [first, second, third] = shipped.map(({ _id }) => _id) as [string, string, string]
  await admin.updateTracking({ params: { id: third }, body: { trackingNumber: 'OTHER 1' } })
  const before = { carrier: null, trackingNumber: null }
  const result = await admin.saveTracking({
    body: {
      shipments: [
        { _id: first, carrier: 'ups', trackingNumber: '1Z 999', before },
        { _id: second, carrier: 'UPS', trackingNumber: '1Z/999', before },
        { _id: third, carrier: 'UPS', trackingNumber: '1Z 998', before },
        { _id: 'nothing', trackingNumber: '1Z 997' },
      ],
    },
  })
  expect(result.saved).toEqual([first])
  expect(result.failed.map(({ _id, number, reason }) => [_id, number, reason])).toEqual([
    [second, orders[1]!.number, 'Use only A–Z, 0–9, spaces and dashes'],
    [third, orders[2]!.number, expect.stringContaining('OTHER 1')],
    ['nothing', null, 'This shipment doesn’t exist.'],
  ])
  const trackings = await Promise.all(
    orders.map(async ({ _id: id }) => {
      const [shipment] = await admin.listShipments({ params: { id } })
      return [shipment!.carrier, shipment!.trackingNumber]
    }),
  )
  expect(trackings).toEqual([
    ['UPS', '1Z 999'],
    [null, null],
    [null, 'OTHER 1'],
  ])
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
