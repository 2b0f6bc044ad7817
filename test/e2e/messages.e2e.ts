import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { apiClientOf } from './orders.ts'
import { demoAdmin, expect, navigate, rowsOf, signInByApi, test, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

test('an admin takes a message, keeps the reply over a reload, sends it, and the customer’s email quotes the message', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/replies/)
  const name = `Greta ${uniqueWord()}`
  const email = `${uniqueWord()}@example.com`
  const visitor = createClient(api, { origin, token: () => null })
  await visitor.sendMessage({ body: { name, email, phone: '5550100', message: 'Where is my order #1001?' } })
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/messages?${new URLSearchParams({ q: name })}`)
  await rowsOf(page, name).getByRole('link', { name: 'Reply' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Message from ${name}`)
  await expect(page.getByRole('link', { name: '#1001' })).toHaveAttribute('href', '/dashboard/orders/1001')
  await page.getByLabel('Assigned to').selectOption({ label: demoAdmin.name })
  await expect(toast(page, `Assigned to ${demoAdmin.name}`)).toBeVisible()
  const reply = page.getByLabel('Reply')
  await expect(reply).toHaveValue(`Hello ${name},\n\n`)
  await reply.fill('It left on Monday.')
  await page.reload()
  await expect(reply).toHaveValue('It left on Monday.')
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  await (await apiClientOf(page)).replyToMessage({ params: { id }, body: { text: 'We’re looking.' } })
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByRole('alert')).toContainText('There’s a newer reply.')
  await expect(page.getByRole('listitem').filter({ hasText: 'We’re looking.' })).toBeVisible()
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(toast(page, `Reply sent to ${email}`)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'It left on Monday.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark as new' })).toBeVisible()
  await expect(reply).toHaveValue(`Hello ${name},\n\n`)

  await navigate(page, `/outbox?${new URLSearchParams({ q: `${email} monday` })}`)
  await expect(page.getByText('> Where is my order #1001?')).toBeVisible()
})
