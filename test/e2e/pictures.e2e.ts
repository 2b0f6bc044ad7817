import { expect, test } from './shop.ts'

test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true })

test('the home page costs a phone less than 250 KB of pictures in all, and none of them moves anything', async ({
  page,
}) => {
  const pictures: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image')
      pictures.push(response.body().then(({ length }) => length))
  })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources } = entry as PerformanceEntry & { sources: { node?: Node }[] }
        for (const { node } of sources) moved.push((node as Element | undefined)?.outerHTML ?? 'something')
      }
    }).observe({ type: 'layout-shift', buffered: true })
    const moved: string[] = []
    Object.assign(window, { moved })
  })
  // Each arrives when all else is there.
  await page.route('**/images/*', async (route) => {
    await page.waitForLoadState('domcontentloaded')
    await route.continue()
  })
  await page.goto('/')
  await lookAtAll()
  await page.waitForLoadState('networkidle')

  const seen = await page.evaluate(() => [...document.images].every(({ complete }) => complete))
  expect(seen).toBe(true)
  expect(pictures.length).toBeGreaterThan(5)
  const bytes = (await Promise.all(pictures)).reduce((sum, length) => sum + length, 0)
  expect(bytes).toBeLessThan(250 * 1024)
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])

  async function lookAtAll() {
    const height = await page.evaluate(() => document.body.scrollHeight)
    for (let y = 0; y < height; y += 400) {
      await page.evaluate((top) => window.scrollTo(0, top), y)
      await page.waitForLoadState('networkidle')
    }
  }
})
