import type { Page } from '@playwright/test'
import { apiClientOf, holdCalls, placeOrders, registerApiCustomer } from './orders.ts'
import { addProductByApi, openList, test } from './products.ts'
import { expect, navigate, retryingClosed, stock, toast } from './shop.ts'

const arrivals = '**/api/part/*/arrivals'

test('restocking adds to the current stock despite a concurrent order, and shows an error when the part was deleted meanwhile', async ({
  page,
  name,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/arrivals/)
  const { id, open, dialog, quantity, submit, available } = await openRestock(page, name)
  await expect(quantity).toBeFocused()
  await expect(quantity).toHaveAccessibleDescription('100 in stock')
  await quantity.fill('40')
  await expect(quantity).toHaveAccessibleDescription('100 in stock, 140 after restocking')
  await quantity.fill('')
  await submit.click()
  await expect(quantity).toHaveAccessibleDescription('Quantity received is required')
  await quantity.fill('1.5')
  await expect(quantity).toHaveAccessibleDescription('Whole numbers only')

  const customer = await registerApiCustomer(origin, 'Ida Renn')
  const held = await holdCalls(page, 'POST', arrivals)
  await quantity.fill('40')
  await submit.click()
  await expect.poll(() => held.made).toBe(1)
  await placeOrders(customer, name, [10])
  held.letGo()
  await expect(toast(page, `${name}: 40 added, 130 in stock`)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(available).toHaveText('130')
  const listPath = page.url().replace(origin, '')
  await navigate(page, `/part/${id}`)
  await expect(await stock(page)).toHaveText('130')
  await navigate(page, listPath)

  await open.click()
  await (await apiClientOf(page)).deleteProduct({ params: { id } })
  await quantity.fill('40')
  await submit.click()
  // The dialog shows it, too, until its part is gone.
  await expect(toast(page, 'This part doesn’t exist.').last()).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(available).toHaveCount(0)
})

test('restocking retried after a lost response adds once and rejects a different quantity, and closing its dialog then shows the actual stock, and during a request its network error', async ({
  page,
  name,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/ERR_CONNECTION_RESET .*\/arrivals/)
  const { dialog, quantity, submit, available, open } = await openRestock(page, name)
  await loseResponse(page)
  await quantity.fill('40')
  await submit.click()
  await expect(dialog.getByRole('alert')).toContainText('We can’t reach the shop.')
  await expect(quantity).toHaveValue('40')
  await page.unrouteAll()
  await submit.click()
  await expect(toast(page, `${name}: 40 added, 140 in stock`)).toBeVisible()
  await expect(available).toHaveText('140')

  await open.click()
  await loseResponse(page)
  await quantity.fill('40')
  await submit.click()
  await expect(dialog.getByRole('alert')).toContainText('We can’t reach the shop.')
  await page.unrouteAll()
  await quantity.fill('41')
  await submit.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'We couldn’t confirm that the stock was updated. Select Add to stock again with the same quantity (it won’t be added twice), or cancel and check the stock.',
  )
  await quantity.fill('40')
  await submit.click()
  await expect(toast(page, `${name}: 40 added, 180 in stock`)).toBeVisible()
  await expect(available).toHaveText('180')

  await open.click()
  await loseResponse(page)
  await quantity.fill('40')
  await submit.click()
  await expect(dialog.getByRole('alert')).toContainText('We can’t reach the shop.')
  await expect(available).toHaveText('180')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(available).toHaveText('220')

  await page.unrouteAll()
  await open.click()
  await expect(quantity).toHaveValue('')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await quantity.fill('5')
  await submit.click()
  await expect(toast(page, `${name}: 5 added, 225 in stock`)).toBeVisible()
  await expect(available).toHaveText('225')

  await open.click()
  await loseResponse(page)
  const held = await holdCalls(page, 'POST', arrivals)
  await quantity.fill('40')
  await submit.click()
  await expect.poll(() => held.made).toBe(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  held.letGo()
  await expect(toast(page, 'We can’t reach the shop.')).toBeVisible()
  await expect(available).toHaveText('265')
})

/** Adds a part with 100 in stock and opens its restock dialog. */
async function openRestock(page: Page, name: string) {
  const { _id: id } = await addProductByApi(page, name)
  await openList(page, name)
  const row = page.getByRole('row').filter({ hasText: name })
  const open = row.getByRole('button', { name: 'Restock' })
  await open.click()
  const dialog = page.getByRole('dialog')
  return {
    id,
    open,
    dialog,
    quantity: dialog.getByLabel('Quantity received'),
    submit: dialog.getByRole('button', { name: 'Add to stock' }),
    available: row.locator('[data-label="Available Quantity"]'),
  }
}

/** Lets the server add the stock and drops the response. */
async function loseResponse(page: Page) {
  await page.route(arrivals, async (route) => {
    await route.fetch(retryingClosed)
    await route.abort('connectionreset')
  })
}
