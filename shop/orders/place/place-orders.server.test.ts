import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { outbox } from '#db/embedded.ts'
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
    const [draft] = JSON.parse(String(sent))
    return { ...draft, unpaid: '0 0' }
  }
  const place = (drafts: object[]) => {
    const sent = drafts.map((draft) =>
      // Also those within the texts, which are JSON themselves.
      JSON.stringify(draft).replaceAll(
        /(\\?"id\\?":\\?")[^"\\]+/g,
        (_, before) => before + crypto.randomUUID(),
      ),
    )
    const rows = executeRows<{ outcome: object }>(
      shop.db,
      sql`select place_orders as outcome from place_orders(${`[${sent.join()}]`}::jsonb, true)`,
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

test('a process of an older version, which sends the HTML of emails, can still place orders', async () => {
  const { shop, place, ada } = await setup()
  const { unpaid: _, numberPlaceholder, ...draft } = ada
  const { emails, ...texts } = JSON.parse(draft.texts)
  const html = `<p>#${numberPlaceholder}</p>`
  const [{ actions, attachments, ...email }] = emails
  const older = {
    ...draft,
    numberPlaceholder,
    texts: { ...texts, emails: [{ ...email, html, attachments: [] }] },
  }
  expect(await place([older])).toEqual([{ outcome: 'placed', number: 1003 }])
  const sent = await shop.db.select().from(outbox).orderBy(outbox.number)
  expect(sent.slice(1).map(({ html, actions }) => ({ html, actions }))).toEqual([
    { html: null, actions: [expect.objectContaining({ label: 'Pay $70' })] },
    { html: '<p>#1003</p>', actions: [] },
  ])
})
