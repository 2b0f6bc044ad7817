import type { Page } from '@playwright/test'
import { demoCustomer, expect, openPart, partNamed, signIn, test, toast, visit } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'

test('the shop is light or dark as the system is', async ({ page }) => {
  await visit(page, '/')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectTheme(page, colorScheme)
  }
  expect(await firstTag(page)).not.toContain('data-theme')
})

for (const [system, other, theme] of [
  ['light', 'dark', 'night'],
  ['dark', 'light', 'day'],
] as const) {
  test(`somebody whose system is ${system} has the shop ${other}, until they switch back`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/ERR_FAILED .*\/assets\//)
    await page.emulateMedia({ colorScheme: system })
    await visit(page, '/')
    const change = page.getByRole('button', { name: 'Light or dark' })
    await change.click()
    await expectTheme(page, other)

    // No script has to come first: the page arrives in its colours, and nothing flashes.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    await expectTheme(page, other)
    expect(await firstTag(page)).toContain(`data-theme="${theme}"`)
    await page.unrouteAll()

    // A choice holds on every page, whatever the system does meanwhile.
    await page.emulateMedia({ colorScheme: other })
    await visit(page, '/parts')
    await expectTheme(page, other)
    await page.emulateMedia({ colorScheme: system })
    await expectTheme(page, other)

    await change.click()
    await expectTheme(page, system)
    expect(await firstTag(page)).not.toContain('data-theme')
    await page.emulateMedia({ colorScheme: other })
    await expectTheme(page, other)
  })
}

test('another tab has the theme that was chosen here as soon as somebody looks at it', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await other.emulateMedia({ colorScheme: 'light' })
  await visit(other, '/blogs')
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(page, '/')
  await page.getByRole('button', { name: 'Light or dark' }).click()
  await expectTheme(page, 'dark')
  // What a browser says of a tab that comes to the front; the one of the tests shows all tabs at once.
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expectTheme(other, 'dark')
})

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false, colorScheme: 'dark' })

  test('the theme is the system’s, and there is nothing to switch', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Light or dark' })).toHaveCount(0)
    await expectTheme(page, 'dark')
  })
})

test.describe('for somebody who asked for less motion', () => {
  test.use({ reducedMotion: 'reduce' })

  test('nothing moves', async ({ page }) => {
    for (const address of ['/', '/parts']) {
      await visit(page, address)
      await partNamed(page, ring).hover()
      expect(await moving(page), address).toEqual([])
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).hover()
      expect(await moving(page), address).toEqual([])
    }
    await openPart(page, ring)
    await page.getByRole('link', { name: `${ring} , larger` }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await moving(page)).toEqual([])
  })

  test('a toast stays as long as for everybody', async ({ page }) => {
    await page.goto('/login')
    await signIn(page, demoCustomer)
    expect(await moving(page)).toEqual([])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
    await expect(toast(page, 'Login Successfully!')).toBeVisible()
  })
})

/** How bright the page is behind its words, from 0 to 1. */
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
  const seen = expect.poll(() => brightness(page), `whether the shop is ${theme}`)
  await (theme === 'light' ? seen.toBeGreaterThan(0.9) : seen.toBeLessThan(0.15))
}

/** The first tag that the shop sends to this browser, before any script runs. */
async function firstTag(page: Page) {
  const html = await (await page.request.get('/')).text()
  return /<html[^>]*>/.exec(html)?.[0]
}

/** Everything that can be seen to move, or will have moved in more than an instant. */
function moving(page: Page) {
  return page.evaluate(() =>
    document.getAnimations().flatMap(({ effect }) => {
      const { target } = effect as KeyframeEffect
      const seen = target?.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      return seen && Number(effect!.getComputedTiming().endTime) > 1 ? [target!.outerHTML.slice(0, 200)] : []
    }),
  )
}
