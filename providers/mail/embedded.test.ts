import { eq, ne } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { brand } from '#app/brand.ts'
import { outbox } from '#db/embedded.ts'
import type { Config } from '#server/config/config.ts'
import { openMail } from '#server/providers.ts'
import { defaultSettings } from '#server/settings.ts'
import { composeEmail, emailHtml } from '#shop/emails.ts'
import { createSettingsMemory } from '#shop/settings/settings-memory.server.ts'
import { shopWithOrder } from '#test/bank.ts'
import { payOrderByCard, testShop } from '#test/shop.ts'

async function sentEmails() {
  const { db, mail } = await testShop()
  const send = (to: string, subject: string, text: string) =>
    mail.send(composeEmail(mail.shop, { to, subject, paragraphs: [text] }))
  await send('ada@example.com', 'A new password', '100% yours')
  await send('bob@example.com', 'Your order', 'It is on its way.')
  await send('ada@example.com', 'Your order', 'It has arrived, Ada.')
  const search = async (query: Parameters<typeof mail.read>[0]) =>
    (await mail.read(query)).rows.map(({ to, subject }) => `${to.split('@')[0]}: ${subject}`)
  return { db, mail, search }
}

test('the outbox stores every email unchanged, with its date', async () => {
  const { mail } = await testShop()
  const email = composeEmail(mail.shop, {
    to: 'ada@example.com',
    replyTo: 'bob@example.com',
    subject: 'Grüße',
    paragraphs: ['車輪'],
    action: { label: 'Open', url: 'https://wheels.example' },
  })
  const before = Date.now()
  await mail.send(email)
  const { rows, total } = await mail.read()
  expect(total).toBe(1)
  expect(rows[0]).toEqual({
    ...email,
    _id: expect.any(String),
    createdAt: expect.any(String),
    files: [],
    html: emailHtml(email),
  })
  expect(Date.parse(rows[0]!.createdAt)).toBeGreaterThanOrEqual(before)
})

test('the outbox lists the newest email first, in pages', async () => {
  const { search, mail } = await sentEmails()
  expect(await search({})).toEqual(['ada: Your order', 'bob: Your order', 'ada: A new password'])
  expect(await search({ limit: 2, page: 2 })).toEqual(['ada: A new password'])
  expect(await mail.read({ limit: 2, page: 2 })).toMatchObject({ total: 3 })
})

test('each email in the outbox has its own invoice', async () => {
  const { shop, ada, order, place } = await shopWithOrder()
  for (const each of [order, await place()]) await payOrderByCard(shop, ada, each)
  const { rows } = await shop.mail.read({ q: 'Invoice' })
  const files = rows.map(({ files }) => files.map(({ name }) => name))
  expect(files).toEqual([['invoice-1002.pdf'], ['invoice-1001.pdf']])
})

test('the outbox search matches recipient, subject and text literally', async () => {
  const { search } = await sentEmails()
  expect(await search({ q: 'ada@' })).toEqual(['ada: Your order', 'ada: A new password'])
  expect(await search({ q: 'ORDER ada' })).toEqual(['ada: Your order'])
  expect(await search({ q: 'on its way' })).toEqual(['bob: Your order'])
  expect(await search({ q: '100%' })).toEqual(['ada: A new password'])
  expect(await search({ q: '1%yours' })).toEqual([])
  expect(await search({ q: "'_\\" })).toEqual([])
})

test('the outbox hides queued and failed emails', async () => {
  const { db, mail } = await sentEmails()
  await db.update(outbox).set({ nextTryAt: new Date() })
  expect(await mail.read()).toEqual({ rows: [], total: 0 })
  await db.update(outbox).set({ nextTryAt: null, tries: 14 })
  expect(await mail.read()).toEqual({ rows: [], total: 0 })
})

test('the hourly purge deletes emails after 30 days, reset links after one, and none that waits to be sent', async () => {
  const { db, mail, search } = await sentEmails()
  const link = 'http://shop.test/reset-password?token=x'
  const message = { to: 'shop@example.com', subject: 'My link', paragraphs: [link] }
  await mail.send(composeEmail(mail.shop, { ...message, to: 'ada@example.com', subject: 'Reset' }))
  await mail.send({ ...composeEmail(mail.shop, message), replyTo: 'ada@example.com' })
  const settings = createSettingsMemory(db, defaultSettings(brand))
  const configs: Config['mail'][] = [
    { kind: 'embedded' },
    { kind: 'smtp', url: 'smtp://127.0.0.1:1', from: 'shop@example.com' },
  ]
  const [embedded, smtp] = configs.map((mail) => openMail({ mail } as Config, db, settings))
  const purgeAt = async (hours: number, opened = embedded!) => {
    await db.update(outbox).set({ createdAt: new Date(Date.now() - hours * 60 * 60 * 1000) })
    await opened.jobs.purgeOutbox![1]()
    return search({})
  }
  const others = ['ada: Your order', 'bob: Your order', 'ada: A new password']
  expect(await purgeAt(23)).toEqual(['shop: My link', 'ada: Reset', ...others])
  expect(await purgeAt(25)).toEqual(['shop: My link', ...others])
  expect(await purgeAt(30 * 24 - 1)).toEqual(['shop: My link', ...others])
  await db.update(outbox).set({ nextTryAt: new Date() }).where(eq(outbox.recipient, 'bob@example.com'))
  await db.update(outbox).set({ tries: 14 }).where(ne(outbox.recipient, 'bob@example.com'))
  await purgeAt(30 * 24 + 1, smtp)
  expect(await db.select({ recipient: outbox.recipient }).from(outbox)).toEqual([
    { recipient: 'bob@example.com' },
  ])
  await smtp!.close()
})
