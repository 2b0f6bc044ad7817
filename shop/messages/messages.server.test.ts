import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { clientOf, someone, testShop } from '#test/shop.ts'

const body = { name: 'Ada', email: 'Ada@example.com', phone: '5550100', message: 'Do you ship to islands?' }

test('a message is kept for the admins and mailed to the shop', async () => {
  const shop = await testShop()
  await (await clientOf(shop)).sendMessage({ body })
  const admin = await clientOf(shop, await someone(shop, 'Admin', 'admin'))
  expect((await admin.listMessages()).rows).toMatchObject([{ ...body, email: 'ada@example.com' }])
  const [mail] = await shop.db.select().from(outbox)
  expect(mail).toMatchObject({ subject: 'Message from Ada', body: expect.stringContaining('islands') })
})

test('a message sent again under the same key is kept and mailed once', async () => {
  const shop = await testShop()
  const visitor = await clientOf(shop)
  await visitor.sendMessage({ body, key: 'k' })
  await visitor.sendMessage({ body, key: 'k' })
  expect(await shop.db.$count(outbox)).toBe(1)
})

test('a message without text is refused', async () => {
  const visitor = await clientOf(await testShop())
  await expect(visitor.sendMessage({ body: { ...body, message: ' ' } })).rejects.toMatchObject({
    fields: { message: ['Message is required'] },
  })
})
