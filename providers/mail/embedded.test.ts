import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { composeEmail } from '#shop/emails.ts'
import { testShop } from '#test/shop.ts'

async function someLetters() {
  const { db, mail } = await testShop()
  const write = (to: string, subject: string, words: string) =>
    mail.send(composeEmail(mail.shop, { to, subject, paragraphs: [words] }))
  await write('ada@example.com', 'A new password', '100% yours')
  await write('bob@example.com', 'Your order', 'It is on its way.')
  await write('ada@example.com', 'Your order', 'It has arrived, Ada.')
  const found = async (query: Parameters<typeof mail.read>[0]) =>
    (await mail.read(query)).rows.map(({ to, subject }) => `${to.split('@')[0]}: ${subject}`)
  return { db, mail, found }
}

test('the outbox keeps every letter as it was written, and when', async () => {
  const { mail } = await testShop()
  const letter = composeEmail(mail.shop, {
    to: 'ada@example.com',
    replyTo: 'bob@example.com',
    subject: 'Grüße',
    paragraphs: ['車輪'],
  })
  const before = Date.now()
  await mail.send(letter)
  const { rows, total } = await mail.read()
  expect(total).toBe(1)
  expect(rows[0]).toEqual({ ...letter, _id: expect.any(String), createdAt: expect.any(String) })
  expect(Date.parse(rows[0]!.createdAt)).toBeGreaterThanOrEqual(before)
})

test('the outbox shows the newest letter first, a page at a time', async () => {
  const { found, mail } = await someLetters()
  expect(await found({})).toEqual(['ada: Your order', 'bob: Your order', 'ada: A new password'])
  expect(await found({ limit: 2, page: 2 })).toEqual(['ada: A new password'])
  expect(await mail.read({ limit: 2, page: 2 })).toMatchObject({ total: 3 })
})

test('the outbox is searched by recipient, subject and text, each word anywhere and letter for letter', async () => {
  const { found } = await someLetters()
  expect(await found({ q: 'ada@' })).toEqual(['ada: Your order', 'ada: A new password'])
  expect(await found({ q: 'ORDER ada' })).toEqual(['ada: Your order'])
  expect(await found({ q: 'on its way' })).toEqual(['bob: Your order'])
  expect(await found({ q: '100%' })).toEqual(['ada: A new password'])
  expect(await found({ q: '1%yours' })).toEqual([])
  expect(await found({ q: "'_\\" })).toEqual([])
})

test('the outbox shows no letter that waits to be sent, or could not be', async () => {
  const { db, mail } = await someLetters()
  await db.update(outbox).set({ nextTryAt: new Date() })
  expect(await mail.read()).toEqual({ rows: [], total: 0 })
  await db.update(outbox).set({ nextTryAt: null, tries: 14 })
  expect(await mail.read()).toEqual({ rows: [], total: 0 })
})
