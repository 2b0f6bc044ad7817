import { openPayment } from './orders.ts'
import { expect, registerByApi, test, toast } from './shop.ts'

test('the Pay button is disabled until the payment is opened, and a slow navigation to the parts shows a spinner', async ({
  page,
}) => {
  await registerByApi(page, 'Nele Vogt')
  const bank = Promise.withResolvers<void>()
  await page.route('**/api/create-payment-intent', async (route) => {
    await bank.promise
    await route.continue()
  })
  await openPayment(page, 'Trestle Platform Pedals, Pair', 24)
  const pay = page.getByRole('button', { name: /^Pay \$/ })
  await expect(pay).toBeDisabled()
  bank.resolve()
  await expect(pay).toBeEnabled()
  await expect(page.getByLabel('Card number')).toBeVisible()

  const parts = Promise.withResolvers<void>()
  await page.route('**/parts.data*', async (route) => {
    await parts.promise
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await expect(page.locator('.loading-spinner')).toBeVisible()
  parts.resolve()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bicycle Parts')
  await expect(page.locator('.loading-spinner')).toHaveCount(0)
})

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' })

  test('a toast is shown once, at the top right, for five seconds, in the light theme', async ({ page }) => {
    await registerByApi(page, 'Nele Vogt')
    await page.goto('/dashboard/myProfile')
    for (const [label, input] of [
      ['Education', 'Wheel building'],
      ['Address', '4 Canal Street, Bremen'],
      ['Phone Number', '5550100'],
      ['LinkedIn', 'https://linkedin.example/nele'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(input)
    }
    const message = toast(page, 'Successfully updated your profile!')
    const button = page.getByRole('button', { name: 'Update Profile' })
    await button.click()
    // The toast closes when its progress bar ends; hovering pauses the bar.
    await message.hover()
    const progressBar = message.locator('.Toastify__progress-bar--animated')
    expect(await progressBar.evaluate((bar) => getComputedStyle(bar).animationDuration)).toBe('5s')
    await expect(progressBar).toHaveClass(/theme--light/)

    await expect(button).toHaveAttribute('aria-disabled', 'false')
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await button.press('Enter')
    await saved
    await expect(button).toHaveAttribute('aria-disabled', 'false')
    // Checked without retrying, since a duplicate would close by itself.
    expect(await message.count()).toBe(1)

    const { x, y, width } = (await message.boundingBox())!
    const screen = page.viewportSize()!
    expect(x).toBeGreaterThan(screen.width / 2)
    expect(screen.width - x - width).toBeLessThan(40)
    expect(y).toBeLessThan(screen.height / 3)

    await page.setViewportSize({ width: 375, height: 700 })
    await page.emulateMedia({ colorScheme: 'dark' })
    // A toast that follows another one keeps its place.
    await page.reload()
    await button.click()
    await message.hover()
    await expect.poll(async () => (await message.boundingBox())?.y, 'on a phone').toBeGreaterThan(350)
    const [background, pageBackground] = await Promise.all(
      [page.locator('.Toastify__toast'), page.locator('body')].map((element) =>
        element.evaluate((shown) => getComputedStyle(shown).backgroundColor),
      ),
    )
    expect(background).toBe(pageBackground)
  })
})
