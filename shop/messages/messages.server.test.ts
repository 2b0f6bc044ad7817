import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { messages } from '#db/schema.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'
import { messageForm } from './message.ts'
import { sendMessage } from './messages.server.ts'

const body = { name: 'Ada', email: 'Ada@example.com', phone: '5550100', message: 'Do you ship to islands?' }

test('sendMessage stores the message and emails it to the shop', async () => {
  const shop = await testShop()
  await (await clientOf(shop)).sendMessage({ body })
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  expect((await admin.listMessages()).rows).toMatchObject([{ ...body, email: 'ada@example.com' }])
  const { rows } = await shop.mail.read()
  expect(rows).toMatchObject([
    {
      to: shop.mail.shop.address,
      replyTo: 'ada@example.com',
      subject: 'Message from Ada',
      text: expect.stringContaining('Do you ship to islands?\n\nAda\nada@example.com\n5550100'),
    },
  ])
})

test('sendMessage emails a repeated request with the same key once', async () => {
  const shop = await testShop()
  const visitor = await clientOf(shop)
  await visitor.sendMessage({ body, key: 'k' })
  await visitor.sendMessage({ body, key: 'k' })
  expect(await shop.db.$count(outbox)).toBe(1)
})

test('sendMessage stores nothing when the email fails, and can be retried', async () => {
  const shop = await testShop()
  const send = async () => {
    throw new Error('no room')
  }
  const broken = { ...shop, mail: { ...shop.mail, send } }
  await expect(sendMessage(broken, messageForm.parse(body), 'k')).rejects.toThrow('no room')
  await sendMessage(shop, messageForm.parse(body), 'k')
  expect(await shop.db.$count(messages)).toBe(1)
  expect(await shop.db.$count(outbox)).toBe(1)
})

test('sendMessage rejects a message without text', async () => {
  const visitor = await clientOf(await testShop())
  await expect(visitor.sendMessage({ body: { ...body, email: ' ', message: ' ' } })).rejects.toMatchObject({
    fields: { email: ['Email is required', 'Provide a valid email'], message: ['Message is required'] },
  })
})

test('listMessages supports search by sender and text, sort and paging', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const visitor = await clientOf(shop)
  for (const name of ['Cleo', 'ada', 'Bob'])
    await visitor.sendMessage({
      body: { ...body, name, email: `${name}@mail.example`, message: `From ${name}%` },
    })
  const found = async (query: { q?: string; sort?: 'name' | '-name' | 'added' }) =>
    (await admin.listMessages({ body: query })).rows.map(({ name }) => name)

  expect(await found({})).toEqual(['Bob', 'ada', 'Cleo'])
  expect(await found({ q: 'ada@mail' })).toEqual(['ada'])
  expect(await found({ q: 'bo fro' })).toEqual(['Bob'])
  expect(await found({ q: 'ÀDÁ' })).toEqual(['ada'])
  expect(await found({ q: 'ob' })).toEqual([])
  expect(await found({ q: "%_'&|!:*" })).toEqual([])
  expect(await found({ q: '\u0301' })).toEqual([])
  expect(await found({ q: 'bo\u0301 \u0301' })).toEqual(['Bob'])
  expect(await found({ sort: 'name' })).toEqual(['ada', 'Bob', 'Cleo'])
  expect(await found({ sort: 'added' })).toEqual(['Cleo', 'ada', 'Bob'])
  expect(await admin.listMessages({ body: { limit: 2, page: 2 } })).toMatchObject({
    total: 3,
    rows: [{ name: 'Cleo' }],
  })
})

test('a message is new until an admin marks it as answered, and again when the mark is taken back', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const visitor = await clientOf(shop)
  await visitor.sendMessage({ body })
  const { insertedId: answered } = await visitor.sendMessage({ body })
  await admin.markMessage({ params: { id: answered }, body: { answered: true } })
  const { insertedId: id } = await visitor.sendMessage({ body })
  const mark = (answered: boolean) => admin.markMessage({ params: { id }, body: { answered } })
  const count = async (status: 'new' | 'answered') => (await admin.listMessages({ body: { status } })).total
  expect([await count('new'), await count('answered')]).toEqual([2, 1])
  expect(await mark(true)).toEqual({ modifiedCount: 1 })
  expect(await mark(true)).toEqual({ modifiedCount: 0 })
  expect([await count('new'), await count('answered')]).toEqual([1, 2])
  expect(await mark(false)).toEqual({ modifiedCount: 1 })
  expect(await mark(false)).toEqual({ modifiedCount: 0 })
  expect([await count('new'), await count('answered')]).toEqual([2, 1])
  const unknown = admin.markMessage({ params: { id: 'nothing' }, body: { answered: true } })
  await expect(unknown).rejects.toMatchObject({ status: 404 })
})
