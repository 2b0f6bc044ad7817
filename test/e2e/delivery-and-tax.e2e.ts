import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { tabTo } from './keyboard.ts'
import { apiClientOf } from './orders.ts'
import { demoAdmin, expect, signInByApi, test, toast, visit } from './shop.ts'

test.beforeEach(async ({ page }) => {
  await signInByApi(page, demoAdmin)
})

// The other tests of this worker share the shop.
test.afterEach(async ({ page }) => {
  const admin = await apiClientOf(page)
  const { version, value } = (await admin.readSettings()).deliveryAndTax
  const nothing = { zones: [], tax: { mode: 'none' as const, rates: [] }, note: '' }
  await admin.updateSettings({ body: { ...value, ...nothing, section: 'deliveryAndTax', version } })
})

const zones = (page: Page) => page.getByRole('region', { name: 'Delivery zones' })
const tax = (page: Page) => page.getByRole('region', { name: 'Tax', exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save delivery and tax' })

async function openDeliveryAndTax(page: Page) {
  await visit(page, '/dashboard/deliveryAndTax')
  await expect(page.getByRole('heading', { level: 1, name: 'Delivery and tax' })).toBeVisible()
}

test('an admin sets up the EU example from nothing, and an address in Germany is charged by it', async ({
  page,
}) => {
  await visit(page, '/dashboard/settings')
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Delivery and tax' })
    .click()
  await expect(page.getByText('No zones: delivery is free everywhere.')).toBeVisible()
  await page.getByRole('button', { name: 'Fill in EU seller' }).click()
  await expect(page.getByText('EU seller assumes the country Germany. Yours is United States')).toBeVisible()
  await expect(zones(page).getByText('$6.90 per order, free from $250 of goods: Germany')).toBeVisible()

  await page.reload()
  await expect(tax(page).getByText('Example VAT of Austria, reduced')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Prices are shown with tax' })).toBeChecked()
  await page.getByRole('link', { name: 'Overview' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question).toContainText('You changed Delivery and tax.')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await save(page).click()
  await expect(toast(page, 'Delivery and tax saved')).toBeVisible()
  await expect(save(page)).toBeDisabled()

  const check = page.getByRole('region', { name: 'Check an address' })
  await check.getByLabel('Country').selectOption('Germany')
  await check.getByLabel('Postcode').fill('28195')
  await check.getByLabel('Part', { exact: true }).fill('Talon 42T')
  await check.getByRole('button', { name: /^Choose Talon 42T/ }).click()
  await check.getByLabel(/^Quantity of Talon/).fill('1')
  await check.getByRole('button', { name: 'Check address' }).click()
  // What the customer pays is the price of the part and $6.90, and the tax of both is in it.
  const result = check.getByRole('status').last()
  await expect(result).toContainText('Delivery without tax$5.80')
  await expect(result).toContainText('Example VAT 19 % of')
  await expect(result).toContainText(/Total\$\d+\.90/)
  await check.getByLabel('Country').selectOption('Fiji')
  await check.getByRole('button', { name: 'Check address' }).click()
  await expect(result).toContainText('We don’t deliver to this address in Fiji yet.')
  await expectAccessible(page, 'Delivery and tax')

  await visit(page, '/dashboard/auditLog')
  const change = page.getByRole('row').filter({ hasText: 'Delivery and tax' }).first()
  await change.getByText('Show values').click()
  await expect(change).toContainText('Zone “Example neighbours”, places: none → Austria, Netherlands')
  await change.getByRole('link', { name: 'Delivery and tax' }).click()
  await expect(zones(page).getByText('Example neighbours', { exact: true })).toBeVisible()
})

test('zones and rates that match one address are refused where they are, and problems at their fields', async ({
  page,
}) => {
  await openDeliveryAndTax(page)
  await page.getByRole('button', { name: 'Fill in US seller' }).click()
  await zones(page).getByText('Example Canada', { exact: true }).click()
  await zones(page).getByLabel('Country').selectOption('United States')
  await zones(page).getByRole('button', { name: 'Add country' }).click()
  await save(page).click()
  const overlap =
    '“Example United States” and “Example Canada” have places in common. Each address needs one zone.'
  await expect(zones(page).getByRole('alert')).toHaveText(overlap)
  await expect(zones(page).getByRole('alert')).toBeInViewport()
  await zones(page).getByRole('button', { name: 'Remove United States' }).click()
  await expect(zones(page).getByRole('alert')).toHaveCount(0)

  await tax(page).getByRole('button', { name: 'Add rate' }).click()
  await tax(page).getByLabel('Name', { exact: true }).fill('Another tax')
  await save(page).click()
  const rate = tax(page).getByLabel('Rate (%)')
  await expect(rate).toBeFocused()
  await expect(rate).toHaveAccessibleDescription('Enter a rate')
  await rate.fill('8.875')
  await save(page).click()
  await expect(tax(page).getByRole('alert')).toHaveText(
    'Two standard rates of US are valid on one day: Example sales tax and Another tax.',
  )
  await tax(page).getByRole('button', { name: 'Remove rate Another tax' }).click()
  await save(page).click()
  await expect(toast(page, 'Delivery and tax saved')).toBeVisible()

  await zones(page).getByText('Example Canada', { exact: true }).click()
  await zones(page).getByRole('button', { name: 'Remove zone Example Canada' }).click()
  await expect(zones(page).getByText('Example Canada', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(zones(page).getByText('Example Canada', { exact: true })).toBeVisible()
})

test('an admin without a mouse adds a zone by weight and a rate, and saves them', async ({ page }) => {
  await openDeliveryAndTax(page)
  const { keyboard } = page
  await tabTo(page, page.getByRole('button', { name: 'Add zone' }))
  await keyboard.press('Enter')
  await expect(zones(page).getByLabel('Name', { exact: true })).toBeFocused()
  await keyboard.type('Domestic')
  await tabTo(page, zones(page).getByLabel('Price of delivery'))
  await keyboard.type('By weight')
  await tabTo(page, zones(page).getByLabel('Price ($)'))
  await keyboard.type('20')
  await tabTo(page, zones(page).getByRole('button', { name: 'Add step' }))
  await keyboard.press('Enter')
  await expect(zones(page).getByLabel('Up to')).toBeFocused()
  await keyboard.type('1.5 kg')
  await tabTo(page, zones(page).getByLabel('Price ($)').first())
  await keyboard.type('12.50')
  await tabTo(page, zones(page).getByLabel('Free from ($ of goods)'))
  await keyboard.type('1,000')
  await tabTo(page, tax(page).getByRole('radio', { name: 'No tax' }))
  await keyboard.press('ArrowDown')
  await tabTo(page, tax(page).getByRole('button', { name: 'Add rate' }))
  await keyboard.press('Enter')
  await expect(tax(page).getByLabel('Name', { exact: true })).toBeFocused()
  await keyboard.type('Sales tax')
  await tabTo(page, tax(page).getByLabel('Rate (%)'))
  await keyboard.type('8.875')
  await tabTo(page, save(page))
  await keyboard.press('Enter')
  await expect(toast(page, 'Delivery and tax saved')).toBeVisible()
  const price = '$12.50 up to 1.5 kg, $20 above, free from $1,000 of goods: United States'
  await expect(zones(page).getByText(price)).toBeVisible()
  await expect(tax(page).getByText('8.875 % from')).toBeVisible()
})

test('an admin is told that another tab saved other zones, and replaces them or discards the own ones', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/settings/)
  const other = await page.context().newPage()
  await openDeliveryAndTax(page)
  await openDeliveryAndTax(other)
  await page.getByRole('button', { name: 'Fill in US seller' }).click()
  await save(page).click()
  await expect(toast(page, 'Delivery and tax saved')).toBeVisible()

  await other.getByRole('button', { name: 'Fill in EU seller' }).click()
  await save(other).click()
  const message = 'Another admin changed this. Save again to replace it.'
  await expect(zones(other).getByRole('alert')).toHaveText(message)
  await expect(tax(other).getByRole('alert')).toHaveText(message)
  await other.getByRole('button', { name: 'Discard changes' }).click()
  await expect(zones(other).getByText('Example Canada', { exact: true })).toBeVisible()

  await other.getByRole('button', { name: 'Fill in EU seller' }).click()
  await save(other).click()
  await expect(toast(other, 'Delivery and tax saved')).toBeVisible()
  await page.getByRole('button', { name: 'Fill in EU seller' }).click()
  await page.getByRole('radio', { name: 'No tax' }).check()
  await save(page).click()
  await expect(tax(page).getByRole('alert')).toHaveText(message)
  await save(page).click()
  await expect(tax(page).getByRole('alert')).toHaveCount(0)
  await expect(tax(page).getByText('These rates aren’t charged')).toBeVisible()
  await expect(save(page)).toBeDisabled()
})

test('the overview tells admins of a live shop that delivery and tax are not decided, and not those of the demo', async ({
  page,
}) => {
  await visit(page, '/dashboard/overview')
  const notice = page.getByRole('region', { name: 'Delivery and tax are not decided' })
  await expect(page.getByRole('heading', { name: 'What’s waiting' })).toBeVisible()
  await expect(notice).toHaveCount(0)
  // As a live shop answers until the section is saved.
  await page.route('**/api/overview*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), chargesDecided: false } })
  })
  await page.reload()
  await notice.getByRole('link', { name: 'set delivery and tax' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Delivery and tax' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('no open zone or rate scrolls the page sideways', async ({ page }) => {
    await openDeliveryAndTax(page)
    const expectNoScroll = async () => {
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(tooWide).toBeLessThanOrEqual(0)
    }
    await expectNoScroll()
    await page.getByRole('button', { name: 'Fill in US seller' }).click()
    await zones(page).getByText('Example United States', { exact: true }).click()
    await zones(page).getByText('United States, all of it').click()
    await tax(page).getByText('Example sales tax of United States (California), standard').click()
    await tax(page).getByText('States: California').click()
    await expect(tax(page).getByRole('checkbox', { name: 'California' })).toBeChecked()
    await expectNoScroll()
    await zones(page).getByRole('button', { name: 'Add all other countries' }).click()
    await expect(zones(page).getByText('Zimbabwe', { exact: true })).toBeVisible()
    await expectNoScroll()
    await expectAccessible(page, 'Delivery and tax on a phone')
  })
})
