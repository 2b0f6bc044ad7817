import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { messages } from '#db/schema.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'

const body = { name: 'Ada', email: 'ada@example.com', phone: '5550100', message: 'To islands?\nTo #1042?' }

/** Another message is open, and one has a reply and an assignee already. */
async function setup() {
  const shop = await testShop()
  const [boss, eve] = [await createUser(shop, 'Boss', 'admin'), await createUser(shop, 'Eve', 'admin')]
  const admin = await clientOf(shop, boss)
  const send = async (name: string) => {
    const email = `${name.toLowerCase()}@example.com`
    return { id: (await (await clientOf(shop)).sendMessage({ body: { ...body, name, email } })).insertedId }
  }
  const [bob, cy, params] = [await send('Bob'), await send('Cy'), await send('Ada')]
  await admin.replyToMessage({ params: bob, body: { text: 'No, we don’t.' } })
  await admin.assignMessage({ params: bob, body: { assignee: eve.email } })
  const others = () => Promise.all([bob, cy].map((params) => admin.readMessage({ params })))
  const [before, ...open] = await others()
  expect([before!.replies.length, before!.assignee?.name, open[0]!.answeredAt]).toEqual([1, 'Eve', null])
  return {
    shop,
    boss,
    eve,
    admin,
    params,
    others,
    /** That nothing of the other messages has changed. */
    checkOthers: async () => expect(await others()).toEqual([before, ...open]),
  }
}

test('a reply is emailed to the customer with the message, kept, and answers the message, once per key', async () => {
  const { shop, admin, params, checkOthers } = await setup()
  const reply = { params, body: { text: 'Yes, we do.' }, key: 'k' }
  expect(await admin.replyToMessage(reply)).toEqual(await admin.replyToMessage(reply))
  const { answeredAt } = await admin.readMessage({ params })
  await admin.replyToMessage({ params, body: { text: 'On Mondays.' } })
  expect((await admin.readMessage({ params })).answeredAt).toBe(answeredAt)
  await checkOthers()
  expect(await admin.readMessage({ params })).toMatchObject({
    ...body,
    answeredAt: expect.any(String),
    customerId: null,
    replies: [
      { by: 'Boss', text: 'Yes, we do.' },
      { by: 'Boss', text: 'On Mondays.' },
    ],
  })
  const { rows } = await shop.mail.read({ q: body.email })
  const emails = rows.filter(({ to }) => to === body.email)
  expect(emails).toHaveLength(2)
  expect(emails.at(-1)).toMatchObject({
    subject: 'Re: your message to Winged Wheels',
    thread: `message-${params.id}`,
    replyTo: shop.mail.owner,
    text: expect.stringMatching(/^Yes, we do\.\n\nOn .* you wrote:\n> To islands\?\n> To #1042\?/),
  })
})

test('a reply is not sent after another one that was not read, also when both are sent at once', async () => {
  const { shop, admin, params, checkOthers } = await setup()
  const reply = (seen: number) => admin.replyToMessage({ params, body: { text: 'Yes, we do.', seen } })
  const results = await Promise.allSettled([reply(0), reply(0)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(reply(0)).rejects.toMatchObject({
    status: 409,
    message: 'There’s a newer reply. Read it above, then send yours again if it’s still needed.',
  })
  await reply(1)
  expect((await admin.readMessage({ params })).replies).toHaveLength(2)
  await checkOthers()
  const emails = (await shop.mail.read({ q: body.email })).rows.filter(({ to }) => to === body.email)
  expect(emails).toHaveLength(2)
})

test('a message is assigned to an admin, found by the assignee and taken back, and never assigned to a customer', async () => {
  const { shop, boss, eve, admin, params, checkOthers } = await setup()
  const ada = await createUser(shop, 'Ada')
  const assign = (assignee: string | null) => admin.assignMessage({ params, body: { assignee } })
  const found = async () => (await admin.listMessages({ body: { assignee: 'BOSS@Example.com' } })).rows
  expect(await assign(' Boss@example.com ')).toEqual({ modifiedCount: 1 })
  expect(await assign(boss.email)).toEqual({ modifiedCount: 0 })
  const listed = (await admin.listMessages()).rows.map(({ assignee }) => assignee?.email ?? null)
  // Bob's has the latest reply.
  expect(listed).toEqual([eve.email, boss.email, null])
  expect(await found()).toMatchObject([{ _id: params.id, assignee: { name: 'Boss', email: boss.email } }])
  await expect(assign(ada.email)).rejects.toMatchObject({ status: 409 })
  await expect(assign('nobody@example.com')).rejects.toMatchObject({ status: 404 })
  await assign(null)
  expect(await assign(null)).toEqual({ modifiedCount: 0 })
  expect(await found()).toEqual([])
  await checkOthers()
  // Of a form that kept the address as it was typed.
  await shop.db.update(messages).set({ email: 'ADA@Example.com' }).where(eq(messages._id, params.id))
  expect(await admin.readMessage({ params })).toMatchObject({ assignee: null, customerId: ada._id })
})

test('a conversation that does not exist can be neither read, answered nor assigned', async () => {
  const { admin } = await setup()
  const params = { id: 'nothing' }
  const missing = { status: 404, message: 'This message doesn’t exist.' }
  await expect(admin.readMessage({ params })).rejects.toMatchObject(missing)
  await expect(admin.replyToMessage({ params, body: { text: 'Hi' } })).rejects.toMatchObject(missing)
  await expect(admin.assignMessage({ params, body: { assignee: null } })).rejects.toMatchObject(missing)
})
