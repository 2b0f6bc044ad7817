import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test, waitForHydration } from './shop.ts'
import { uniqueWord } from './words.ts'

test('the paginated outbox shows the newest message first, as text and as HTML, links only URLs of the shop, clamps a too high page number, and can be searched by keyboard alone', async ({
  page,
  baseURL,
  request,
}) => {
  for (let i = 0; i < 20; i++) await sendMessage(request)
  const [first, second] = [await sendMessage(request), await sendMessage(request)]
  const shopUrl = `${baseURL}/parts?q=chain`
  const withLinks = await sendMessage(
    request,
    `${shopUrl} ${baseURL}@evil.example/ https://evil.example/ javascript:alert(1)`,
  )
  const text = await sendMessage(request)
  await page.goto('/outbox?page=9999')
  await expect(page.getByText(/^Page (\d+) of \1$/)).toBeVisible()
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Previous' }).click()
  const messages = page.getByRole('article')
  await expect(messages).toHaveCount(20)

  const search = page.getByLabel('Search emails')
  await search.focus()
  await page.keyboard.type(first)
  await expect(messages).toHaveCount(1)
  await expect(messageWith(page, first)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^1 email$/ })).toBeVisible()
  await expect(search).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.frameLocator('iframe').getByText(first)).toBeVisible()

  await search.fill(`${first} and more`)
  await expect(page.getByText('No emails match.')).toBeVisible()
  await expect(messages).toHaveCount(0)
  await page.getByRole('link', { name: 'Show all emails' }).click()
  const sent = messages.filter({ hasText: new RegExp(`${first}|${second}`) })
  await expect(sent).toContainText([second, first])
  await expect(search).toHaveValue('')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Outbox')
  await expect(page.getByText('This demo doesn’t send email.')).toBeVisible()
  await expect(page).toHaveTitle(/^Outbox/)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  const message = messageWith(page, text)
  await expect(message.getByRole('heading')).toHaveText('Message from Ida Renn')
  await expect(message.getByText('hello@wingedwheels.example', { exact: true })).toBeVisible()

  await message.getByText('Show HTML version').click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText(text)).toBeVisible()
  await expect(frame.getByText('Winged Wheels').first()).toBeVisible()

  const links = messageWith(page, withLinks).getByRole('link')
  await expect(links).toHaveText([shopUrl])
  await links.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bicycle Parts')
})

function messageWith(page: Page, text: string) {
  return page.getByRole('article').filter({ hasText: text })
}

/** Sends a unique message, as the form of the home page does. */
async function sendMessage(request: APIRequestContext, suffix = '') {
  const text = `Islands ${uniqueWord()}`
  const data = { name: 'Ida Renn', email: 'ida@example.com', phone: '5550100', message: `${text} ${suffix}` }
  expect((await request.post('/api/messages', { data })).status()).toBe(201)
  return text
}
