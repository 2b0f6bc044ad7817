import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { shipments } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { expectConsistentLedger, shopWithOrder } from '#test/bank.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, withPayments } from '#test/shop.ts'

const minute = 60_000
const hour = 60 * minute
const dhl = { carrier: 'dhl', trackingNumber: 'JD 014' }

afterEach(() => void vi.restoreAllMocks())

/** Ada’s paid order of 10 × Chain and, as a second one, of 10 × Tyre and 20 × Tube. */
async function setup() {
  const context = await shopWithOrder()
  const { shop, part, ada, client, admin, order } = context
  await payOrderByCard(shop, ada, order)
  const parts = [await createPart(shop, { name: 'Tyre' }), await createPart(shop, { name: 'Tube' })]
  const lines = parts.map(({ _id: partId }, i) => ({ partId, quantity: 10 * (i + 1) }))
  const placed = await client.placeOrder({ body: { ...purchase, lines } })
  await payOrderByCard(shop, ada, { ...placed.lines[0]!, price: placed.price })
  const [tyre, tube] = placed.lines as [(typeof placed.lines)[0], (typeof placed.lines)[0]]
  const params = { id: order._id }
  return {
    ...context,
    params,
    tyre,
    tube,
    both: { id: placed._id },
    ship: (quantity: number, lineId = order._id, id = lineId, body = {}) =>
      admin.shipOrder({ params: { id }, body: { ...body, lines: [{ lineId, quantity }] } }),
    setShipping: (shipping: boolean, id = order._id) =>
      admin.shipPurchase({ params: { id }, body: { shipping } }),
    refund: (returned: number, user = admin) =>
      user.refundPurchase({ params, body: { amount: 7, reason: 'It was bent.', returned } }),
    state: async (id = order._id) => {
      const { shipping, shippedQuantity, toShip, shippedAt } = await client.readPurchase({ params: { id } })
      expect(shippedAt !== null).toBe(shipping)
      return { shipping, shippedQuantity, toShip }
    },
    contents: async (id = order._id) =>
      (await client.listShipments({ params: { id } })).map(({ lines }) =>
        lines.map(({ parts, quantity }) => `${quantity} × ${parts}`),
      ),
    /** Sent about shipping after the waiting time, oldest first. */
    emails: async () => {
      await sendShippingEmails(shop, Date.now() + minute)
      const { rows } = await shop.mail.read({ q: ada.email })
      return rows.filter(({ subject }) => /has shipped|^Correction|^Tracking/.test(subject)).toReversed()
    },
    expectConsistentShipments: () => expectConsistentLedger(shop, [part._id, 50]),
  }
}

test('an item of which the rest is returned to stock shipped when its last part did', async () => {
  const { shop, client, params, tyre, ship, refund } = await setup()
  const { _id: id } = await ship(4)
  await ship(1, tyre._id)
  const createdAt = '2026-05-01T08:00:00.000Z'
  await shop.db.update(shipments).set({ createdAt }).where(eq(shipments._id, id))
  await refund(6)
  expect(await client.readPurchase({ params })).toMatchObject({ shipping: true, shippedAt: createdAt })
})

test('some parts of an item ship with a tracking number, and the status button ships the rest', async () => {
  const { admin, client, params, ship, setShipping, state, contents, expectConsistentShipments } =
    await setup()
  expect(await ship(4, undefined, undefined, dhl)).toMatchObject({
    carrier: 'DHL',
    trackingNumber: 'JD 014',
    trackingUrl: expect.stringMatching(/dhl\.com.*=JD014$/),
    lines: [{ lineId: params.id, parts: 'Chain', quantity: 4 }],
  })
  expect(await state()).toEqual({ shipping: false, shippedQuantity: 4, toShip: 6 })
  expect((await admin.listPurchases({ body: { status: 'shipped' } })).total).toBe(0)
  // Two orders, of which one has two such items.
  expect((await admin.readWorklist()).toShip).toBe(2)

  expect(await setShipping(true)).toEqual({ modifiedCount: 1 })
  expect(await state()).toEqual({ shipping: true, shippedQuantity: 10, toShip: 0 })
  expect((await admin.listPurchases({ body: { status: 'shipped' } })).total).toBe(1)
  expect((await admin.readWorklist()).toShip).toBe(1)
  expect(await contents()).toEqual([['4 × Chain'], ['6 × Chain']])
  const events = await client.readTimeline({ params })
  expect(events.slice(-2).map(({ kind, by, items }) => [kind, by, items])).toEqual([
    ['shipped', null, [{ parts: 'Chain', quantity: 4 }]],
    ['shipped', null, [{ parts: 'Chain', quantity: 6 }]],
  ])
  await expectConsistentShipments()
})

test('shipOrder without items ships all that is left of what is not refunded', async () => {
  const { admin, client, both, tyre, tube, ship, contents } = await setup()
  await ship(5, tube._id)
  const body = { amount: tyre.price, reason: 'It was bent.', returned: 0 }
  await admin.refundPurchase({ params: { id: tyre._id }, body })
  await admin.shipOrder({ params: both, body: {} })
  expect(await contents(both.id)).toEqual([['5 × Tube'], ['15 × Tube']])
  const { lines } = await client.readOrder({ params: both })
  expect(lines.map(({ shipping }) => shipping)).toEqual([false, true])
  await expect(admin.shipOrder({ params: both, body: {} })).rejects.toMatchObject({
    status: 409,
    message: 'Nothing in this order is left to ship.',
  })
})

test('one shipment holds several items, and each of their timelines names all of them', async () => {
  const { admin, client, both, tyre, tube } = await setup()
  const lines = [
    { lineId: tyre._id, quantity: 3 },
    { lineId: tube._id, quantity: 20 },
  ]
  await admin.shipOrder({ params: both, body: { lines } })
  const last = async (id: string) => (await client.readTimeline({ params: { id } })).at(-1)
  const [ofTyre, ofTube] = [
    { parts: 'Tyre', quantity: 3 },
    { parts: 'Tube', quantity: 20 },
  ]
  expect(await last(tyre._id)).toMatchObject({ kind: 'shipped', items: [ofTyre, ofTube] })
  expect(await last(tube._id)).toMatchObject({ kind: 'shipped', items: [ofTube, ofTyre] })
})

test('the timeline of an order has each shipment once, and names the item of a refund', async () => {
  const { admin, client, both, tyre, tube } = await setup()
  await admin.shipOrder({
    params: both,
    body: { lines: [tyre, tube].map(({ _id: lineId }) => ({ lineId, quantity: 1 })) },
  })
  const body = { amount: 5, reason: 'It was bent.', returned: 0 }
  await admin.refundPurchase({ params: { id: tube._id }, body })
  const events = [
    { kind: 'placed', items: [] },
    { kind: 'paid', amount: tyre.orderPrice, items: [] },
    {
      kind: 'shipped',
      items: [
        { parts: 'Tyre', quantity: 1 },
        { parts: 'Tube', quantity: 1 },
      ],
    },
    { kind: 'refunded', amount: 5, items: [{ parts: 'Tube', quantity: 0 }] },
  ]
  for (const id of [both.id, tube._id])
    expect(await client.readOrderTimeline({ params: { id } }), id).toMatchObject(events)
  const ofTyre = await client.readTimeline({ params: { id: tyre._id } })
  expect(ofTyre.map(({ kind }) => kind)).toEqual(['placed', 'paid', 'shipped'])
})

test('shipOrder refuses more than is left, naming each item, and ships none', async () => {
  const { admin, both, tyre, tube, params, setShipping, contents } = await setup()
  await setShipping(true, tyre._id)
  const lines = [
    { lineId: tyre._id, quantity: 1 },
    { lineId: tube._id, quantity: 21 },
    { lineId: params.id, quantity: 1 },
  ]
  await expect(admin.shipOrder({ params: both, body: { lines } })).rejects.toMatchObject({
    status: 409,
    message:
      'Tyre: Nothing of this item is left to ship. Tube: Only 20 left to ship. This item isn’t in the order.',
    fields: { 'lines.1.quantity': ['Only 20 left to ship.'] },
  })
  const twice = [1, 1].map((quantity) => ({ lineId: tube._id, quantity }))
  const refused = [{ lines: twice }, { lines: [] }, { lines: [{ lineId: tube._id, quantity: 0 }] }]
  for (const body of refused)
    await expect(admin.shipOrder({ params: both, body })).rejects.toMatchObject({ status: 400 })
  expect(await contents(both.id)).toEqual([['10 × Tyre']])
})

test('an unpaid or refunded order cannot be shipped in parcels', async () => {
  const { admin, params, place, ship } = await setup()
  await expect(ship(1, (await place())._id)).rejects.toMatchObject({
    status: 409,
    message: 'This order isn’t paid yet, so it can’t be shipped.',
  })
  await ship(1)
  await admin.refundPurchase({ params, body: { amount: 70, reason: 'It was bent.', returned: 0 } })
  await expect(ship(1)).rejects.toMatchObject({
    status: 409,
    message: 'Chain: This item was refunded, so it can’t be shipped.',
  })
})

test('when two admins ship the same parts at once, one is told how many are left', async () => {
  const { shop, ship, state, params, expectConsistentShipments } = await setup()
  const other = await clientOf(shop, await createUser(shop, 'Chief', 'admin'))
  const outcomes = await Promise.allSettled([
    ship(6),
    other.shipOrder({ params, body: { lines: [{ lineId: params.id, quantity: 6 }] } }),
  ])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map(({ reason }) => [reason.status, reason.message])).toEqual([
    [409, 'Chain: Only 4 left to ship.'],
  ])
  expect(await state()).toEqual({ shipping: false, shippedQuantity: 6, toShip: 4 })
  await expectConsistentShipments()
})

test('a shipment that is sent again under its Idempotency-Key ships once, and is of one order', async () => {
  const { admin, params, both, contents, state } = await setup()
  const body = { lines: [{ lineId: params.id, quantity: 3 }] }
  const sent = await Promise.all([1, 2].map(() => admin.shipOrder({ params, body, key: 'once' })))
  expect(sent[0]).toEqual(sent[1])
  expect(await state()).toMatchObject({ shippedQuantity: 3 })
  await admin.shipOrder({ params, body: {}, key: 'rest' })
  const other = admin.shipOrder({ params: both, body: {}, key: 'rest' })
  await expect(other).rejects.toMatchObject({ status: 409 })
  expect(await contents(both.id)).toEqual([])
})

test('parts that a refund returns to stock do not ship, unless the refund fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, boss, ship, refund, state, expectConsistentShipments } = await setup()
  const failing = (code: 'unavailable' | 'conflict') =>
    withPayments(shop, { refund: () => Promise.reject(new ShopError(code, 'No.')) })
  await ship(4)
  await refund(2)
  expect(await state()).toEqual({ shipping: false, shippedQuantity: 4, toShip: 4 })
  await expect(ship(5)).rejects.toMatchObject({ message: 'Chain: Only 4 left to ship.' })

  await refund(4, await clientOf(failing('unavailable'), boss))
  expect(await state()).toEqual({ shipping: true, shippedQuantity: 4, toShip: 0 })
  await reconcile(failing('conflict'), Date.now() + hour)
  expect(await state()).toEqual({ shipping: false, shippedQuantity: 4, toShip: 4 })
  await ship(4)
  expect(await state()).toEqual({ shipping: true, shippedQuantity: 8, toShip: 0 })
  await expectConsistentShipments()
})

test('a refund that was decided before some parts shipped is refused', async () => {
  const { admin, params, ship } = await setup()
  const refundAt = (shippedQuantity: number) =>
    admin.refundPurchase({
      params,
      body: { amount: 7, reason: 'It was bent.', returned: 10, shippedQuantity },
    })
  await ship(4)
  await expect(refundAt(0)).rejects.toMatchObject({
    status: 409,
    message: 'This item has just been shipped. To refund it anyway, submit the refund again.',
  })
  expect(await refundAt(4)).toMatchObject({ refunded: 7, toShip: 0, shipping: true })
})

test('marking an item as not shipped takes back its last shipment alone', async () => {
  const { ship, setShipping, state, contents, emails, client, params, expectConsistentShipments } =
    await setup()
  await ship(4)
  await emails()
  await setShipping(true)
  await setShipping(false)
  expect(await state()).toEqual({ shipping: false, shippedQuantity: 4, toShip: 6 })
  expect(await contents()).toEqual([['4 × Chain']])
  expect((await client.readTimeline({ params })).at(-1)).toMatchObject({
    kind: 'not shipped',
    items: [{ parts: 'Chain', quantity: 6 }],
  })
  expect((await emails()).map(({ subject }) => subject)).toEqual([
    'Part of order #1001 has shipped: 4 × Chain',
  ])
  await expectConsistentShipments()
})

test('marking an item as not shipped takes back more when returned parts make up for its last shipment', async () => {
  const { ship, refund, setShipping, state } = await setup()
  await ship(7)
  await ship(3)
  await refund(3)
  await setShipping(false)
  expect(await state()).toEqual({ shipping: false, shippedQuantity: 0, toShip: 7 })
})

test('a removed shipment is left to ship again, and only a customer who knows of it gets a correction', async () => {
  const { admin, both, tyre, tube, setShipping, contents, state, emails } = await setup()
  await setShipping(true)
  const lines = [
    { lineId: tyre._id, quantity: 3 },
    { lineId: tube._id, quantity: 20 },
  ]
  const ship = () => admin.shipOrder({ params: both, body: { lines } })
  const { _id: id } = await ship()
  expect(await admin.removeShipment({ params: { id } })).toEqual({ deletedCount: 1 })
  await expect(admin.removeShipment({ params: { id } })).rejects.toMatchObject({ status: 404 })
  expect(await contents(both.id)).toEqual([])
  expect(await state(tube._id)).toEqual({ shipping: false, shippedQuantity: 0, toShip: 20 })
  expect(await emails()).toHaveLength(1)

  const again = await ship()
  await emails()
  await admin.removeShipment({ params: { id: again._id } })
  const [, , correction] = await emails()
  expect(correction!.subject).toBe(
    'Correction: part of order #1002 (3 × Tyre and 1 more item) hasn’t shipped yet',
  )
  expect(correction!.text).toContain('3 × Tyre\n20 × Tube')
  expect(await state()).toMatchObject({ shippedQuantity: 10 })
})

test('each shipment has an email with its items, its tracking page and what is still to ship', async () => {
  const { ship, setShipping, emails, tyre, tube, both } = await setup()
  await ship(4, tube._id, both.id, dhl)
  await setShipping(true, tyre._id)
  const [first, second] = await emails()
  expect(first!.subject).toBe('Part of order #1002 has shipped: 4 × Tube')
  expect(first!.text).toContain('Carrier: DHL\nTracking number: JD 014')
  expect(first!.text).toMatch(/Track shipment:\nhttps:\/\/www\.dhl\.com\S+=JD014\n/)
  expect(first!.text).toContain('Still to ship:\n\n16 × Tube')
  expect(second!.text).not.toContain('Carrier')
})

test('a tracking number that changes before the email is in it, and one that changes later is emailed once', async () => {
  const { admin, params, ship, emails } = await setup()
  const { _id: id } = await ship(4, undefined, undefined, dhl)
  const update = (trackingNumber: string | null, carrier = 'UPS') =>
    admin.updateTracking({ params: { id }, body: { carrier, trackingNumber } })
  expect(await update('1Z 1')).toMatchObject({ carrier: 'UPS', trackingNumber: '1Z 1' })
  expect((await emails()).map(({ text }) => /Tracking number: .*/.exec(text)?.[0])).toEqual([
    'Tracking number: 1Z 1',
  ])
  await update('1Z 1')
  expect(await emails()).toHaveLength(1)
  await update('1Z 2')
  await update('1Z 3')
  const later = (await emails()).slice(1)
  expect(later.map(({ subject }) => subject)).toEqual(['Tracking number for order #1001: 4 × Chain'])
  expect(later[0]!.text).toContain('tracknum=1Z3')
  await update('1Z 4')
  await update(null)
  expect(await emails()).toHaveLength(2)

  const { _id: other } = await ship(1, undefined, undefined, dhl)
  await admin.updateTracking({ params: { id: other }, body: { carrier: 'DHL', trackingNumber: null } })
  expect((await emails()).at(-1)!.subject).toBe('Part of order #1001 has shipped: 1 × Chain')
  const listed = await admin.listShipments({ params })
  expect(listed.map(({ carrier, trackingNumber }) => [carrier, trackingNumber])).toEqual([
    ['UPS', null],
    ['DHL', null],
  ])
})

test('a tracking number replaces only the one that was read', async () => {
  const { admin, ship } = await setup()
  const { _id: id, carrier, trackingNumber } = await ship(4, undefined, undefined, dhl)
  const save = (number: string, before: { carrier: string | null; trackingNumber: string | null }) =>
    admin.updateTracking({ params: { id }, body: { carrier: 'UPS', trackingNumber: number, before } })
  await save('1Z 1', { carrier, trackingNumber })
  await expect(save('1Z 2', { carrier, trackingNumber })).rejects.toMatchObject({
    status: 409,
    message: 'Another admin changed this to “UPS, 1Z 1”. Save again to replace it.',
  })
  await expect(save('1Z 2', { carrier: 'DHL', trackingNumber: '1Z 1' })).rejects.toMatchObject({
    status: 409,
  })
  await save('1Z 1', { carrier, trackingNumber })
  expect(await save('1Z 2', { carrier: 'UPS', trackingNumber: '1Z 1' })).toMatchObject({
    trackingNumber: '1Z 2',
  })
})

test('items of an order that one admin ships without tracking within a minute are one shipment', async () => {
  const { shop, ship, setShipping, tyre, tube, both, contents, emails } = await setup()
  await ship(15, tube._id, both.id, dhl)
  await ship(2, tyre._id)
  for (const id of [tyre._id, undefined, tube._id]) await setShipping(true, id)
  expect(await contents()).toEqual([['10 × Chain']])
  expect(await contents(both.id)).toEqual([['15 × Tube'], ['2 × Tyre'], ['8 × Tyre', '5 × Tube']])
  await setShipping(false, tyre._id)
  const chief = await clientOf(shop, await createUser(shop, 'Chief', 'admin'))
  await chief.shipPurchase({ params: { id: tyre._id } })
  const separate = [['15 × Tube'], ['2 × Tyre'], ['5 × Tube'], ['8 × Tyre']]
  expect(await contents(both.id)).toEqual(separate)
  expect((await emails()).map(({ subject }) => subject)).toEqual([
    'Part of order #1002 has shipped: 15 × Tube',
    'Part of order #1002 has shipped: 2 × Tyre',
    'Order #1001 has shipped: 10 × Chain',
    'Part of order #1002 has shipped: 5 × Tube',
    'Part of order #1002 has shipped: 8 × Tyre',
  ])
  for (const isShipped of [false, true]) await setShipping(isShipped, tyre._id)
  expect(await contents(both.id)).toEqual(separate)
})

test('a customer cannot see the shipments of another', async () => {
  const { shop, params, ship } = await setup()
  await ship(4)
  const eve = await clientOf(shop, await createUser(shop, 'Eve'))
  await expect(eve.listShipments({ params })).rejects.toMatchObject({ status: 404 })
})
