import { findChromium } from '#test/chromium.ts'
import { expect, fillPurchase, fillRegistration, newAccount, openPurchase, test, toast } from './shop.ts'

const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

test.use({
  settings: { HOST: '0.0.0.0', DEMO: 'on' },
  launchOptions: {
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP workshop.lan 127.0.0.1'],
  },
})

test('a demo under another name in the local network registers and orders', async ({ browser, origin }) => {
  const context = await browser.newContext({ baseURL: origin.replace('127.0.0.1', 'workshop.lan') })
  const page = await context.newPage()
  await page.goto('/registration')
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await fillRegistration(page, newAccount('Ida Renn'))
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  await openPurchase(page, hub)
  await fillPurchase(page, 12)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${hub} Purchase Successfully!!`)).toBeVisible()
  await context.close()
})
