import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { bankSdk } from '#test/bank.ts'
import { chargedShop, euRates, usRates, withRates } from '#test/charges.ts'
import { clientOf, createPart, createUser, withPayments } from '#test/shop.ts'

test('an order of inclusive prices is paid as shown with delivery, and says what tax is in it', async () => {
  const { shop, place, pay, expectConsistent } = await chargedShop()
  const order = await place()
  // 21 + 101 at 19 %, 40 at 7 %; delivery of 11.90 in proportion.
  expect(order.charges).toMatchObject({ total: 16_200 + 1_190, mode: 'inclusive' })
  expect(order).toMatchObject({ price: 162, charged: 173.9, deliveryCharge: { charged: 11.9 } })
  const { goods, delivery, tax, taxes } = order.charges
  expect(goods + delivery + tax).toBe(17_390)
  expect(taxes.map(({ rate }) => rate?.millionths)).toEqual([190_000, 70_000])
  const paid = await pay(order)
  expect(paid).toMatchObject({ paid: true, charged: 173.9 })
  const payment = await shop.payments.find(paid.transactionId!)
  expect(payment!.amountCents).toBe(17_390)
  const [placed, receipt] = await shop.db.select().from(outbox).orderBy(outbox.createdAt)
  expect(placed!.actions).toMatchObject([{ label: 'Pay $173.90' }])
  for (const line of ['Delivery: $11.90', 'Order total: $173.90', 'incl. VAT 19 %: $20.91'])
    expect(receipt!.body).toContain(line)
  await expectConsistent()
})

test('an order of exclusive prices adds tax, in one state also on delivery', async () => {
  const { place, pay, expectConsistent } = await chargedShop(usRates, 'US')
  const to = (region: string) => ({ country: 'US', postcode: '94016', town: 'Bay', region })
  const [ca, wa] = [await place(to('CA')), await place(to('WA'))]
  expect(ca.charges).toMatchObject({ goods: 16_200, delivery: 1_550, tax: 1_083 + 0, total: 18_833 })
  expect(wa.charges).toMatchObject({ goods: 16_200, delivery: 1_550, deliveryTax: 118, tax: 1_350 })
  await pay(ca)
  await pay(wa)
  await expectConsistent()
})

test('an address without delivery, a total that was shown before, and a price that has changed are refused', async () => {
  const { place, client, lines, german } = await chargedShop()
  await expect(place({ country: 'FR', postcode: '75001' })).rejects.toMatchObject({
    status: 400,
    fields: { country: [expect.stringMatching(/^We don’t deliver to this address in France yet/)] },
  })
  await expect(place({ total: 16_200 })).rejects.toMatchObject({
    status: 409,
    fields: { total: ['The total is now $173.90.'] },
  })
  const body = { lines, country: german.country, postcode: german.postcode }
  const { charges, missingForFreeDelivery } = await client.estimateCharges({ body })
  expect(missingForFreeDelivery).toBe(100_000 - charges!.goods)
  expect((await place({ total: charges!.total })).charges).toEqual(charges)
})

test('rates that change between the basket and the order are never charged as before', async () => {
  const { shop, admin, ada, lines, german } = await chargedShop()
  const changed = {
    ...euRates,
    zones: [{ ...euRates.zones[0]!, rate: { by: 'order' as const, cents: 5_000 } }],
  }
  const update = () => admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, ...changed } })
  // Another process, which has not heard of it.
  const other = withRates(shop, euRates, 'DE')
  await update()
  const late = await (await clientOf(other, ada)).placeOrder({ body: { ...german, lines } })
  expect(late.charges.total).toBe(16_200 + 5_000)
  await expect(
    (await clientOf(withRates(shop, euRates, 'DE'), ada)).placeOrder({
      body: { ...german, lines, total: 17_390 },
    }),
  ).rejects.toMatchObject({ fields: { total: ['The total is now $212.'] } })
})

test('the threshold counts again when an unpaid item goes, and the tax is that of the rest', async () => {
  const { place, client, pay, hub, lines, expectConsistent } = await chargedShop()
  const order = await place({ lines: [...lines.slice(0, 2), { partId: hub._id, quantity: 12 }] })
  expect(order.charges).toMatchObject({ delivery: 0, total: (21 + 40 + 1_212) * 100 })
  await client.startPayment({ body: { price: order.price, purchase: order._id } })
  await client.cancelPurchase({ params: { id: order.lines[2]!._id } })
  const rest = await client.readOrder({ params: { id: order._id } })
  expect(rest.charges.total).toBe(6_100 + 1_190)
  expect(rest.charges.goods + rest.charges.delivery + rest.charges.tax).toBe(rest.charges.total)
  const before = client.startPayment({
    body: { price: rest.price, total: order.charges.total, purchase: rest._id },
  })
  await expect(before).rejects.toMatchObject({ status: 409 })
  await pay(rest)
  await expectConsistent()
})

test('an unpaid order that goes elsewhere is charged anew, and a paid one goes only where it costs the same', async () => {
  const { place, client, pay, german, admin, expectConsistent } = await chargedShop()
  const order = await place()
  await client.startPayment({ body: { price: order.price, purchase: order._id } })
  const params = { id: order._id }
  const austrian = { ...german, country: 'AT', postcode: '1010', town: 'Wien' }
  await client.changeDelivery({ params, body: austrian })
  const moved = await client.readOrder({ params })
  expect(moved.charges).toMatchObject({ total: 16_200 + 2_400, taxes: [{ rate: { country: 'AT' } }, {}] })
  await expect(
    client.changeDelivery({ params, body: { ...german, country: 'FR', postcode: '75001' } }),
  ).rejects.toMatchObject({ status: 400 })
  const paid = await pay(moved)
  await client.changeDelivery({ params, body: { ...austrian, address: '2 Hub Road' } })
  await expect(client.changeDelivery({ params, body: german })).rejects.toMatchObject({ status: 409 })
  await admin.changeDelivery({ params, body: german })
  expect((await client.readOrder({ params })).charges).toEqual(paid.charges)
  await expectConsistent()
})

test('refunds in any parts end at exactly nothing, delivery with its tax', async () => {
  const { shop, place, pay, client, admin, expectConsistent } = await chargedShop()
  const paid = await pay(await place())
  const [chain, tyre, hub] = paid.lines
  const params = { id: paid._id }
  const share = (line: typeof chain, amount: number) => ({ lineId: line!._id, amount, returned: 0 })
  const refund = (lines: ReturnType<typeof share>[], delivery?: number) =>
    admin.refundOrder({ params, body: { lines, delivery, reason: 'Bent.' } })
  await refund([share(chain, 7), share(tyre, 19.99)], 5)
  await expect(refund([], 7)).rejects.toMatchObject({
    fields: { delivery: ['You can refund at most $6.90 of the delivery.'] },
  })
  await refund([], 6.9)
  await refund([share(hub, 0.01)])
  await bankSdk(shop).refunds.create({ payment_intent: paid.transactionId!, amount: 333 })
  await settlePayment(shop, (await shop.payments.find(paid.transactionId!))!)
  await expectConsistent()
  const left = await client.readOrder({ params })
  const rest = left.lines.map((line) => share(line, Math.round((line.charged - line.refunded) * 100) / 100))
  await refund(rest)
  expect(await admin.readCustomer({ params: { id: paid.email } })).toMatchObject({
    paid: 0,
    refunded: 173.9,
  })
  expect(await client.readOrder({ params })).toMatchObject({
    refunded: 173.9,
    deliveryCharge: { charged: 11.9, refunded: 11.9 },
  })
  expect(
    (await shop.payments.find(paid.transactionId!))!.refunds.reduce((sum, one) => sum + one.amountCents, 0),
  ).toBe(17_390)
  await expectConsistent()
})

test('the timeline and the emails say what of a refund is for delivery', async () => {
  const { shop, ada, place, pay, client, admin } = await chargedShop()
  await shop.db
    .update(users)
    .set({ emailConfirmedAt: new Date().toISOString() })
    .where(eq(users._id, ada._id))
  const paid = await pay(await place())
  const [chain] = paid.lines
  const params = { id: paid._id }
  const refund = (amount: number, delivery?: number) => {
    const lines = amount > 0 ? [{ lineId: chain!._id, amount, returned: 0 }] : []
    return admin.refundOrder({ params, body: { lines, delivery, reason: 'Bent.' } })
  }
  await refund(7, 5)
  await refund(0, 6.9)
  await refund(3)
  const amountsOf = (events: Awaited<ReturnType<typeof client.readTimeline>>) =>
    events.flatMap(({ kind, amount, delivery }) => (kind === 'refunded' ? [[amount, delivery]] : []))
  expect(amountsOf(await client.readOrderTimeline({ params }))).toEqual([
    [12, 5],
    [6.9, 6.9],
    [3, undefined],
  ])
  expect(amountsOf(await client.readTimeline({ params }))).toEqual([
    [7, undefined],
    [6.9, 6.9],
    [3, undefined],
  ])
  const emails = await shop.db.select().from(outbox).orderBy(outbox.createdAt)
  const bodies = emails.filter(({ subject }) => subject.startsWith('Refund of')).map(({ body }) => body)
  expect(bodies[0]).toContain('including $5 for delivery')
  expect(bodies[1]).toContain('$6.90 of what you paid for delivery')
  expect(bodies[2]).not.toContain('delivery')
})

test('the export of payments and the overview add up to what was paid and refunded', async () => {
  const { place, pay, admin } = await chargedShop()
  const paid = await pay(await place())
  const [chain] = paid.lines
  const lines = [{ lineId: chain!._id, amount: 7, returned: 0 }]
  await admin.refundOrder({ params: { id: paid._id }, body: { lines, delivery: 5, reason: 'Bent.' } })
  const day = new Date().toISOString().slice(0, 10)
  const csv = await (await admin.exportPayments({ body: { from: day, to: day } })).text()
  const [head, ...rows] = csv
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
  const cents = (name: string) =>
    rows.map((row) => Math.round(Number(row[head!.indexOf(name)]) * 100)).reduce((sum, one) => sum + one, 0)
  expect(rows).toHaveLength(4)
  expect(cents('Amount')).toBe(17_390 - 1_200)
  expect(cents('Net') + cents('Tax')).toBe(cents('Amount'))
  const { salesCents, deliveryCents, taxCents } = (await admin.readOverview({ body: {} })).current
  expect(salesCents + deliveryCents + taxCents).toBe(cents('Amount'))
  expect(taxCents).toBe(cents('Tax'))
  expect(deliveryCents).toBeGreaterThan(0)
})

test('a customer who cancels all that was paid gets the delivery back, too, and one item without it', async () => {
  const { place, pay, client, expectConsistent } = await chargedShop()
  const paid = await pay(await place())
  const [chain, ...others] = paid.lines
  const params = { id: paid._id }
  await client.cancelItems({ params, body: { lines: [chain!._id] } })
  expect(await client.readOrder({ params })).toMatchObject({ refunded: 21 })
  await client.cancelItems({ params, body: { lines: others.map(({ _id }) => _id) } })
  expect(await client.readOrder({ params })).toMatchObject({ refunded: 173.9 })
  await expectConsistent()
})

test('an order of a checked VAT ID abroad has no tax, and loses it with the check', async () => {
  const { shop, ada, place, german, expectConsistent } = await chargedShop()
  const austrian = { ...german, country: 'AT', postcode: '1010' }
  const vatId = { country: 'AT', number: 'ATU13585627' }
  const save = (taxStatus: object) => shop.db.update(users).set({ taxStatus }).where(eq(users._id, ada._id))
  const taxed = await place(austrian)
  expect(taxed.charges.tax).toBeGreaterThan(0)
  await save({ vatId: { ...vatId, checked: { at: 'x', by: 'Boss' } }, exemption: null })
  const reversed = await place(austrian)
  expect(reversed.charges).toMatchObject({
    tax: 0,
    buyerTaxId: 'ATU13585627',
    taxes: [{ reason: 'reverse charge' }, { reason: 'reverse charge' }],
  })
  // 19 % and 7 % of the shop’s country are taken out of the prices.
  expect(reversed.charges.total).toBe(Math.round(14_007 / 1.19) + Math.round(4_593 / 1.07))
  await save({ vatId: { ...vatId, checked: null }, exemption: null })
  expect((await place(austrian)).charges).toEqual(taxed.charges)
  await expectConsistent()
})

test('an order that no payment could pay is refused', async () => {
  const { shop, client, german } = await chargedShop(usRates, 'US')
  const frame = await createPart(shop, { name: 'Frame', perUnitPrice: 950_000, minQuantity: 1 })
  const body = { ...german, country: 'US', region: 'WA', postcode: '98101', town: 'Bay' }
  const lines = [{ partId: frame._id, quantity: 1 }]
  await expect(client.placeOrder({ body: { ...body, lines } })).rejects.toMatchObject({
    status: 400,
    message: 'An order can total at most $999,999.99.',
  })
  const huge = [{ partId: frame._id, quantity: 2_000_000_000 }]
  expect(await client.estimateCharges({ body: { country: 'US', region: 'WA', lines: huge } })).toMatchObject({
    charges: null,
    problem: expect.stringMatching(/at most/),
  })
  expect(await client.estimateCharges({ body: { country: 'US', lines } })).toMatchObject({
    charges: null,
    problem: null,
    notes: [expect.stringMatching(/^Choose the state/)],
  })
})

test('another phone number changes nothing that is charged, also after the rates have changed', async () => {
  const { place, client, admin, german } = await chargedShop()
  const order = await place()
  await admin.updateSettings({
    body: { section: 'deliveryAndTax', version: 0, ...euRates, zones: [euRates.zones[1]!] },
  })
  const params = { id: order._id }
  await client.changeDelivery({ params, body: { ...german, phoneNumber: '5550199' } })
  expect((await client.readOrder({ params })).charges).toEqual(order.charges)
  await expect(
    client.changeDelivery({ params, body: { ...german, postcode: '20095' } }),
  ).rejects.toMatchObject({
    status: 400,
  })
})

test('an item can be cancelled where what is left would need a weight that nobody knows', async () => {
  const [germany] = euRates.zones
  const byWeight = {
    ...germany!,
    rate: { by: 'weight' as const, steps: [{ upTo: null, cents: 900 }] },
    freeFrom: 10_000,
  }
  const { place, client, expectConsistent } = await chargedShop({ ...euRates, zones: [byWeight] })
  const order = await place()
  expect(order.deliveryCharge.charged).toBe(0)
  await client.cancelPurchase({ params: { id: order.lines[2]!._id } })
  expect(await client.readOrder({ params: { id: order._id } })).toMatchObject({
    charges: { delivery: 0, total: 6_100 },
  })
  await expectConsistent()
})

test('a pending refund of delivery alone is listed, and one made at the provider leaves it its room', async () => {
  const { shop, place, pay, admin, client, expectConsistent } = await chargedShop()
  const paid = await pay(await place())
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  const zoe = await clientOf(silent, await createUser(shop, 'Zoe', 'admin'))
  const params = { id: paid._id }
  await zoe.refundOrder({ params, body: { lines: [], delivery: 11.9, reason: 'Late.' } })
  expect((await admin.listOrders({ body: { status: 'refund pending' } })).rows).toMatchObject([
    { _id: paid._id },
  ])
  await bankSdk(shop).refunds.create({ payment_intent: paid.transactionId!, amount: 16_200 })
  await settlePayment(shop, (await shop.payments.find(paid.transactionId!))!)
  expect(await client.readOrder({ params })).toMatchObject({
    refunded: 173.9,
    deliveryCharge: { refunded: 11.9 },
    lines: [{ refunded: 21 }, { refunded: 40 }, { refunded: 101 }],
  })
  await expectConsistent()
})

test('a refund at the provider of more than nobody waits for leaves no item and no delivery refunded twice', async () => {
  const { shop, place, pay, client, expectConsistent } = await chargedShop()
  const paid = await pay(await place())
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  const zoe = await clientOf(silent, await createUser(shop, 'Zoe', 'admin'))
  const params = { id: paid._id }
  const refund = (lines: { lineId: string; amount: number; returned: number }[], delivery?: number) =>
    zoe.refundOrder({ params, body: { lines, delivery, reason: 'Late.' } })
  await refund([], 11.9)
  await refund([{ lineId: paid.lines[2]!._id, amount: 101, returned: 0 }])
  await bankSdk(shop).refunds.create({ payment_intent: paid.transactionId!, amount: 10_000 })
  await settlePayment(shop, (await shop.payments.find(paid.transactionId!))!)
  await reconcile(shop, Date.now() + 3_600_000)
  const after = await client.readOrder({ params })
  expect(after.deliveryCharge).toMatchObject({ refunded: 11.9, refundPending: 0 })
  expect(after.refunded).toBe(111.9)
  await expectConsistent()
})
