import { expect, test, visit } from './shop.ts'

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
  await visit(page, '/')
  await page.evaluate(async () => {
    for (const image of document.images) {
      image.scrollIntoView()
      if (!image.complete) await new Promise((loaded) => image.addEventListener('load', loaded))
    }
  })
  expect(pictures.length).toBeGreaterThan(5)
  const bytes = (await Promise.all(pictures)).reduce((sum, length) => sum + length, 0)
  expect(bytes).toBeLessThan(250 * 1024)
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])
})
