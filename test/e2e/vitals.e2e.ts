import type { APIRequestContext, Page, Response } from '@playwright/test'
import { expect, test, visit } from './shop.ts'

async function readMetric(request: APIRequestContext, name: string) {
  const response = await request.get('/metrics')
  expect(response.status()).toBe(200)
  const line = (await response.text()).split('\n').find((line) => line.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

/** Waits for the reporter and clicks once, so that there is an interaction to measure. */
async function visitAndInteract(page: Page, url: string) {
  await visit(page, url)
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some(
        (entry) =>
          /\/assets\/vitals-reporter-/.test(entry.name) &&
          (entry as PerformanceResourceTiming).responseEnd > 0,
      ),
  )
  await page.getByRole('button', { name: 'Switch between light and dark mode' }).click()
  // web-vitals handles the interaction in an idle callback with the same timeout, registered before this one.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver(() => requestIdleCallback(resolve, { timeout: 1_000 })).observe({
          type: 'first-input',
          buffered: true,
        }),
      ),
  )
}

/** Simulates a switch to another tab, which a test browser does not report. */
async function hide(page: Page) {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    dispatchEvent(new Event('visibilitychange'))
  })
}

test('the vitals script loads after the load event, and web vitals are reported once, when the user leaves the page', {
  tag: '@pictures',
}, async ({ page, request }) => {
  const requests = 'http_request_duration_seconds_count{method="POST",route="reportVitals",status="2xx"}'
  const vitals = ['ttfb_seconds', 'fcp_seconds', 'lcp_seconds', 'inp_seconds', 'cls'].map(
    (vital) => `web_vital_${vital}_count{page="content/home"}`,
  )
  const metrics = [requests, ...vitals]
  const before = await Promise.all(metrics.map((metric) => readMetric(request, metric)))

  await visitAndInteract(page, '/')
  const { loaded, reporters } = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const files = performance.getEntriesByType('resource')
    const reporters = files.filter(({ name }) => name.includes('vitals-reporter'))
    return { loaded: navigation!.loadEventStart, reporters: reporters.map(({ startTime }) => startTime) }
  })
  expect(loaded).toBeGreaterThan(0)
  expect(reporters).toHaveLength(1)
  expect(reporters[0]).toBeGreaterThanOrEqual(loaded)
  expect(await (await page.request.get('/')).text()).not.toContain('vitals-reporter')
  expect(await readMetric(request, requests)).toBe(before[0])
  await page.goto('/robots.txt')
  await expect.poll(() => readMetric(request, requests)).toBe(before[0]! + 1)
  const after = await Promise.all(metrics.map((metric) => readMetric(request, metric)))
  expect(after).toEqual(before.map((count) => count + 1))
})

test('a blocked vitals request or script does not break the page, and an offline browser does not report web vitals', {
  tag: '@pictures',
}, async ({ page, context, allowConsoleErrors }) => {
  // The browser logs the blocked requests itself; our code logs nothing.
  allowConsoleErrors(
    /^Failed to load resource: net::ERR_BLOCKED_BY_CLIENT.* \(\S+\/(api\/vitals|assets\/vitals-reporter-\S+)\)$/,
  )
  const requests: string[] = []
  await page.route('/api/vitals', (route) => {
    requests.push(route.request().method())
    return route.abort('blockedbyclient')
  })
  await visitAndInteract(page, '/')
  await hide(page)
  await expect.poll(() => requests).toEqual(['POST'])

  await page.route('**/vitals-reporter-*', (route) => route.abort('blockedbyclient'))
  const blocked = page.waitForEvent('requestfailed', (request) => request.url().includes('vitals-reporter'))
  await visit(page, '/')
  await blocked
  await page.getByRole('link', { name: 'Blogs' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Blogs' })).toBeVisible()

  await page.unrouteAll()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await visitAndInteract(page, '/')
  await context.setOffline(true)
  await hide(page)
  await context.setOffline(false)
  await page.goto('/blogs')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(paths).toContain('/blogs')
  expect(paths).not.toContain('/api/vitals')
})

test('metrics are served to local requests and not to forwarded ones', { tag: '@pictures' }, async ({
  request,
}) => {
  await request.get('/metrics')
  const text = await (await request.get('/metrics')).text()
  for (const metric of [
    'process_resident_memory_bytes ',
    'nodejs_eventloop_lag_p99_seconds ',
    'http_request_duration_seconds_count{method="GET",route="metrics",status="2xx"}',
  ]) {
    expect(text).toContain(`\n${metric}`)
  }
  const forwarded = await request.get('/metrics', { headers: { 'X-Forwarded-For': '192.0.2.1' } })
  expect(forwarded.status()).toBe(404)
  expect(await forwarded.text()).not.toContain('process_resident_memory_bytes')
})

test('the home page, catalogue, a part, reviews and terms load at most 128 KB of script and one font', async ({
  page,
  request,
}) => {
  const [part] = await (await request.get('/api/part?limit=1')).json()
  for (const path of ['/', '/parts', `/parts/${part._id}`, '/reviews', '/terms']) {
    const files = new Map<string, { type: string; bytes: number }>()
    const keep = (response: Response) =>
      files.set(response.url(), {
        type: response.request().resourceType(),
        bytes: Number(response.headers()['content-length']),
      })
    page.on('response', keep)
    await visit(page, path)
    await page.waitForLoadState('networkidle')
    page.off('response', keep)
    const bytesOf = (type: string) =>
      [...files.values()].reduce((sum, file) => sum + (file.type === type ? file.bytes : 0), 0)
    expect(bytesOf('script'), `script of ${path}`).toBeLessThan(128_000)
    expect(bytesOf('script'), `script of ${path}`).toBeGreaterThan(100_000)
    expect(bytesOf('font'), `fonts of ${path}`).toBeLessThan(60_000)
  }
})
