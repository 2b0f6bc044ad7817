import type { Page } from '@playwright/test'
import {
  cards,
  demoAdmin,
  expect,
  fillCard,
  fillLogin,
  fillRegistration,
  newAccount,
  test,
  toast,
  visit,
  waitForHydration,
} from './shop.ts'

const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

/** As Chrome's translator does: each text is replaced by two nested elements with the translation, which here is the text itself. */
async function translate(page: Page) {
  await waitForHydration(page)
  await page.evaluate(() => {
    const texts: Text[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('script, style, noscript, font, option')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  })
}

test('a translated page changes totals, signs in, orders and pays', async ({ page }) => {
  await visit(page, `/parts?q=${encodeURIComponent(hub)}`)
  await page.getByRole('article').getByRole('link', { name: hub, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(hub)
  await translate(page)
  await page.getByLabel('Quantity', { exact: true }).fill('24')
  await expect(page.getByText('Total $2,832')).toBeVisible()
  await translate(page)
  await page.getByLabel('Quantity', { exact: true }).fill('36')
  await expect(page.getByText('Total $4,248')).toBeVisible()
  await expect(page.getByText('Total $2,832')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add to basket' }).first().click()
  await expect(page.getByRole('link', { name: 'Basket, 1 item' })).toBeVisible()

  await visit(page, '/basket')
  await translate(page)
  await page.getByLabel(`Quantity of ${hub}`).fill('12')
  await expect(page.getByText('$1,416').first()).toBeVisible()
  await expect(page.getByText('$4,248')).toHaveCount(0)
  await page.getByLabel(`Quantity of ${hub}`).blur()

  await page.goto('/registration')
  await translate(page)
  await fillRegistration(page, newAccount('Ida Renn'))
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  await visit(page, '/basket')
  await expect(page.getByLabel('Address')).toBeEditable()
  await translate(page)
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await page.getByRole('button', { name: 'Place order' }).click()
  await fillCard(page, cards.good)
  await translate(page)
  await page.getByRole('button', { name: 'Pay $1,416' }).click()
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
})

test('a translated page signs in an admin and saves a product', async ({ page }) => {
  await page.goto('/login?from=%2Fdashboard%2FmanageProducts%3Fq%3DMeridian')
  await translate(page)
  await fillLogin(page, demoAdmin)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('link', { name: 'Edit' }).first().click()
  await expect(page.getByLabel('Price (in $)')).toBeEditable()
  await translate(page)
  await page.getByLabel('Price (in $)').fill('119')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'is updated')).toBeVisible()
})
