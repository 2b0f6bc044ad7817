import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { outbox } from '#db/embedded.ts'
import { parts, type Queries, users } from '#db/schema.ts'
import { clientOf, createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'

const query = vi.spyOn(pg.Client.prototype, 'query')

/** Drafts of orders of a minimum quantity as the shop sends them, from a stock of 50. */
async function setup() {
  const shop = await testShop({ rateLimits: true })
  const part = await createPart(shop)
  const draftOf = async (name: string) => {
    const client = await clientOf(shop, await createUser(shop, name))
    query.mockClear()
    const { _id: id } = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
    const texts = query.mock.calls.flatMap((call) => (call as unknown[])[1])
    const [sent] = texts.filter((value) => String(value).startsWith('[{'))
    await client.cancelPurchase({ params: { id } })
    const [{ share: _, ...draft }] = JSON.parse(String(sent))
    return { ...draft, unpaid: '0 0' }
  }
  const place = (drafts: object[], name = sql`place_together`, db: Queries = shop.db) => {
    const sent = drafts.map((draft) =>
      // Also those within the texts, which are JSON themselves.
      JSON.stringify(draft).replaceAll(
        /(\\?"id\\?":\\?")[^"\\]+/g,
        (_, before) => before + crypto.randomUUID(),
      ),
    )
    const rows = executeRows<{ outcome: object }>(
      db,
      sql`select outcome from ${name}(${`[${sent.join()}]`}::jsonb, true) as outcome`,
    )
    return rows.then((rows) => rows.map(({ outcome }) => outcome))
  }
  return { shop, part, place, ada: await draftOf('Ada'), bob: await draftOf('Bob') }
}

test('orders that are placed together take from one stock and follow each other in their numbers and emails', async () => {
  const { shop, part, place, ada, bob } = await setup()
  const { unpaid: _, ...free } = ada
  const outcomes = await place([free, bob, ...Array(4).fill(free)])
  expect(outcomes).toEqual([
    ...[1003, 1004, 1005, 1006, 1007].map((number) => ({ outcome: 'placed', number })),
    { outcome: 'changed' },
  ])
  expect(await readStock(shop, part)).toBe(0)
  const subjects = (await shop.db.select().from(outbox).orderBy(outbox.number)).map(({ subject }) => subject)
  expect(subjects.slice(2)).toEqual(
    [1003, 1004, 1005, 1006, 1007].map((number) => `Your order #${number}: 10 × Chain`),
  )
})

test('of orders that a customer places together, one counts against the limits of unpaid orders at a time', async () => {
  const { place, ada, bob } = await setup()
  expect(await place([ada, bob, ada])).toMatchObject([
    { outcome: 'placed' },
    { outcome: 'placed' },
    { outcome: 'changed' },
  ])
})

test('of limited orders of one part that arrive together, the second is written after the first', async () => {
  const { place, ada, bob } = await setup()
  const share = {
    percent: 100,
    percentOfFirst: 100,
    percentOfAll: 75,
    trustFactor: 10,
    provider: 'test bank',
  }
  const outcomes = await place([ada, { ...bob, share }])
  expect(outcomes).toEqual([{ outcome: 'placed', number: 1003 }, { outcome: 'next' }])
  expect(await place([{ ...bob, share }])).toEqual([{ outcome: 'placed', number: 1004 }])
})

test('an order without limits does not count who holds how much', async () => {
  const { shop, place, ada, bob } = await setup()
  const { unpaid: _, ...free } = ada
  const counted = shop.db.transaction(async (tx) => {
    await tx.execute(sql`create or replace function find_exceeded_shares(draft jsonb) returns jsonb
      language plpgsql stable as $$ begin raise 'counted'; end $$`)
    expect(await place([free, bob], sql`place_together`, tx)).toMatchObject([
      { outcome: 'placed' },
      { outcome: 'placed' },
    ])
    return place([{ ...free, share: { percent: 100 } }], sql`place_together`, tx)
  })
  await expect(counted).rejects.toMatchObject({ cause: { message: 'counted' } })
})

test('all that orders are composed from raises a version, and the stock none', async () => {
  const { shop, part } = await setup()
  const [user] = await shop.db.select().from(users).limit(1)
  const read = async () => {
    const [[one], [other]] = await Promise.all([
      shop.db.select().from(parts),
      shop.db.select().from(users).where(eq(users._id, user!._id)),
    ])
    return [one!.version, other!.version]
  }
  const now = new Date().toISOString()
  const ofPart: Partial<typeof parts.$inferInsert>[] = [
    { name: 'Chains' },
    { perUnitPrice: 8 },
    { minQuantity: 5 },
    { multiple: 5 },
    { priceBreaks: [{ quantity: 20, unitPrice: 6 }] },
    { deletedAt: now },
  ]
  const ofUser: Partial<typeof users.$inferInsert>[] = [
    { name: 'Ada King' },
    { email: 'king@example.com' },
    { emailConfirmedAt: now },
    { role: 'admin' },
    { tokenVersion: 3 },
  ]
  for (const values of ofPart) {
    const [before] = await read()
    await shop.db.update(parts).set(values)
    expect((await read())[0], Object.keys(values)[0]).toBe(before! + 1)
  }
  for (const values of ofUser) {
    const [, before] = await read()
    await shop.db.update(users).set(values).where(eq(users._id, user!._id))
    expect((await read())[1], Object.keys(values)[0]).toBe(before! + 1)
  }
  const before = await read()
  await shop.db.update(parts).set({ availableQuantity: 1 }).where(eq(parts._id, part._id))
  expect(await read()).toEqual(before)
})

test('a process of the version before can still place orders', async () => {
  const { shop, part, place, ada } = await setup()
  const { unpaid: _, userVersion: _1, lines, order, ...draft } = ada
  const { name, email } = order
  const { perUnitPrice: per_unit_price, multiple, priceBreaks: price_breaks } = part
  const older = {
    ...draft,
    order,
    tokenVersion: 0,
    checkBasket: false,
    member: { name, email, isConfirmed: true },
    lines: lines.map((line: object) => ({ ...line, per_unit_price, multiple, price_breaks })),
  }
  expect(await place([older], sql`place_orders`)).toEqual([{ outcome: 'placed', number: 1003 }])
  const sent = await shop.db.select().from(outbox).orderBy(outbox.number)
  expect(sent.at(-1)!.subject).toBe('Your order #1003: 10 × Chain')
})

test('orders and payments of the version before, which knows neither delivery nor tax, go on working beside this one', async () => {
  const { shop, place, ada } = await setup()
  const { ratesVersion: _, order, lines, unpaid: __, ...draft } = ada
  const { charges: ___, delivery_cents: ____, charge_basis: _____, ...header } = order
  const sent = lines.map(
    ({ added_cents: _, tax_cents: __, tax_label: ___, ...line }: object & Record<string, unknown>) => line,
  )
  expect(await place([{ ...draft, order: header, lines: sent }])).toMatchObject([{ outcome: 'placed' }])
  const [placed] = await executeRows<{ id: string; line: string }>(
    shop.db,
    sql`select orders.id, order_lines.id as line from orders join order_lines on order_id = orders.id order by number desc limit 1`,
  )
  const attach = (expected: number) =>
    sql`select attach_payment(${placed!.id}, ${expected}, 'pi_old', 'test bank', now(), now(), now()) as done`
  expect(await executeRows(shop.db, attach(71))).toEqual([{ done: false }])
  expect(await executeRows(shop.db, attach(70))).toEqual([{ done: true }])
  const record = (price: number) => {
    const expected = JSON.stringify([[placed!.line, price, false, false, false]])
    return sql`select record_payment('pi_old', ${placed!.id}, 'test bank', 7000, null, now(), now(), ${expected}::jsonb, null, null) as outcome`
  }
  expect(await executeRows(shop.db, record(71))).toEqual([{ outcome: 'changed' }])
  expect(await executeRows(shop.db, record(70))).toEqual([{ outcome: 'new' }])
})
