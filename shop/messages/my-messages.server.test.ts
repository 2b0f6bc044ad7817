import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'

const form = { name: 'Ada', email: 'Ada@example.com', phone: '5550100', message: 'Do you ship to islands?' }

/** Another customer has an order and a message as well. */
async function setup() {
  const shop = await testShop()
  const [boss, ada, bob] = [
    await createUser(shop, 'Boss', 'admin'),
    await createUser(shop, 'Ada'),
    await createUser(shop, 'Bob'),
  ]
  const [admin, asAda, asBob] = [
    await clientOf(shop, boss),
    await clientOf(shop, ada),
    await clientOf(shop, bob),
  ]
  const [chain, hub] = [await createPart(shop), await createPart(shop, { name: 'Hub' })]
  const lines = [chain, hub].map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const place = (client: typeof asAda) => client.placeOrder({ body: { ...purchase, lines } })
  const [others, order] = [await place(asBob), await place(asAda)]
  const { insertedId: foreign } = await asBob.askAboutOrder({
    params: { id: others._id },
    body: { message: 'Is it steel?' },
  })
  return { shop, admin, asAda, asBob, ada, order, others, foreign }
}

test('a question about items of an order is a new message with them, once for each key', async () => {
  const { shop, admin, asAda, ada, order } = await setup()
  const [, hub] = order.lines
  const question = {
    params: { id: order.number },
    body: { message: 'It is bent.', items: [hub!._id] },
    key: 'k',
  }
  const { insertedId: id } = await asAda.askAboutOrder(question)
  expect(await asAda.askAboutOrder(question)).toEqual({ insertedId: id })
  expect(await admin.readMessage({ params: { id } })).toMatchObject({
    name: 'Ada',
    email: ada.email,
    phone: purchase.phoneNumber,
    message: 'It is bent.',
    answeredAt: null,
    customerId: ada._id,
    order: { _id: order._id, number: order.number },
    items: [{ _id: hub!._id, parts: 'Hub', quantity: 10 }],
  })
  const { rows } = await shop.mail.read({ q: 'bent' })
  expect(rows).toMatchObject([{ to: shop.mail.owner, replyTo: ada.email, thread: `message-${id}` }])
  expect(rows[0]!.text).toMatch(
    new RegExp(`^About order #${order.number}\\n10 × Hub\\n\\nIt is bent\\.\\n\\nAda`),
  )
})

test('a question about items of another order, or about another customer’s, is refused', async () => {
  const { admin, asAda, order, others } = await setup()
  const ask = (id: string, items: string[]) =>
    asAda.askAboutOrder({ params: { id }, body: { message: 'Why?', items } })
  await expect(ask(order._id, [others.lines[0]!._id])).rejects.toMatchObject({ status: 400 })
  await expect(ask(others._id, [])).rejects.toMatchObject({ status: 404 })
  expect((await admin.listMessages()).total).toBe(1)
})

test('a customer reads the answer under the shop’s name and answers, which makes the message new again', async () => {
  const { shop, admin, asAda, order } = await setup()
  const { insertedId: id } = await asAda.askAboutOrder({
    params: { id: order._id },
    body: { message: 'It is bent.' },
  })
  const params = { id }
  await admin.replyToMessage({ params, body: { text: 'Which one?', seen: 0 } })
  expect((await admin.listMessages({ body: { status: 'answered' } })).rows).toMatchObject([{ _id: id }])
  const reply = { params, body: { text: 'The hub.' }, key: 'k' }
  expect(await asAda.replyToMyMessage(reply)).toEqual(await asAda.replyToMyMessage(reply))
  expect(await asAda.readMyMessage({ params })).toMatchObject({
    answeredAt: null,
    replies: [
      { by: 'Winged Wheels', fromCustomer: false, text: 'Which one?' },
      { by: 'Ada', fromCustomer: true, text: 'The hub.' },
    ],
  })
  const { rows: open } = await admin.listMessages({ body: { status: 'new' } })
  expect(open.map(({ _id }) => _id)[0]).toBe(id)
  // An admin who has not read it is told.
  const answer = { params, body: { text: 'We’ll send another.', seen: 1 } }
  await expect(admin.replyToMessage(answer)).rejects.toMatchObject({ status: 409 })
  await admin.replyToMessage({ params, body: { ...answer.body, seen: 2 } })
  const emails = (await shop.mail.read({ q: 'another' })).rows
  expect(emails[0]!.text).toContain('> The hub.')
  expect(emails[0]!.text).toContain(`/dashboard/questions/${id}`)
  expect((await shop.mail.read({ q: 'hub' })).rows.filter(({ to }) => to === shop.mail.owner)).toHaveLength(1)
})

test('customers read their own messages alone, those of the contact form once their address is confirmed', async () => {
  const { shop, admin, asAda, asBob, foreign, order, others } = await setup()
  const { insertedId: id } = await (await clientOf(shop)).sendMessage({ body: form })
  const listed = async (client: typeof asAda) => (await client.listMyMessages()).rows.map(({ _id }) => _id)
  expect(await listed(asAda)).toEqual([id])
  expect(await listed(asBob)).toEqual([foreign])
  const missing = { status: 404, message: 'This message doesn’t exist.' }
  await expect(asAda.readMyMessage({ params: { id: foreign } })).rejects.toMatchObject(missing)
  await expect(
    asAda.replyToMyMessage({ params: { id: foreign }, body: { text: 'Hi' } }),
  ).rejects.toMatchObject(missing)

  // An order that it names is shown beside it, unless it is somebody else's.
  const write = async (message: string) => {
    const { insertedId: id } = await (await clientOf(shop)).sendMessage({ body: { ...form, message } })
    return (await admin.readMessage({ params: { id } })).order
  }
  expect(await write(`Where is #${order.number}?`)).toEqual({ _id: order._id, number: order.number })
  expect(await write(`Where is #${others.number}?`)).toBe(null)

  const stranger = await createUser(shop, 'Eve', 'customer', { confirmed: false })
  await (await clientOf(shop)).sendMessage({ body: { ...form, email: stranger.email } })
  expect(await listed(await clientOf(shop, stranger))).toEqual([])
})

test('what an admin writes about an order is answered, goes out once, and stands under the shop’s name', async () => {
  const { shop, admin, asAda, asBob, ada, order } = await setup()
  const [, hub] = order.lines
  const message = 'Hello Ada,\n\nthe hub ships on Monday.'
  const written = { params: { id: order.number }, body: { message, items: [hub!._id] }, key: 'k' }
  const { insertedId: id } = await admin.writeAboutOrder(written)
  expect(await admin.writeAboutOrder(written)).toEqual({ insertedId: id })
  expect(await admin.readMessage({ params: { id } })).toMatchObject({
    name: 'Ada',
    email: ada.email,
    phone: purchase.phoneNumber,
    message,
    startedBy: 'Boss',
    answeredAt: expect.any(String),
    customerId: ada._id,
    order: { _id: order._id, number: order.number },
    items: [{ _id: hub!._id }],
  })
  const { rows: emails } = await shop.mail.read({ q: 'ships on monday' })
  expect(emails).toMatchObject([
    {
      to: ada.email,
      replyTo: shop.mail.owner,
      thread: `message-${id}`,
      subject: `About your order #${order.number}`,
    },
  ])
  expect(emails[0]!.text).toContain(`This is about:\n10 × Hub\n\nView conversation:\n`)
  expect((await asAda.listMyMessages()).rows).toMatchObject([{ _id: id, startedBy: shop.mail.shop.name }])
  await expect(asBob.readMyMessage({ params: { id } })).rejects.toMatchObject({ status: 404 })

  await asAda.replyToMyMessage({ params: { id }, body: { text: 'Thank you.' } })
  expect((await admin.listMessages({ body: { status: 'new' } })).rows.map(({ _id }) => _id)).toContain(id)
  await admin.replyToMessage({ params: { id }, body: { text: 'It has left.' } })
  const { rows: replies } = await shop.mail.read({ q: 'it has left' })
  expect(replies[0]).toMatchObject({ subject: `Re: About your order #${order.number}` })
  expect(replies[0]!.text).toContain('> Thank you.')
})

test('an admin’s second text before any answer quotes nothing, and items of another order are refused', async () => {
  const { shop, admin, order, others } = await setup()
  const write = (items: string[]) =>
    admin.writeAboutOrder({ params: { id: order._id }, body: { message: 'We are late.', items } })
  await expect(write([others.lines[0]!._id])).rejects.toMatchObject({
    status: 400,
    fields: { items: ['Choose items of this order.'] },
  })
  const { insertedId: id } = await write([])
  await admin.replyToMessage({ params: { id }, body: { text: 'It ships today.' } })
  const { rows } = await shop.mail.read({ q: 'it ships today' })
  expect(rows[0]!.text).not.toMatch(/you wrote|> /)
})

test('an answer is unread until its customer has seen it, and what came meanwhile stays unread', async () => {
  const { admin, asAda, asBob, order, foreign } = await setup()
  const body = { message: 'It is bent.' }
  const { insertedId: id } = await asAda.askAboutOrder({ params: { id: order._id }, body })
  const reply = (to: string) => admin.replyToMessage({ params: { id: to }, body: { text: 'We’re looking.' } })
  const see = (replies: number, client = asAda) => client.markMyMessage({ params: { id }, body: { replies } })
  const read = async () => {
    const { rows, unread } = await asAda.listMyMessages()
    return [rows.find(({ _id }) => _id === id)!.unread, unread]
  }
  expect(await read(), 'what the customer wrote').toEqual([false, 0])
  await reply(id)
  await reply(foreign)
  expect(await read()).toEqual([true, 1])
  expect(await asAda.readMyMessage({ params: { id } }), 'reading alone marks nothing').toMatchObject({
    unread: true,
  })
  await reply(id)
  expect(await see(1)).toEqual({ modifiedCount: 0 })
  expect(await read()).toEqual([true, 1])
  await expect(see(2, asBob)).rejects.toMatchObject({ status: 404 })
  expect(await see(2)).toEqual({ modifiedCount: 1 })
  expect(await see(2)).toEqual({ modifiedCount: 0 })
  expect(await read()).toEqual([false, 0])
  const { insertedId: started } = await admin.writeAboutOrder({ params: { id: order._id }, body })
  expect((await asAda.listMyMessages()).rows[0]).toMatchObject({ _id: started, unread: true })
  expect((await asBob.listMyMessages()).unread).toBe(1)
})
