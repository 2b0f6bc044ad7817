import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { docsPaths } from '#api/docs/call-groups.ts'
import { expectAccessible } from './axe.ts'
import { expect, test, visit } from './shop.ts'

const run = promisify(execFile)
const nounPaths = docsPaths.slice(1)

test('the API docs describe every operation on the page of its noun', async ({ page, request }) => {
  const { paths } = await (await request.get('/api/openapi.json')).json()
  const operations = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method, path })),
  )
  expect(operations.length).toBeGreaterThan(21)

  await visit(page, '/api/docs')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const articles: { name: string | null; text: string | null; headings: (string | null)[] }[] = []
  for (const path of nounPaths) {
    await page.goto(path)
    // Read at once: a locator for each operation would search this long page 240 times.
    articles.push(
      ...(await page.getByRole('article').evaluateAll((elements) =>
        elements.map((element) => ({
          name: document.getElementById(element.getAttribute('aria-labelledby')!)!.textContent,
          text: element.textContent,
          headings: [...element.querySelectorAll('h3')].map((heading) => heading.textContent),
        })),
      )),
    )
  }
  expect(articles).toHaveLength(operations.length)
  for (const { operationId, method, path } of operations) {
    const article = articles.find(({ name }) => name === operationId)
    expect(article?.text, operationId).toContain(`${method.toUpperCase()} ${path}`)
    expect(article?.text, operationId).toContain('Access: ')
    expect(article?.headings, operationId).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Returns 20[01]/), 'Errors']),
    )
  }
})

test('the page of a noun shows each field, and its index finds the calls of all nouns', async ({ page }) => {
  await visit(page, '/api/docs/orders')
  const index = page.getByRole('navigation', { name: 'Calls' })
  await expect(index.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await expect(
    index.getByRole('listitem').filter({ hasText: /^POSTplacePurchase \/api\/purchase$/ }),
  ).toBeVisible()
  const order = page.getByRole('article', { name: 'placePurchase', exact: true })
  await expect(order.getByRole('figure', { name: 'Request' })).toContainText(
    /curl "http.*\/api\/purchase" \\\s+-H "Authorization: Bearer \$TOKEN"/,
  )
  for (const text of ['Request body (application/json)', 'transactionId', '429'])
    await expect(order).toContainText(text)
  await expect(
    order.getByRole('table', { name: /^Request body/ }).getByRole('row', { name: /phoneNumber/ }),
  ).toContainText('Phone number, at most 11 digits')

  const current = index.locator('[aria-current=location]')
  await order.getByRole('heading', { name: 'placePurchase' }).evaluate((heading) => heading.scrollIntoView())
  await expect(current).toHaveText(/placePurchase/)
  await expect(current).toBeInViewport()
  await index.getByRole('searchbox', { name: 'Filter calls' }).fill('delete /basket')
  await expect(index.getByRole('listitem').getByRole('link')).toHaveText(/removeFromBasket/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/api\/docs\/basket-and-lists#removeFromBasket$/)
  await expect(page.getByRole('article', { name: 'removeFromBasket' })).toBeInViewport()
})

test('the first page of the API docs leads to each noun, and on a phone by a search to each call', async ({
  page,
}) => {
  await visit(page, '/api/docs')
  const nouns = page.getByRole('region', { name: 'Calls', exact: true }).getByRole('link')
  await expect(nouns).toHaveCount(nounPaths.length)
  await nouns.filter({ hasText: /^Reviews.*answers.*\d calls$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reviews')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^PUT hideReview Hides/ })
    .click()
  await expect(page.getByRole('article', { name: 'hideReview' })).toBeInViewport()
  const request = await page
    .getByRole('article')
    .first()
    .getByRole('figure', { name: 'Request' })
    .boundingBox()
  const heading = await page.getByRole('heading', { name: 'listReviews' }).boundingBox()
  expect(request!.x, 'the request, beside the call').toBeGreaterThan(heading!.x + 200)

  await page.setViewportSize({ width: 360, height: 740 })
  await visit(page, '/api/docs')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height, 'all of the page').toBeLessThan(6_000)
  await page.getByRole('searchbox', { name: 'Filter calls' }).fill('hideRev')
  await page
    .getByRole('navigation', { name: 'Calls' })
    .getByRole('link', { name: /hideReview/ })
    .click()
  await expect(page).toHaveURL(/\/api\/docs\/reviews#hideReview$/)
  await expect(page.getByRole('article', { name: 'hideReview' })).toBeInViewport()
})

test('API docs pass axe, fit a phone and are noindex', async ({ page }) => {
  for (const path of ['/api/docs', '/api/docs/reviews']) {
    await visit(page, path)
    await expectAccessible(page, path)
    await page.setViewportSize({ width: 320, height: 700 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  }
})

test('a link to a call on the page of all calls leads to its page', async ({ page }) => {
  await visit(page, '/api/docs#listReviews')
  await expect(page).toHaveURL(/\/api\/docs\/reviews#listReviews$/)
  await expect(page.getByRole('heading', { name: 'listReviews' })).toBeInViewport()
})

test('the requests of the API docs work in a shell', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, '/api/docs')
  const copy = async (label: string) => {
    await page.getByRole('button', { name: label, exact: true }).click()
    await expect(page.getByRole('button', { name: label, exact: true })).toHaveText('Copied')
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const first = await run('sh', ['-c', `${await copy('Copy the first request')} -s`])
  expect(JSON.parse(first.stdout)[0]).toHaveProperty('perUnitPrice')
  const signIn = await copy('Copy the commands that sign in')
  const { stdout: token } = await run('sh', ['-c', `cd "$(mktemp -d)" && ${signIn}\necho "$TOKEN"`])
  const TOKEN = token.trim()
  expect(TOKEN).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)

  await visit(page, '/api/docs/basket-and-lists')
  const addToBasket = await copy('Copy the request of addToBasket')
  const { stdout: answer } = await run('sh', ['-c', `${addToBasket} -s`], { env: { ...process.env, TOKEN } })
  expect(JSON.parse(answer).items).toHaveLength(1)
})

test('unknown paths below /api return 404', async ({ request }) => {
  for (const path of ['/api', '/api/', '/api/docs/more', '/api/docs.json', '/api/no/such/call']) {
    const response = await request.get(path)
    expect(response.status(), path).toBe(404)
    if (path !== '/api') expect(response.headers()['content-type'], path).toContain('json')
  }
  expect((await request.post('/api/docs')).status()).toBe(404)
})
