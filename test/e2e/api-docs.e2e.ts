import { expectAccessible } from './axe.ts'
import { expect, test, visit } from './shop.ts'

test('the API docs page documents every operation, passes axe in both themes, fits a phone and is noindex', async ({
  page,
  request,
}) => {
  const { paths } = await (await request.get('/api/openapi.json')).json()
  const operations = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method, path })),
  )
  expect(operations.length).toBeGreaterThan(21)

  await visit(page, '/api/docs')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(operations.length)
  // Read at once: a locator for each operation would search this long page 240 times.
  const articles = await page.getByRole('article').evaluateAll((elements) =>
    elements.map((element) => ({
      name: document.getElementById(element.getAttribute('aria-labelledby')!)!.textContent,
      text: element.textContent,
      headings: [...element.querySelectorAll('h4')].map((heading) => heading.textContent),
    })),
  )
  for (const { operationId, method, path } of operations) {
    const article = articles.find(({ name }) => name === operationId)
    expect(article?.text, operationId).toContain(`${method.toUpperCase()} ${path}`)
    expect(article?.text, operationId).toContain('Access: ')
    expect(article?.headings, operationId).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Returns 20[01]/), 'Errors']),
    )
  }
  const nouns = page.getByRole('navigation', { name: 'Calls' })
  await expect(nouns.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await expect(
    nouns.getByRole('listitem').filter({ hasText: /^POSTplacePurchase \/api\/purchase$/ }),
  ).toBeVisible()
  const order = page.getByRole('article', { name: 'placePurchase', exact: true })
  await expect(order).toContainText('POST /api/purchase\nAuthorization: Bearer {token}')
  for (const text of ['Request body (application/json)', 'phoneNumber', 'transactionId', '429']) {
    await expect(order).toContainText(text)
  }

  const current = nouns.locator('[aria-current=location]')
  await order.getByRole('heading', { name: 'placePurchase' }).evaluate((heading) => heading.scrollIntoView())
  await expect(current).toHaveText(/placePurchase/)
  await expect(current).toBeInViewport()
  await nouns.getByRole('searchbox', { name: 'Filter calls' }).fill('delete /basket')
  await expect(nouns.getByRole('link')).toHaveText(/removeFromBasket/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#removeFromBasket$/)
  await expect(page.getByRole('article', { name: 'removeFromBasket' })).toBeInViewport()

  await expectAccessible(page, 'the page of the API')
  await page.setViewportSize({ width: 320, height: 700 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
})

test('unknown paths below /api return 404', async ({ request }) => {
  for (const path of ['/api', '/api/', '/api/docs/more', '/api/docs.json', '/api/no/such/call']) {
    const response = await request.get(path)
    expect(response.status(), path).toBe(404)
    if (path !== '/api') expect(response.headers()['content-type'], path).toContain('json')
  }
  expect((await request.post('/api/docs')).status()).toBe(404)
})
