import { expectAccessible } from './axe.ts'
import { apiClientOf, placePaidOrder } from './orders.ts'
import { definitionOf, demoAdmin, expect, registerByApi, signInByApi, test, toast, visit } from './shop.ts'

const pedals = 'Trestle Platform Pedals, Pair'

test('a customer changes the address of a paid order by keyboard, the form keeps what a failure interrupts, and an admin changes it until it ships', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED|status of 409 .*\/delivery/)
  await registerByApi(page, 'Ada Lund')
  const order = await placePaidOrder(page, pedals, 24)
  const { addAddress } = await apiClientOf(page)
  await addAddress({
    params: { email: order.email },
    body: { company: 'Spoke & Sons', address: '9 Quay, Hamburg', phoneNumber: '5550111' },
  })
  await visit(page, `/dashboard/orders/${order._id}`)
  const edit = page.getByRole('button', { name: 'Edit address' })
  const dialog = page.getByRole('dialog', { name: `Delivery address of order #${order.number}` })
  await edit.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Address')).toHaveValue('4 Canal Street, Bremen')
  await expectAccessible(page, 'another delivery address of an order')
  await dialog.getByLabel('Deliver to').selectOption('Spoke & Sons, 9 Quay, Hamburg')
  await dialog.getByLabel('Address').fill('9 Quay, Dock 4, Hamburg')
  await page.route('**/api/orders/*/delivery', (route) => route.abort(), { times: 1 })
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('We can’t reach the shop')
  await expect(dialog.getByLabel('Address')).toHaveValue('9 Quay, Dock 4, Hamburg')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Delivery address changed')).toBeVisible()
  await expect(edit).toBeFocused()
  const main = page.getByRole('main')
  await expect(await definitionOf(main, 'Address')).toHaveText('9 Quay, Dock 4, Hamburg')
  await expect(main.getByText('Delivery address changed', { exact: true })).toBeVisible()

  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/orders/${order._id}`)
  await edit.click()
  await expect(dialog.getByLabel('Deliver to')).toHaveCount(0)
  await dialog.getByLabel('Address').fill('')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(dialog.getByText('Address is required')).toBeVisible()
  await dialog.getByLabel('Address').fill('2 Mill Lane, Hamburg')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(await definitionOf(main, 'Address')).toHaveText('2 Mill Lane, Hamburg')
  await expect(main.getByText('Changed delivery address').first()).toBeVisible()
  const { shipPurchase } = await apiClientOf(page)
  await shipPurchase({ params: { id: order._id }, body: { shipping: true } })
  await edit.click()
  await dialog.getByLabel('Address').fill('3 Mill Lane, Hamburg')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(toast(page, 'All of this order has shipped').or(dialog.getByRole('alert'))).toBeVisible()
  await expect(edit).toHaveCount(0)
})
