import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { apiClientOf, placePaidOrder, placePaidOrderOfSeveral, registerApiCustomer } from './orders.ts'
import { addProductByApi, openList, test } from './products.ts'
import { demoAdmin, expect, navigate, retryingClosed, rowsOf, signInByApi, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

test('an admin ships whole orders in one go, is told which could not be shipped, prints their slips and enters tracking numbers', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/ERR_INTERNET_DISCONNECTED .*\/api\/shipments/)
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const [first, second, third, moved] = [
    await placePaidOrderOfSeveral(customer, 7),
    await placePaidOrder(customer, tube, 100),
    await placePaidOrder(customer, tube, 100),
    await placePaidOrder(customer, tube, 100),
  ]
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name, status: 'pending' })}`)
  const items = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Pending' }) })
  await expect(items).toHaveCount(3 + 3)
  const more = page.getByRole('button', { name: `Show all 7 items, order #${first.number}` })
  await more.press('Enter')
  await expect(items).toHaveCount(7 + 3)
  await page.getByRole('button', { name: `Show only 3 items, order #${first.number}` }).press('Enter')
  await expect(more).toBeFocused()
  await expect(items).toHaveCount(3 + 3)
  const line = items.filter({ has: page.getByRole('cell', { name, exact: true }) }).first()
  expect((await line.boundingBox())!.height, 'of an item of many').toBeLessThanOrEqual(36)
  await expectAccessible(page, 'orders of several items')
  const boxes = page.getByLabel(/^Select order /)
  await boxes.first().check()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('3 orders selected')
  await page.setViewportSize({ width: 360, height: 780 })
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await all.check()
  await expect(boxes.nth(1), 'on a phone').toBeChecked()
  await expect(items, 'the orders of one item').toHaveCount(3)
  const show = page.getByRole('button', { name: `Show 7 items, order #${first.number}` })
  await show.press('Enter')
  await expect(items).toHaveCount(7 + 3)
  await expectAccessible(page, 'orders of several items on a phone')
  await page.getByRole('button', { name: `Hide 7 items, order #${first.number}` }).press('Enter')
  await expect(show).toBeFocused()
  const order = page.getByRole('row').filter({ has: show })
  expect((await order.boundingBox())!.height, 'of an order on a phone').toBeLessThanOrEqual(130)
  const { height } = (await page.getByRole('region', { name: 'Selection' }).boundingBox())!
  expect(height, 'of the bar').toBeLessThanOrEqual(96)
  await all.uncheck()
  await page.setViewportSize({ width: 1280, height: 720 })
  await all.check()
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByLabel('Name').fill('Of Greta')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('link', { name: 'Of Greta' })).toHaveAttribute('aria-current', 'page')
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar).toContainText('4 orders selected')
  await bar.getByRole('link', { name: '4 packing slips' }).click()
  await expect(page.getByText('Not shipped yet: each has what is left to ship.')).toBeVisible()
  await page.goBack()
  await expect(bar, 'as it was left').toContainText('4 orders selected')
  await bar.getByRole('button', { name: 'Ship 4 orders' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Ship 4 orders?')
  await expect(dialog).toContainText(`All 10 items that are left to ship, for ${name}.`)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Ship 4 orders' }).click()
  await expect(toast(page, 'We can’t reach the shop.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(bar).toContainText('4 orders selected')
  await bar.getByRole('button', { name: 'Ship 4 orders' }).click()
  const { changeDelivery, refundPurchase } = await apiClientOf(page)
  await refundPurchase({
    params: { id: second._id },
    body: { amount: second.price, reason: 'Out of production', returned: 0 },
  })
  const quay = { recipient: name, address: '9 Quay, Bremen', phoneNumber: '5550111' }
  await changeDelivery({ params: { id: moved._id }, body: quay })
  await dialog.getByRole('button', { name: 'Ship 4 orders' }).click()

  const outcome = page.getByRole('region', { name: 'Shipped' })
  await expect(outcome).toContainText('2 orders shipped, 2 orders not.')
  await expect(outcome).toContainText(
    `#${second.number} for ${name}: This order was refunded, so it can’t be shipped.`,
  )
  await expect(outcome).toContainText(
    `#${moved.number} for ${name}: The delivery address has just changed to “${name}, 9 Quay, Bremen, 5550111”.`,
  )
  await expect(bar).toHaveCount(0)
  await expect(outcome, 'in place of the button that is gone').toBeFocused()
  await expect(page.getByRole('link', { name: `Order #${first.number}`, exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove view' }).click()
  await dialog.getByRole('button', { name: 'Remove view' }).click()
  await expect(page.getByRole('link', { name: 'Of Greta' })).toHaveCount(0)
  await outcome.getByRole('link', { name: '2 packing slips' }).click()
  await expect(page.getByRole('heading', { name: 'Packing slips' })).toBeVisible()
  await expect(page.getByText('Not shipped yet')).toHaveCount(0)
  for (const { number } of [first, third])
    await expect(page.getByRole('article').filter({ hasText: `#${number}` })).toHaveCount(1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  expect((await download).suggestedFilename()).toBe('packing-slips.pdf')
  await page.getByRole('button', { name: 'Back to the orders' }).click()

  const fields = outcome.getByPlaceholder('Tracking number')
  await expect(fields.first().locator('xpath=ancestor::ul'), 'many scroll').toHaveCSS('max-height', '384px')
  await outcome.getByLabel('Carrier').selectOption('UPS')
  await fields.first().evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', '1Z 1\n1Z/2\n')
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(fields.nth(1)).toHaveValue('1Z/2')
  await outcome.getByRole('button', { name: 'Save tracking numbers' }).click()
  await expect(outcome).toContainText('1Z 1: This doesn’t look like a UPS number.')
  await saveAnyway(outcome, '1 saved, 1 not.')
  await expect(fields.nth(1)).toHaveAccessibleDescription('Use only A–Z, 0–9, spaces and dashes')
  await outcome.locator('input[type=file]').setInputFiles({
    name: 'carrier.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Order number,Tracking,Carrier\n${third.number},1Z 2,DHL\n9999999,1Z 3,DHL`),
  })
  await expect(outcome).toContainText('Line 3: no order 9999999 was shipped here.')
  await outcome.getByRole('button', { name: 'Save tracking numbers' }).click()
  await expect(outcome).toContainText('1Z 2: This doesn’t look like a DHL number.')
  await saveAnyway(page.locator('body'), 'Tracking saved')
  const { listShipments } = await apiClientOf(page)
  expect(await listShipments({ params: { id: first._id } })).toMatchObject([
    { carrier: 'UPS', trackingNumber: '1Z 1', lines: { length: 7 } },
  ])
  expect(await listShipments({ params: { id: third._id } })).toMatchObject([
    { carrier: 'DHL', trackingNumber: '1Z 2' },
  ])
  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name, status: 'shipped' })}`)
  await expect(page.getByRole('link', { name: `Order #${first.number}`, exact: true })).toBeVisible()
  await page.clock.setFixedTime(Date.now() + 120_000)
  await page.reload()
  await expect(outcome).toContainText('Too late to undo: customers have been emailed.')
  await expect(outcome.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('the keyboard alone searches a list, selects rows and restocks them once, and shortcuts can be turned off', async ({
  page,
  name,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/ERR_CONNECTION_RESET .*\/part-arrivals/)
  await addProductByApi(page, name)
  await openList(page)
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search products')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('1 part')
  await page.getByRole('heading', { name: 'Manages Products' }).click()
  await page.keyboard.press('j')
  const row = rowsOf(page, name)
  await expect(row).toBeFocused()
  await page.keyboard.press('x')
  await expect(row.getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('a')
  const restock = page.getByRole('button', { name: 'Restock 1 part' })
  await expect(restock).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(toast(page, '1 part restocked')).toBeVisible()
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()
  await expect(row).toContainText('105')

  // A lost response that was cancelled is not repeated by the next delivery.
  const arrivals = '**/api/part-arrivals'
  await page.route(arrivals, async (route) => {
    await route.fetch(retryingClosed)
    await route.abort('connectionreset')
  })
  await row.getByRole('checkbox').check()
  await restock.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(name).fill('7')
  await dialog.getByRole('button', { name: 'Add to stock' }).click()
  await expect(dialog.getByRole('alert')).toContainText('We can’t reach the shop.')
  await dialog.getByLabel(name).fill('8')
  await dialog.getByRole('button', { name: 'Add to stock' }).click()
  await expect(dialog.getByRole('alert')).toContainText('they won’t be added twice')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row).toContainText('112')
  await page.unroute(arrivals)
  await restock.click()
  await dialog.getByLabel(name).fill('7')
  await dialog.getByRole('button', { name: 'Add to stock' }).click()
  await expect(row).toContainText('119')

  await page.getByRole('button', { name: 'Turn shortcuts off' }).click()
  await row.focus()
  await page.keyboard.press('x')
  await expect(row.getByRole('checkbox')).not.toBeChecked()
  await page.getByRole('button', { name: 'Turn shortcuts on' }).click()
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})

test('an admin raises the prices of a search by a percentage after a preview, and the part shows the change in its history', async ({
  page,
  name,
}) => {
  const { _id } = await addProductByApi(page, name)
  await openList(page, name)
  await page.getByRole('link', { name: 'Change prices' }).click()
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue(name)
  const value = page.getByLabel('Increase (negative to decrease)')
  await value.fill('five')
  await value.press('Enter')
  await expect(value).toHaveAccessibleDescription('Enter a percentage, such as 5 or -2.5')
  await value.fill('5')
  await value.press('Enter')
  await expect(page.getByText('1 price will change.')).toBeVisible()
  await expect(rowsOf(page, name)).toContainText('$40')
  await expect(rowsOf(page, name)).toContainText('rounded from $39.90')
  await value.fill('-10')
  await value.press('Enter')
  await expect(rowsOf(page, name)).toContainText('$34')
  await page.goBack()
  await expect(rowsOf(page, name)).toContainText('$40')
  await expect(value, 'what the button changes').toHaveValue('5')
  await page.getByRole('button', { name: 'Change 1 price' }).click()
  await expect(toast(page, '1 price changed')).toBeVisible()
  await navigate(page, `/dashboard/manageProducts/${_id}`)
  const changes = page.getByRole('region', { name: 'Changes by admins' })
  await expect(changes).toContainText('Price: $38 → $40')
})

test('an admin changes one price in the list, another admin’s change is shown first, and the history has both', async ({
  page,
  name,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/part\//)
  const { _id } = await addProductByApi(page, name)
  await openList(page, name)
  const row = rowsOf(page, name)
  await row.getByRole('button', { name: `$38, change price of ${name}` }).click()
  const price = page.getByRole('dialog').getByLabel('Price')
  await expect(price).toBeFocused()
  await expect(price).toHaveValue('38')
  await price.fill('0')
  await price.press('Enter')
  await expect(price).toHaveAttribute('aria-invalid', 'true')
  const other = await apiClientOf(page)
  const change = { ids: _id, amount: 3 }
  const { digest } = await other.previewPrices({ body: change })
  await other.changePrices({ body: { ...change, digest } })
  await price.fill('45')
  await price.press('Enter')
  await expect(price).toHaveAccessibleDescription(/^Another admin changed this to “41”/)
  await expect(row).toContainText('$41')
  await expect(price).toHaveValue('45')
  await price.press('Enter')
  await expect(toast(page, `${name}: $41 → $45`)).toBeVisible()
  await expect(row.getByRole('button', { name: `$45, change price of ${name}` })).toBeFocused()
  await page.setViewportSize({ width: 360, height: 740 })
  expect((await row.boundingBox())!.height, 'a part on a phone').toBeLessThanOrEqual(130)
  await expectAccessible(page, 'Manages Products on a phone')
  await navigate(page, `/dashboard/manageProducts/${_id}`)
  const changes = page.getByRole('region', { name: 'Changes by admins' })
  await expect(changes).toContainText('Price: $41 → $45')
  await expect(changes).toContainText('Price: $38 → $41')
})

/** The second click of a double click would be no answer. */
async function saveAnyway(scope: Locator, result: string) {
  await expect(async () => {
    await scope.getByRole('button', { name: 'Save anyway' }).click({ timeout: 1_000 })
    await expect(scope).toContainText(result, { timeout: 1_000 })
  }).toPass()
}
