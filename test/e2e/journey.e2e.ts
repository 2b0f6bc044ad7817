import { expect, test } from '@playwright/test'

test('home shows the manufacturer and three featured parts', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
  await expect(page.getByRole('link', { name: 'Purchase' })).toHaveCount(3)
})
