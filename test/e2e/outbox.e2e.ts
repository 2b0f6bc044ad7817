import type { Page } from '@playwright/test'
import { expect, test, toast, visit, waitForHydration } from './shop.ts'

test('the outbox shows a contact message as text and as rendered HTML', async ({ page }) => {
  const text = await sendMessage(page)
  await openOutbox(page)
  const message = messageWith(page, text)
  await expect(message.getByRole('heading')).toHaveText('Message from Ida Renn')
  await expect(message.getByText('hello@wingedwheels.example', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Outbox/)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')

  await message.getByText('As a mail program shows it').click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText(text)).toBeVisible()
  await expect(frame.getByText('Winged Wheels').first()).toBeVisible()
})

test('the outbox lists the newest message first, can be searched and shows an empty state', async ({
  page,
}) => {
  const [first, second] = [await sendMessage(page), await sendMessage(page)]
  await openOutbox(page)
  const messages = page.getByRole('article')
  await expect(messages.first()).toContainText(second)

  await search(page).fill(first)
  await expect(messages).toHaveCount(1)
  await expect(messageWith(page, first)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^1 message$/ })).toBeVisible()

  await search(page).fill(`${first} and more`)
  await expect(page.getByText('No message is like that.')).toBeVisible()
  await expect(messages).toHaveCount(0)
  await page.getByRole('link', { name: 'Show all messages' }).click()
  await expect(messages.first()).toContainText(second)
  await expect(search(page)).toHaveValue('')
})

test('the outbox links only URLs of the shop', async ({ page, baseURL }) => {
  const shopUrl = `${baseURL}/parts?q=chain`
  const text = await sendMessage(
    page,
    `${shopUrl} ${baseURL}@evil.example/ https://evil.example/ javascript:alert(1)`,
  )
  await openOutbox(page)
  const links = messageWith(page, text).getByRole('link')
  await expect(links).toHaveText([shopUrl])
  await links.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bicycle Parts')
})

test('the outbox can be searched and read with the keyboard alone', async ({ page }) => {
  const text = await sendMessage(page)
  await openOutbox(page)
  await search(page).focus()
  await page.keyboard.type(text)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(search(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.frameLocator('iframe').getByText(text)).toBeVisible()
})

test('the outbox is paginated and clamps a page number that is too high', async ({ page, request }) => {
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

function messageWith(page: Page, text: string) {
  return page.getByRole('article').filter({ hasText: text })
}

/** Sends a unique message from the home page. */
async function sendMessage(page: Page, suffix = '') {
  const text = `Islands ${crypto.randomUUID()}`
  await visit(page, '/')
  await page.getByLabel('Your Name').fill('Ida Renn')
  await page.getByLabel('Your Email').fill('ida@example.com')
  await page.getByLabel('Your Phone').fill('5550100')
  await page.getByLabel('Your Message').fill(`${text} ${suffix}`)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(toast(page, 'Message Sent Successfully!')).toBeVisible()
  return text
}
