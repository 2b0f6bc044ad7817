import type { Page } from '@playwright/test'
import { expect, test, toast, visit, waitForHydration } from './shop.ts'

test('a message from the home page is in the outbox, as text and as a mail program shows it', async ({
  page,
}) => {
  const words = await write(page)
  await openOutbox(page)
  const message = found(page, words)
  await expect(message.getByRole('heading')).toHaveText('Message from Ida Renn')
  await expect(message.getByText('hello@wingedwheels.example', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Outbox/)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')

  await message.getByText('As a mail program shows it').click()
  const shown = page.frameLocator('iframe')
  await expect(shown.getByText(words)).toBeVisible()
  await expect(shown.getByText('Winged Wheels').first()).toBeVisible()
})

test('the newest message is first, search finds others, and finding nothing is said in words', async ({
  page,
}) => {
  const [first, second] = [await write(page), await write(page)]
  await openOutbox(page)
  const messages = page.getByRole('article')
  await expect(messages.first()).toContainText(second)

  await search(page).fill(first)
  await expect(messages).toHaveCount(1)
  await expect(found(page, first)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^1 message$/ })).toBeVisible()

  await search(page).fill(`${first} and more`)
  await expect(page.getByText('No message is like that.')).toBeVisible()
  await expect(messages).toHaveCount(0)
  await page.getByRole('link', { name: 'Show all messages' }).click()
  await expect(messages.first()).toContainText(second)
  await expect(search(page)).toHaveValue('')
})

test('only what leads back to the shop is a link in a message', async ({ page, baseURL }) => {
  const own = `${baseURL}/parts?q=chain`
  const words = await write(page, `${own} ${baseURL}@evil.example/ https://evil.example/ javascript:alert(1)`)
  await openOutbox(page)
  const links = found(page, words).getByRole('link')
  await expect(links).toHaveText([own])
  await links.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bicycle Parts')
})

test('the outbox is searched and read with the keyboard alone', async ({ page }) => {
  const words = await write(page)
  await openOutbox(page)
  await search(page).focus()
  await page.keyboard.type(words)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(search(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.frameLocator('iframe').getByText(words)).toBeVisible()
})

test('many messages are cut into pages, and a page beyond the last is the last', async ({
  page,
  request,
}) => {
  const data = { name: 'Ida Renn', email: 'ida@example.com', phone: '5550100', message: 'Once more' }
  for (let i = 0; i < 21; i++) expect((await request.post('/api/messages', { data })).status()).toBe(201)
  await page.goto('/outbox?page=9999')
  await expect(page.getByText(/^Page (\d+) of \1$/)).toBeVisible()
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page.getByRole('article')).toHaveCount(20)
})

async function openOutbox(page: Page) {
  await visit(page, '/outbox')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Outbox')
  await expect(page.getByText('nothing is really sent')).toBeVisible()
}

function search(page: Page) {
  return page.getByLabel('Search messages')
}

function found(page: Page, words: string) {
  return page.getByRole('article').filter({ hasText: words })
}

/** Sends words from the home page that nobody has sent before. */
async function write(page: Page, more = '') {
  const words = `Islands ${crypto.randomUUID()}`
  await visit(page, '/')
  await page.getByLabel('Your Name').fill('Ida Renn')
  await page.getByLabel('Your Email').fill('ida@example.com')
  await page.getByLabel('Your Phone').fill('5550100')
  await page.getByLabel('Your Message').fill(`${words} ${more}`)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(toast(page, 'Message Sent Successfully!')).toBeVisible()
  return words
}
