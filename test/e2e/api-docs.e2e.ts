import { expectAccessible } from './axe.ts'
import { expect, test, visit } from './shop.ts'

test('every call of the API can be read about', async ({ page, request }) => {
  const { paths } = await (await request.get('/api/openapi.json')).json()
  const operations = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method, path })),
  )
  expect(operations.length).toBeGreaterThan(21)

  await visit(page, '/api/docs')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(operations.length)
  for (const { operationId, method, path } of operations) {
    const call = page.getByRole('article', { name: operationId, exact: true })
    await expect(call).toContainText(`${method.toUpperCase()} ${path}`)
    await expect(call).toContainText('Who may: ')
    await expect(call.getByRole('heading', { name: /^Answers 20[01]/ })).toBeVisible()
    await expect(call.getByRole('heading', { name: 'Refuses' })).toBeVisible()
  }
  const order = page.getByRole('article', { name: 'placeOrder', exact: true })
  for (const words of ['Sends application/json', 'phoneNumber', 'transactionId', '429']) {
    await expect(order).toContainText(words)
  }
})

test('the API’s page meets no barrier in either theme, fits a phone and is not listed', async ({ page }) => {
  await visit(page, '/api/docs')
  await expectAccessible(page, 'the page of the API')
  await page.setViewportSize({ width: 320, height: 700 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
})

test('nothing else below /api is a page', async ({ request }) => {
  for (const address of ['/api', '/api/', '/api/docs/more', '/api/docs.json', '/api/no/such/call']) {
    const answer = await request.get(address)
    expect(answer.status(), address).toBe(404)
    if (address !== '/api') expect(answer.headers()['content-type'], address).toContain('json')
  }
  expect((await request.post('/api/docs')).status()).toBe(404)
})
