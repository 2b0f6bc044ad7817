import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/database.ts'
import { orderLines, orders, parts, type Queries, users } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import { placePurchase } from '#shop/orders/place/place.server.ts'
import { createOrderBatches } from '#shop/orders/place/write.server.ts'
import { loseRace, urlOf, waitingForLocks } from '#test/locks.ts'
import {
  clientOf,
  copyOrder,
  createPart,
  createUser,
  payByCard,
  payOrderByCard,
  purchase,
  readStock,
  testShop,
} from '#test/shop.ts'

// What the loser of a race is told: an answer with words, at the field that it is about, and never a 500.

async function setup(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const part = await createPart(shop)
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const place = (quantity = 10, key?: string) =>
    client.placePurchase({ body: { ...purchase, partId: part._id, quantity }, ...(key && { key }) })
  const setPart = (values: Partial<typeof parts.$inferInsert>) => (tx: Pick<typeof shop.db, 'update'>) =>
    tx.update(parts).set(values).where(eq(parts._id, part._id))
  return { shop, part, ada, boss, client, admin, place, setPart }
}

type Told = { status: number; message: string; fields?: object }

const rejections = (outcomes: PromiseSettledResult<unknown>[]): Told[] =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Told] : []))
const results = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))

/** The message, also at its field. */
const atField = (field: string, status: number, message: string) => ({
  status,
  message,
  fields: { [field]: [message] },
})

test('a buyer who loses the last units is told how many are left', async () => {
  const { shop, part, place, setPart } = await setup()
  const outcomes = await loseRace(shop, setPart({ availableQuantity: 9 }), [place])
  const message = "Purchase can't be higher than 9 available quantity."
  const atMinimum = 'Purchase atleast minimum 10 quantity.'
  expect(rejections(outcomes)).toMatchObject([atField('quantity', 409, message)])
  await expect(place(9)).rejects.toMatchObject(atField('quantity', 400, atMinimum))
  expect(await readStock(shop, part)).toBe(9)
})

test('a buyer below a minimum quantity that was raised meanwhile is told the minimum', async () => {
  const { shop, place, setPart } = await setup()
  const outcomes = await loseRace(shop, setPart({ minQuantity: 11 }), [place])
  expect(rejections(outcomes)).toMatchObject([
    atField('quantity', 409, 'Purchase atleast minimum 11 quantity.'),
  ])
})

test('a buyer of a part that is deleted meanwhile is told that it is no longer sold', async () => {
  const { shop, part, place, setPart } = await setup()
  const outcomes = await loseRace(shop, setPart({ deletedAt: new Date().toISOString() }), [place])
  expect(rejections(outcomes)).toMatchObject([{ status: 404, message: 'This part is no longer for sale.' }])
  expect([await readStock(shop, part), await shop.db.$count(orders)]).toEqual([50, 0])
})

test('an order that waits for its part does not hold up orders of other parts', async () => {
  const { shop, ada, part } = await setup()
  const bell = await createPart(shop, { name: 'Bell' })
  const place = (buyer: typeof ada, { _id: partId }: { _id: string }) =>
    placePurchase(shop, buyer, { ...purchase, partId, parts: undefined, quantity: 10 })
  const { waiting } = await shop.db.transaction(async (tx) => {
    await tx.select().from(parts).where(eq(parts._id, part._id)).for('update')
    const waiting = place(ada, part)
    await expect.poll(() => waitingForLocks(shop.db)).toBe(1)
    await place(await createUser(shop, 'Bob'), bell)
    return { waiting }
  })
  expect((await waiting).number).toBe('1002')
})

test('an order whose part, or the counter of orders, stays locked is refused after a while and can be placed afterwards', async () => {
  const { shop, ada, part } = await setup()
  const impatient = await openDatabase({ kind: 'server', url: await urlOf(shop.db), connectMs: 5_000 })
  const place = () =>
    placePurchase({ ...shop, db: impatient.db, orderBatches: createOrderBatches(impatient.db) }, ada, {
      ...purchase,
      partId: part._id,
      parts: undefined,
      quantity: 10,
    })
  try {
    for (const locked of [
      sql`select from parts where id = ${part._id} for update`,
      sql`lock table order_counter`,
    ])
      await shop.db.transaction(async (tx) => {
        await tx.execute(locked)
        const error = await place().catch((error) => error)
        expect(isUnavailable(error) || error.code).toBeOneOf([true, 'unavailable'])
      })
    expect((await place()).number).toBe('1001')
  } finally {
    await impatient.close()
  }
})

test('of two requests with one Idempotency-Key and different bodies, the loser is told that the key is used', async () => {
  const { part, place, shop, client, ada } = await setup()
  const keyUsed = {
    status: 409,
    message: 'This Idempotency-Key was already used for a different request.',
  }
  const ordered = await Promise.allSettled([place(10, 'once'), place(11, 'once')])
  expect(rejections(ordered)).toMatchObject([keyUsed])
  expect([39, 40]).toContain(await readStock(shop, part))
  const save = (address: string) =>
    client.addAddress({
      params: { email: ada.email },
      body: { address, phoneNumber: '01709876543' },
      key: 'once',
    })
  const saved = await Promise.allSettled([save('4 Canal Street'), save('5 Canal Street')])
  expect(rejections(saved)).toMatchObject([keyUsed])
})

test('a customer whose concurrent orders reach the limit of unpaid orders is told how many there are', async () => {
  const { shop, place } = await setup({ rateLimits: true })
  await shop.db.update(parts).set({ availableQuantity: 100_000 })
  await place()
  await copyOrder(shop, 98)
  // One statement places them, and waits for the part.
  const holdPart = (tx: Queries) => tx.select().from(parts).for('update')
  const outcomes = await loseRace(shop, holdPart, [place, place, place], 1)
  expect(results(outcomes)).toHaveLength(1)
  expect(rejections(outcomes)).toMatchObject(
    Array(2).fill({
      status: 429,
      message: 'You have 100 unpaid orders. Pay or cancel some of them first.',
    }),
  )
})

test('concurrent orders of a paying customer reach the limit of unpaid orders and do not exceed it', async () => {
  const { shop, ada, place } = await setup({ rateLimits: true })
  await shop.db.update(parts).set({ availableQuantity: 100_000 })
  await payOrderByCard(shop, ada, await place(2_000))
  const { _id } = await place()
  await copyOrder(shop, 98, _id)
  // One of them waits for the part, the others for it.
  const holdPart = (tx: Queries) => tx.select().from(parts).for('update')
  const outcomes = await loseRace(shop, holdPart, [place, place, place], 1)
  expect(results(outcomes)).toHaveLength(1)
  expect(rejections(outcomes)).toMatchObject(Array(2).fill({ status: 429 }))
})

test('concurrent buyers of one network above its share are told so at the quantity', async () => {
  const { shop, part } = await setup({ rateLimits: true })
  await shop.db.update(parts).set({ availableQuantity: 1_000 })
  const buyers = await Promise.all(
    ['Bob', 'Cy'].map((name) => createUser(shop, name, 'customer', { confirmed: false })),
  )
  const clients = await Promise.all(buyers.map((buyer) => clientOf(shop, buyer)))
  const body = { ...purchase, partId: part._id, quantity: 60 }
  const outcomes = await Promise.allSettled(clients.map((client) => client.placePurchase({ body })))
  const message =
    'You can reserve at most 40 of this part until you’ve paid for your first order. Confirm your email address in My Profile to reserve more.'
  expect(rejections(outcomes)).toMatchObject([atField('quantity', 409, message)])
})

test('the loser of concurrent cancellations is told that there is no such order', async () => {
  const { shop, part, client, place } = await setup()
  const { _id: id } = await place()
  const cancel = () => client.cancelPurchase({ params: { id } })
  const outcomes = await loseRace(
    shop,
    async (tx) => {
      await tx.select().from(orders).where(eq(orders._id, id)).for('update')
      await tx.update(orderLines).set({ cancelledAt: new Date().toISOString() }).where(eq(orderLines._id, id))
    },
    [cancel, cancel],
  )
  expect(rejections(outcomes)).toMatchObject(
    Array(2).fill({ status: 404, message: 'This order doesn’t exist or was cancelled.' }),
  )
  expect(await readStock(shop, part)).toBe(40)
})

test('whoever loses between paying and cancelling is told what happened', async () => {
  const { shop, client, place } = await setup()
  for (let round = 0; round < 5; round++) {
    const { _id: id, price } = await place()
    const { clientSecret } = await client.startPayment({ body: { price, purchase: id } })
    const params = { id }
    const outcomes = await Promise.allSettled([
      payByCard(shop, clientSecret).then((paid) =>
        client.payPurchase({ params, body: { transactionId: paid.id } }),
      ),
      client.cancelPurchase({ params }),
    ])
    for (const { status, message } of rejections(outcomes)) {
      expect([402, 404, 409]).toContain(status)
      expect(message).toMatch(
        /^(We couldn’t confirm this payment|This order doesn’t exist|This order is paid, so it can’t be cancelled|A payment for this order is in progress or complete)/,
      )
    }
    expect(rejections(outcomes).length).toBeGreaterThan(0)
    await client.cancelPurchase({ params }).catch(() => {})
  }
})

test('the loser of two refunds is told at the amount what is left', async () => {
  const { shop, ada, admin, place } = await setup()
  const { _id: id } = await payOrderByCard(shop, ada, await place())
  const other = await clientOf(shop, await createUser(shop, 'Other', 'admin'))
  const body = { amount: 50, reason: 'It was bent.', returned: 0 }
  const outcomes = await loseRace(
    shop,
    (tx) => tx.update(orders).set({ phoneNumber: '5550101' }).where(eq(orders._id, id)),
    [admin, other].map((by) => () => by.refundPurchase({ params: { id }, body })),
  )
  expect(results(outcomes)).toMatchObject([{ refunded: 50 }])
  const [told] = rejections(outcomes)
  expect([400, 409]).toContain(told!.status)
  expect(told!.fields).toEqual({ amount: [expect.stringMatching(/\$20/)] })
})

test('shipping the same order twice at once ships it once and fails for nobody', async () => {
  const { shop, ada, admin, place } = await setup()
  const { _id: id } = await payOrderByCard(shop, ada, await place())
  const shipped = await Promise.all([1, 2, 3].map(() => admin.shipPurchase({ params: { id } })))
  expect(shipped.map(({ modifiedCount }) => modifiedCount).sort()).toEqual([0, 0, 1])
})

const form = {
  name: 'Chain',
  shortDescription: 'Twelve-speed',
  description: 'Runs quietly.',
  minQuantity: 10,
  availableQuantity: 60,
  perUnitPrice: 7,
  image: '/images/chain.webp',
}

test('an edit that loses to a sale is told the stock, and one that loses to a deletion that the part is gone', async () => {
  const { shop, part, admin, setPart } = await setup()
  const params = { partId: part._id }
  const edit = () => admin.updatePart({ params, body: { ...form, availableQuantityBefore: 50 } })
  const sold = await loseRace(shop, setPart({ availableQuantity: 40 }), [edit])
  expect(rejections(sold)).toMatchObject([
    atField('availableQuantity', 409, 'The stock has changed to 40. Check it and save again.'),
  ])
  await shop.db.update(parts).set({ availableQuantity: 50 })
  const deletion = setPart({ deletedAt: new Date().toISOString() })
  const restock = () => admin.restockPart({ params, body: { arrived: 1 } })
  const gone = await loseRace<unknown>(shop, deletion, [edit, restock])
  expect(rejections(gone)).toMatchObject(Array(2).fill({ status: 404, message: 'This part doesn’t exist.' }))
})

test('whoever loses a part name is told at the name, whether adding or renaming', async () => {
  const { shop, part, admin } = await setup()
  const { _id, number, ...copy } = part
  const rotor = { ...form, name: 'Rotor', availableQuantity: 50 }
  const outcomes = await loseRace<unknown>(
    shop,
    (tx) => tx.insert(parts).values({ ...copy, name: 'ROTOR', partNumber: 'ROTOR' }),
    [
      () => admin.addPart({ body: rotor }),
      () => admin.updatePart({ params: { partId: part._id }, body: rotor }),
    ],
  )
  const message = 'A part named Rotor already exists. Choose another name.'
  expect(rejections(outcomes)).toMatchObject(Array(2).fill(atField('name', 409, message)))
})

test('a restock that loses the room in stock is told what is there', async () => {
  const { shop, part, admin, setPart } = await setup()
  const restock = () => admin.restockPart({ params: { partId: part._id }, body: { arrived: 500_000 } })
  const outcomes = await loseRace(shop, setPart({ availableQuantity: 500_000 }), [restock, restock])
  expect(results(outcomes)).toEqual([{ availableQuantity: 1_000_000 }])
  expect(rejections(outcomes)).toMatchObject([
    atField('arrived', 400, 'Enter at most 0: 1,000,000 are already in stock'),
  ])
})

test('deleting the same part twice at once deletes it once and fails for nobody', async () => {
  const { part, admin } = await setup()
  const deleted = await Promise.all([1, 2, 3].map(() => admin.deleteProduct({ params: { id: part._id } })))
  expect(deleted.map(({ deletedCount }) => deletedCount).sort()).toEqual([0, 0, 1])
})

test('an order that was composed with a tax status that changes meanwhile is composed again with the new one', async () => {
  const { shop, ada, admin, client, part } = await setup()
  const rate = { name: 'VAT', country: 'AT', regions: [], class: 'standard' as const, millionths: 200_000 }
  const valid = { from: '2020-01-01', until: null, onDelivery: true, reverseCharge: true }
  const tax = { mode: 'exclusive' as const, rates: [{ ...rate, ...valid }] }
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, zones: [], tax, note: '' } })
  const vatId = {
    country: 'AT',
    number: 'ATU13585627',
    checked: { at: new Date().toISOString(), by: 'Boss' },
  }
  const change = (taxStatus: object | null) => (tx: Queries) =>
    tx.update(users).set({ taxStatus }).where(eq(users._id, ada._id))
  const body = { ...purchase, country: 'AT', lines: [{ partId: part._id, quantity: 10 }] }
  const placed = async (status: object | null, total?: number) => {
    const outcomes = await loseRace(shop, change(status), [
      async () => (await client.placeOrder({ body: { ...body, total } })).charges.tax,
    ])
    return [...results(outcomes), ...rejections(outcomes)]
  }
  expect(await placed({ vatId, exemption: null })).toEqual([0])
  expect(await placed(null)).toEqual([1_400])
  // Who was shown the total of the old status is told the new one.
  expect(await placed({ vatId, exemption: null }, 8_400)).toMatchObject([
    atField('total', 409, 'The total is now $70.'),
  ])
  expect(await shop.db.$count(orders)).toBe(2)
})
