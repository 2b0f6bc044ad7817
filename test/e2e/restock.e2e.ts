import type { Page } from '@playwright/test'
import { callsOf, holdCalls, placeOrders } from './orders.ts'
import { addQuietly, openList, test } from './products.ts'
import { expect, openPurchase, registerByApi, stock, toast } from './shop.ts'

const arrivals = '**/api/part/*/arrivals'

test('what arrives is added to the stock as it is, whatever a customer buys in between', async ({
  page,
  name,
  anotherBrowser,
}) => {
  const { dialog, arrived, send, available } = await openRestock(page, name)
  await expect(arrived).toBeFocused()
  await send.click()
  await expect(arrived).toHaveAccessibleDescription('Say how many arrived')
  await arrived.fill('1.5')
  await expect(arrived).toHaveAccessibleDescription('Whole numbers only')

  const customer = await anotherBrowser()
  await registerByApi(customer, 'Ida Renn')
  const held = await holdCalls(page, 'POST', arrivals)
  await arrived.fill('40')
  await send.click()
  await expect.poll(() => held.made).toBe(1)
  await placeOrders(customer, name, [10])
  held.letGo()
  await expect(toast(page, `${name}: 40 arrived, 130 available now`)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(available).toHaveText('130')
  await openPurchase(customer, name)
  await expect(await stock(customer)).toHaveText('130')
})

test('a delivery whose answer got lost is sent again and arrives once', async ({
  page,
  name,
  expectTrouble,
}) => {
  expectTrouble(/ERR_CONNECTION_RESET .*\/arrivals/)
  const { dialog, arrived, send, available } = await openRestock(page, name)
  await loseAnswer(page)
  await arrived.fill('40')
  await send.click()
  await expect(dialog.getByRole('alert')).toContainText('The shop cannot be reached.')
  await expect(arrived).toHaveValue('40')

  await page.unrouteAll()
  await send.click()
  await expect(toast(page, `${name}: 40 arrived, 140 available now`)).toBeVisible()
  await expect(available).toHaveText('140')
})

test('while nobody knows whether a delivery was added, another number is not sent', async ({
  page,
  name,
  expectTrouble,
}) => {
  expectTrouble(/ERR_CONNECTION_RESET .*\/arrivals/)
  const { dialog, arrived, send, available } = await openRestock(page, name)
  await loseAnswer(page)
  await arrived.fill('40')
  await send.click()
  await expect(dialog.getByRole('alert')).toContainText('The shop cannot be reached.')

  await page.unrouteAll()
  await arrived.fill('41')
  await send.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'It is not known yet whether the 40 were added. Please send them again, or cancel and look at the stock.',
  )
  await arrived.fill('40')
  await send.click()
  await expect(toast(page, `${name}: 40 arrived, 140 available now`)).toBeVisible()
  await expect(available).toHaveText('140')
})

test('whoever gives up after a lost answer sees what the stock really is', async ({
  page,
  name,
  expectTrouble,
}) => {
  expectTrouble(/ERR_CONNECTION_RESET .*\/arrivals/)
  const { dialog, arrived, send, available, open } = await openRestock(page, name)
  await loseAnswer(page)
  await arrived.fill('40')
  await send.click()
  await expect(dialog.getByRole('alert')).toContainText('The shop cannot be reached.')
  await expect(available).toHaveText('100')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(available).toHaveText('140')

  await page.unrouteAll()
  await open.click()
  await expect(arrived).toHaveValue('')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await arrived.fill('5')
  await send.click()
  await expect(toast(page, `${name}: 5 arrived, 145 available now`)).toBeVisible()
  await expect(available).toHaveText('145')
})

test('whoever closes the question while a delivery is on its way hears that its answer got lost', async ({
  page,
  name,
  expectTrouble,
}) => {
  expectTrouble(/ERR_CONNECTION_RESET .*\/arrivals/)
  const { dialog, arrived, send, available } = await openRestock(page, name)
  await loseAnswer(page)
  const held = await holdCalls(page, 'POST', arrivals)
  await arrived.fill('40')
  await send.click()
  await expect.poll(() => held.made).toBe(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  held.letGo()
  await expect(toast(page, 'The shop cannot be reached.')).toBeVisible()
  await expect(available).toHaveText('140')
})

test('a delivery of a part that somebody deleted meanwhile is told, and its row goes', async ({
  page,
  name,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/arrivals/)
  const { id, dialog, arrived, send, available } = await openRestock(page, name)
  await (await callsOf(page)).deleteProduct({ params: { id } })
  await arrived.fill('40')
  await send.click()
  await expect(dialog).toHaveCount(0)
  await expect(available).toHaveCount(0)
  await expect(toast(page, 'There is no such part.')).toBeVisible()
})

/** Adds a part with 100 in stock and asks to restock it. */
async function openRestock(page: Page, name: string) {
  const { _id: id } = await addQuietly(page, name)
  await openList(page, name)
  const row = page.getByRole('row').filter({ hasText: name })
  const open = row.getByRole('button', { name: 'Restock' })
  await open.click()
  const dialog = page.getByRole('dialog')
  return {
    id,
    open,
    dialog,
    arrived: dialog.getByLabel('Arrived'),
    send: dialog.getByRole('button', { name: 'Add to stock' }),
    available: row.locator('[data-label="Available Quantity"]'),
  }
}

/** From now on a delivery is added, and nobody hears of it. */
async function loseAnswer(page: Page) {
  await page.route(arrivals, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
}
