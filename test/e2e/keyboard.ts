import type { Locator, Page } from '@playwright/test'
import { expect } from './shop.ts'

export async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let count = 0; count < 80; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${target}.`)
}
