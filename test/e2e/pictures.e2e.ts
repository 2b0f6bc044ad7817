import { expect, test, visit } from './shop.ts'

test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true })

test('the home page loads less than 250 KB of pictures on a phone and has no layout shift', {
  tag: '@pictures',
}, async ({ page }) => {
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image')
      sizes.push(response.body().then(({ length }) => length))
  })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources, value } = entry as PerformanceEntry & { sources: { node?: Node }[]; value: number }
        // A font that arrives late moves the arrow of a button by a pixel.
        if (value < 0.005) continue
        for (const { node } of sources) shifts.push((node as Element | undefined)?.outerHTML ?? 'something')
      }
    }).observe({ type: 'layout-shift', buffered: true })
    const shifts: string[] = []
    Object.assign(window, { shifts })
  })
  // Delays pictures until the DOM is loaded, so that one without a size would shift the layout.
  await page.route('**/images/*', async (route) => {
    await page.waitForLoadState('domcontentloaded')
    await route.continue()
  })
  await visit(page, '/')
  await page.evaluate(async () => {
    for (const image of document.images) {
      image.scrollIntoView()
      if (!image.complete) await new Promise((resolve) => image.addEventListener('load', resolve))
    }
  })
  expect(sizes.length).toBeGreaterThan(5)
  const bytes = (await Promise.all(sizes)).reduce((sum, length) => sum + length, 0)
  expect(bytes).toBeLessThan(250 * 1024)
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([])
})
