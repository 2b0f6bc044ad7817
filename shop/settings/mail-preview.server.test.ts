import { expect, test } from 'vitest'
import { clientOf, createUser, testShop } from '#test/shop.ts'
import { type MailKind, mailKinds } from './mail-kinds.ts'

test('each kind of email is previewed with the lines that were typed, and nothing is sent or saved', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const stored = await admin.readSettings()
  for (const kind of Object.keys(mailKinds) as MailKind[]) {
    const lines = { above: 'We close for <summer>.', below: 'See you & thank you.', senderName: 'Hub & Co' }
    const { subject, text, html } = await admin.previewEmail({ body: { kind, ...lines } })
    expect(subject, kind).toMatch(/1042|Chain, 11-speed/)
    const [greeting, above, ...others] = text.split('\n\n')
    expect(greeting, kind).toMatch(/^Hello Ada Lund,$/)
    expect(above, kind).toBe(lines.above)
    expect(others.at(-2), kind).toBe(lines.below)
    expect(others.at(-1), kind).toMatch(/^-- \nHub & Co\n/)
    expect(html, kind).toContain('We close for &lt;summer&gt;.')
    const plain = await admin.previewEmail({ body: { kind } })
    expect(plain.text, kind).not.toContain(lines.above)
    expect(plain.text, 'other lines are as saved').toContain(stored.company.value.name)
  }
  expect((await shop.mail.read()).rows).toEqual([])
  expect(await admin.readSettings()).toEqual(stored)
  const body = { kind: 'placed' as const, above: 'x'.repeat(501) }
  await expect(admin.previewEmail({ body })).rejects.toMatchObject({ status: 400 })
})
