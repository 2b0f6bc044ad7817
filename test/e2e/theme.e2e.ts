import type { Page } from '@playwright/test'
import { demoCustomer, expect, openPart, partNamed, signIn, test, toast, visit } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'

test('the theme follows the system setting', async ({ page }) => {
  await visit(page, '/')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectTheme(page, colorScheme)
  }
  expect(await htmlTag(page)).not.toContain('data-theme')
})

for (const [system, other, theme] of [
  ['light', 'dark', 'night'],
  ['dark', 'light', 'day'],
] as const) {
  test(`a user with a ${system} system can switch the shop to ${other} and back`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/ERR_FAILED .*\/assets\//)
    await page.emulateMedia({ colorScheme: system })
    await visit(page, '/')
    const toggle = page.getByRole('button', { name: 'Light or dark' })
    await toggle.click()
    await expectTheme(page, other)

    // The theme is in the HTML, so the page does not flash before a script runs.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    await expectTheme(page, other)
    expect(await htmlTag(page)).toContain(`data-theme="${theme}"`)
    await page.unrouteAll()

    await page.emulateMedia({ colorScheme: other })
    await visit(page, '/parts')
    await expectTheme(page, other)
    await page.emulateMedia({ colorScheme: system })
    await expectTheme(page, other)

    await toggle.click()
    await expectTheme(page, system)
    expect(await htmlTag(page)).not.toContain('data-theme')
    await page.emulateMedia({ colorScheme: other })
    await expectTheme(page, other)
  })
}

test('another tab applies the chosen theme when it becomes visible', async ({ page, context }) => {
  const other = await context.newPage()
  await other.emulateMedia({ colorScheme: 'light' })
  await visit(other, '/blogs')
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(page, '/')
  await page.getByRole('button', { name: 'Light or dark' }).click()
  await expectTheme(page, 'dark')
  // In a test browser every tab is visible, so the event has to be dispatched.
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expectTheme(other, 'dark')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, colorScheme: 'dark' })

  test('the theme follows the system setting, and there is no theme button', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Light or dark' })).toHaveCount(0)
    await expectTheme(page, 'dark')
  })
})

test.describe('with reduced motion', () => {
  test.use({ reducedMotion: 'reduce' })

  test('no element is animated', async ({ page }) => {
    for (const url of ['/', '/parts']) {
      await visit(page, url)
      await partNamed(page, ring).hover()
      expect(await animations(page), url).toEqual([])
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).hover()
      expect(await animations(page), url).toEqual([])
    }
    await openPart(page, ring)
    await page.getByRole('link', { name: `${ring} , larger` }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await animations(page)).toEqual([])
  })

  test('a toast stays as long as without reduced motion', async ({ page }) => {
    await page.goto('/login')
    await signIn(page, demoCustomer)
    expect(await animations(page)).toEqual([])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
    await expect(toast(page, 'Login Successfully!')).toBeVisible()
  })
})

/** Brightness of the background, from 0 to 1. */
function brightness(page: Page) {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')!
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3 / 255
  })
}

async function expectTheme(page: Page, theme: 'light' | 'dark') {
  const assertion = expect.poll(() => brightness(page), `whether the shop is ${theme}`)
  await (theme === 'light' ? assertion.toBeGreaterThan(0.9) : assertion.toBeLessThan(0.15))
}

/** The <html> tag as served, before any script runs. */
async function htmlTag(page: Page) {
  const html = await (await page.request.get('/')).text()
  return /<html[^>]*>/.exec(html)?.[0]
}

/** The visible elements with an animation longer than 1 ms. */
function animations(page: Page) {
  return page.evaluate(() =>
    document.getAnimations().flatMap(({ effect }) => {
      const { target } = effect as KeyframeEffect
      const isVisible = target?.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      return isVisible && Number(effect!.getComputedTiming().endTime) > 1
        ? [target!.outerHTML.slice(0, 200)]
        : []
    }),
  )
}
