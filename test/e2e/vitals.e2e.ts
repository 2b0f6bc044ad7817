import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test, visit } from './shop.ts'

/** What the shop has counted under a name, with its labels. */
async function counted(request: APIRequestContext, name: string) {
  const answer = await request.get('/metrics')
  expect(answer.status()).toBe(200)
  const line = (await answer.text()).split('\n').find((line) => line.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

/** Waits until the page measures itself, and clicks once so that there is something to react to. */
async function beMeasured(page: Page, address: string) {
  const reporter = page.waitForResponse(/\/assets\/vitals-reporter-/)
  await visit(page, address)
  await (await reporter).finished()
  await page.getByRole('button', { name: 'Light or dark' }).click()
  // web-vitals hears of it first, and looks at it when there is time.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver(() => requestIdleCallback(resolve)).observe({
          type: 'first-input',
          buffered: true,
        }),
      ),
  )
}

/** As when somebody switches to another tab, which a test's browser does not have. */
async function hide(page: Page) {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    dispatchEvent(new Event('visibilitychange'))
  })
}

test('how fast a page was for somebody is told once, when they leave it', async ({ page, request }) => {
  const told = 'http_request_duration_seconds_count{method="POST",route="reportVitals",status="2xx"}'
  const vitals = ['ttfb_seconds', 'fcp_seconds', 'lcp_seconds', 'inp_seconds', 'cls'].map(
    (vital) => `web_vital_${vital}_count{page="content/home"}`,
  )
  const figures = [told, ...vitals]
  const before = await Promise.all(figures.map((figure) => counted(request, figure)))

  await beMeasured(page, '/')
  expect(await counted(request, told)).toBe(before[0])
  await page.goto('/robots.txt')
  await expect.poll(() => counted(request, told)).toBe(before[0]! + 1)
  const after = await Promise.all(figures.map((figure) => counted(request, figure)))
  expect(after).toEqual(before.map((count) => count + 1))
})

test('what measures the page is loaded only after the page is there', async ({ page }) => {
  await beMeasured(page, '/')
  const { loaded, reporters } = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const files = performance.getEntriesByType('resource')
    const reporters = files.filter(({ name }) => name.includes('vitals-reporter'))
    return { loaded: visit!.loadEventStart, reporters: reporters.map(({ startTime }) => startTime) }
  })
  expect(loaded).toBeGreaterThan(0)
  expect(reporters).toHaveLength(1)
  expect(reporters[0]).toBeGreaterThanOrEqual(loaded)
  expect(await (await page.request.get('/')).text()).not.toContain('vitals-reporter')
})

test('a shop that may not be told works on', async ({ page, expectTrouble }) => {
  // The browser notes by itself what it was kept from loading; nothing of ours complains.
  expectTrouble(
    /^Failed to load resource: net::ERR_BLOCKED_BY_CLIENT.* \(\S+\/(api\/vitals|assets\/vitals-reporter-\S+)\)$/,
  )
  const asked: string[] = []
  await page.route('/api/vitals', (route) => {
    asked.push(route.request().method())
    return route.abort('blockedbyclient')
  })
  await beMeasured(page, '/')
  await hide(page)
  await expect.poll(() => asked).toEqual(['POST'])

  await page.route('**/vitals-reporter-*', (route) => route.abort('blockedbyclient'))
  const blocked = page.waitForEvent('requestfailed', (sent) => sent.url().includes('vitals-reporter'))
  await visit(page, '/')
  await blocked
  await page.getByRole('link', { name: 'Blogs' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Blogs' })).toBeVisible()
})

test('a browser that is offline does not try to tell', async ({ page, context }) => {
  const asked: string[] = []
  page.on('request', (sent) => asked.push(new URL(sent.url()).pathname))
  await beMeasured(page, '/')
  await context.setOffline(true)
  await hide(page)
  await context.setOffline(false)
  await page.goto('/blogs')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked).toContain('/blogs')
  expect(asked).not.toContain('/api/vitals')
})

test('the figures are for this machine, or for whoever has the token', async ({ request }) => {
  await request.get('/metrics')
  const text = await (await request.get('/metrics')).text()
  for (const figure of [
    'process_resident_memory_bytes ',
    'nodejs_eventloop_lag_p99_seconds ',
    'http_request_duration_seconds_count{method="GET",route="metrics",status="2xx"}',
  ]) {
    expect(text).toContain(`\n${figure}`)
  }
  const forwarded = await request.get('/metrics', { headers: { 'X-Forwarded-For': '192.0.2.1' } })
  expect(forwarded.status()).toBe(404)
  expect(await forwarded.text()).not.toContain('process_resident_memory_bytes')
})
