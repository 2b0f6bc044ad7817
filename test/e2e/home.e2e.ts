import type { Page } from '@playwright/test'
import type { Client } from '#api/client.ts'
import type { api } from '#api/contract.ts'
import { createSignedInClient } from '#test/process.ts'
import {
  definitionOf,
  demoAdmin,
  demoCustomer,
  expect,
  expectMessage,
  navigate,
  retryingClosed,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const sentMessage = 'Message sent. We’ll reply by email.'

test('home shows the manufacturer, a banner, three featured parts, business figures, the team, reviews in one to four columns with a link to all, and brands that link to parts', async ({
  page,
  request,
  baseURL,
}) => {
  const customer = await createSignedInClient(baseURL!, demoCustomer)
  await customer.addReview({ body: { address: 'Gdynia', reviews: 'Runs true.', rating: '5' } })
  const response = await request.get('/api/reviews?limit=1')
  const [newest] = await response.json()
  const total = Number(response.headers()['x-total-count'])
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  const main = page.getByRole('main')
  const headline = page.getByRole('heading', { level: 1 })
  await expect(headline).toHaveText('Winged Wheels Manufacturer')
  await expect(page.getByRole('heading', { name: 'Featured products' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Purchase' })).toHaveCount(3)
  await expect(page.getByText('Providing reliable tech since 1992')).toBeVisible()

  await expect(await definitionOf(main, 'Customers')).toHaveText('5000+')
  await expect(await definitionOf(main, 'Reviews')).toHaveText('490k+')
  await expect(await definitionOf(main, 'Annual revenue')).toHaveText('100M+')
  await expect(await definitionOf(main, 'Parts')).toHaveText('28')

  const team = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Meet the team' }) })
  await expect(team.getByRole('listitem')).toHaveCount(4)
  await expect(team.getByRole('listitem').getByRole('heading')).toHaveCount(4)

  const banner = page.locator('section').filter({ has: headline })
  expect((await banner.boundingBox())!.height).toBe(500)

  await expect(page.getByRole('heading', { name: 'What Our Beloved Client Says' })).toBeVisible()
  const reviews = page.getByRole('article').filter({ hasText: 'Review:' })
  const review = reviews.first()
  await expect(review.getByRole('heading')).toHaveText(newest.name)
  await expect(review.getByText(`Review: ${newest.reviews}`, { exact: true })).toBeVisible()
  await expect(review.getByRole('img', { name: `${newest.rating} of 5 stars` })).toBeVisible()
  await expect(review.getByText(`Address: ${newest.address}`, { exact: true })).toBeVisible()
  for (const [width, columns] of [
    [360, 1],
    [768, 2],
    [1024, 3],
    [1440, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const boxes = await Promise.all((await reviews.all()).map((review) => review.boundingBox()))
    expect(new Set(boxes.map((box) => box!.x)).size, `at ${width} px`).toBe(columns)
  }
  await expect(reviews).toHaveCount(12)
  await page.getByRole('link', { name: `Show all ${total} reviews` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reviews')
  await expect(reviews).toHaveCount(Math.min(total, 20))
  await expect(review.getByRole('heading')).toHaveText(newest.name)
  await page.goBack()

  const menu = page.getByRole('navigation', { name: 'Main' })
  const brands = page.getByRole('region', { name: 'Brands' }).getByRole('link')
  await expect(brands).toHaveCount(6)
  for (const brand of await brands.allTextContents()) {
    await page.getByRole('link', { name: brand, exact: true }).click()
    const filter = page.getByRole('checkbox', { name: new RegExp(`^${brand} \\d+$`) })
    await expect(filter).toBeChecked()
    const shown = await page.getByRole('article').count()
    await expect(filter).toHaveAccessibleName(`${brand} ${shown}`)
    await menu.getByRole('link', { name: 'Home' }).click()
  }

  await banner.getByRole('link', { name: 'Browse parts' }).click()
  await expect(headline).toHaveText('Bicycle Parts')
  await navigate(page, '/home')
  await expect(menu.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('combobox', { name: 'Search parts' }).fill('floating rotor')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('the contact form shows field errors, keeps its input when offline and across a reload, a retry or a double click sends one message, and sending clears the form', async ({
  page,
  context,
  baseURL,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 400 .*\/api\/messages|net::ERR_(INTERNET_DISCONNECTED|FAILED)/)
  const admin = await createSignedInClient(baseURL!, demoAdmin)
  await visit(page, '/')
  const send = page.getByRole('button', { name: 'Send Message' })
  await send.click()
  await expectMessage(page, 'Your Name', 'Name is required')
  await expectMessage(page, 'Your Email', 'Email is required')
  await expectMessage(page, 'Your Phone', 'Phone is required')
  await expectMessage(page, 'Your Message', 'Message is required')
  await expect(page.getByLabel('Your Name')).toBeFocused()

  const message = `Do you ship to islands? ${uniqueWord()}`
  await fillMessage(page, message)
  await page.getByLabel('Your Email').fill('ida at home')
  await page.getByLabel('Your Phone').focus()
  await expectMessage(page, 'Your Email', 'Provide a valid email')
  await send.click()
  await expect(page.getByLabel('Your Email')).toBeFocused()
  await expectMessage(page, 'Your Email', 'Provide a valid email')
  await expect(page.getByText('Name is required')).toHaveCount(0)
  await expect(page.getByLabel('Your Message')).toHaveValue(message)

  await page.getByLabel('Your Email').fill('ida@example.com')
  await context.setOffline(true)
  await send.click()
  const unreachable = 'We can’t reach the shop. Check your connection and try again.'
  await expect(page.getByText(unreachable)).toBeVisible()
  await expect(page.getByLabel('Your Name')).toHaveValue('Ida Renn')
  await expect(page.getByLabel('Your Message')).toHaveValue(message)
  await context.setOffline(false)
  await send.click()
  await expect(toast(page, sentMessage)).toBeVisible()
  await expect(page.getByText(unreachable)).toHaveCount(0)
  expect(await findMessages(admin, message)).toHaveLength(1)

  // The response is lost.
  const second = `Do you ship to islands? ${uniqueWord()}`
  await fillMessage(page, second)
  await page.route('**/api/messages', (route) => route.fetch(retryingClosed).then(() => route.abort()), {
    times: 1,
  })
  await send.click()
  await expect(page.getByText(unreachable)).toBeVisible()
  await expect(page.getByLabel('Your Message')).toHaveValue(second)
  await send.click()
  await expect(page.getByLabel('Your Message')).toHaveValue('')
  expect(await findMessages(admin, second)).toHaveLength(1)

  const draft = `Do you ship to islands? ${uniqueWord()}`
  await fillMessage(page, draft)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recent Blogs')
  await visit(page, '/')
  await expect(page.getByLabel('Your Name')).toHaveValue('Ida Renn')
  await expect(page.getByLabel('Your Email')).toHaveValue('ida@example.com')
  await expect(page.getByLabel('Your Phone')).toHaveValue('5550100')
  await expect(page.getByLabel('Your Message')).toHaveValue(draft)

  await send.dblclick()
  await expect(toast(page, sentMessage)).toBeVisible()
  for (const when of ['at once', 'after a reload']) {
    for (const label of ['Your Name', 'Your Email', 'Your Phone', 'Your Message']) {
      await expect(page.getByLabel(label), when).toHaveValue('')
    }
    if (when === 'at once') await page.reload()
    await expect(send).toBeEnabled()
  }
  expect(await findMessages(admin, draft)).toMatchObject([
    { name: 'Ida Renn', email: 'ida@example.com', phone: '5550100', message: draft },
  ])
})

test('the blogs answer five questions with images alternating left and right, the portfolio shows the developer and three projects, and every footer link opens its page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recent Blogs')
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: '?' })).toHaveText([
    /performance of a React application/,
    /manage state in React/,
    /prototypal inheritance/,
    /set state directly/,
    /unit tests/,
  ])
  const articles = await page.getByRole('article').all()
  expect(articles).toHaveLength(5)
  const sides = articles.map(async (article) => {
    const picture = await article.locator('img').boundingBox()
    const question = await article.getByRole('heading', { level: 2 }).boundingBox()
    return picture!.x < question!.x ? 'left' : 'right'
  })
  expect(await Promise.all(sides)).toEqual(['left', 'right', 'left', 'right', 'left'])
  for (const article of articles) expect(await article.getByRole('paragraph').count()).toBeGreaterThan(2)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Portfolio' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/)
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(3)

  const footer = page.getByRole('contentinfo')
  const links = await footer.getByRole('link').all()
  expect(links.length).toBeGreaterThan(6)
  for (const link of links) {
    const href = (await link.getAttribute('href'))!
    expect((await page.request.get(href)).status(), href).toBe(200)
  }
  for (const [label, heading] of [
    ['Terms of sale', 'Terms of sale'],
    ['Privacy', 'Privacy'],
    ['Returns', 'Returns'],
  ] as const) {
    await footer.getByRole('link', { name: label }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  await footer.getByRole('link', { name: 'Contact' }).click()
  await expect(page.getByRole('heading', { name: 'Contact us' })).toBeInViewport()
  await footer.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
})

async function fillMessage(page: Page, message: string) {
  await page.getByLabel('Your Name').fill('Ida Renn')
  await page.getByLabel('Your Email').fill('ida@example.com')
  await page.getByLabel('Your Phone').fill('5550100')
  await page.getByLabel('Your Message').fill(message)
}

async function findMessages({ listMessages }: Client<typeof api>, message: string) {
  const { rows } = await listMessages()
  return rows.filter((row) => row.message === message)
}
