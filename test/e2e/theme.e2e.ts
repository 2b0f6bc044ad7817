import type { Page } from '@playwright/test'
import { demoCustomer, expect, partNamed, signIn, test, toast, visit } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'

test('the theme follows the system setting until a user switches it, which other tabs and reloads keep', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/ERR_FAILED .*\/assets\//)
  await visit(page, '/')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectTheme(page, colorScheme)
  }
  expect(await htmlTag(page)).not.toContain('data-theme')

  const toggle = page.getByRole('button', { name: 'Switch between light and dark mode' })
  for (const [system, other, theme] of [
    ['light', 'dark', 'night'],
    ['dark', 'light', 'day'],
  ] as const) {
    await page.emulateMedia({ colorScheme: system })
    await toggle.click()
    await expectTheme(page, other)

    // The theme is in the HTML, so the page does not flash before a script runs.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    await expectTheme(page, other)
    expect(await htmlTag(page)).toContain(`data-theme="${theme}"`)
    await page.unrouteAll()

    await page.emulateMedia({ colorScheme: other })
    await visit(page, '/blogs')
    await expectTheme(page, other)
    await page.emulateMedia({ colorScheme: system })
    await expectTheme(page, other)

    await toggle.click()
    await expectTheme(page, system)
    expect(await htmlTag(page)).not.toContain('data-theme')
    await page.emulateMedia({ colorScheme: other })
    await expectTheme(page, other)
  }

  const second = await context.newPage()
  await second.emulateMedia({ colorScheme: 'light' })
  await visit(second, '/blogs')
  await toggle.click()
  await expectTheme(page, 'dark')
  // In a test browser every tab is visible, so the event has to be dispatched.
  await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expectTheme(second, 'dark')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, colorScheme: 'dark' })

  test('home is readable, follows the system theme, and has no theme button and a disabled contact form', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
    await expect(page.getByRole('link', { name: 'Purchase' })).toHaveCount(3)
    await expect(page.getByText(/^Review: /).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeDisabled()
    const note = page.getByRole('paragraph').filter({ hasText: 'This form needs JavaScript.' })
    await expect(note).toBeVisible()
    await expect(page.getByRole('button', { name: 'Switch between light and dark mode' })).toHaveCount(0)
    await expectTheme(page, 'dark')
  })
})

test.describe('with reduced motion', () => {
  test.use({ reducedMotion: 'reduce' })

  test('no element is animated, and a toast stays as long as without reduced motion', async ({ page }) => {
    const menu = page.getByRole('navigation', { name: 'Main' })
    await visit(page, '/')
    for (const where of ['Home', 'Parts']) {
      await menu.getByRole('link', { name: where }).click()
      await expect(page).toHaveURL(where === 'Home' ? '/' : '/parts')
      // On a busy machine, navigations show their progress.
      await expect(page.locator('.progress-line')).toHaveCount(0)
      await partNamed(page, ring).hover()
      expect(await animations(page), where).toEqual([])
      await menu.getByRole('link', { name: 'Blogs' }).hover()
      expect(await animations(page), where).toEqual([])
    }
    await partNamed(page, ring).getByRole('link', { name: ring, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ring)
    await page.getByRole('link', { name: `${ring} , enlarge` }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await animations(page)).toEqual([])

    await page.keyboard.press('Escape')
    await menu.getByRole('link', { name: 'Login' }).click()
    await signIn(page, demoCustomer)
    await expect(page.locator('.progress-line')).toHaveCount(0)
    // The toast closes when its progress bar ends.
    const bar = toast(page, 'Login Successfully!').locator('.Toastify__progress-bar--animated')
    expect(await bar.evaluate((element) => getComputedStyle(element).animationDuration)).toBe('5s')
    expect(await animations(page)).toEqual([])
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
