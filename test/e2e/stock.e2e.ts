import { apiClientOf } from './orders.ts'
import { addProductByApi, test } from './products.ts'
import { definitionOf, expect, navigate, registerByApi, rowsOf, toast, visit } from './shop.ts'

test('a sold-out part shows its expected delivery, customers ask to be emailed, and receiving it is in the history of its stock', async ({
  page,
  name,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/arrival/)
  const { _id, ...part } = await addProductByApi(page, name)
  const { updatePart } = await apiClientOf(page)
  const stock = { availableQuantity: 0, availableQuantityBefore: part.availableQuantity }
  await updatePart({ params: { partId: _id }, body: { ...part, ...stock } })
  await visit(page, `/dashboard/manageProducts/${_id}/stock`)
  await page.getByRole('button', { name: 'Add expected delivery' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Expected on').fill('2099-05-12')
  await dialog.getByLabel('Quantity').fill('40')
  await dialog.getByRole('button', { name: 'Add expected delivery' }).click()
  await expect(toast(page, 'Expected delivery added')).toBeVisible()
  const expected = (text: string) => page.getByRole('listitem').filter({ hasText: `${text} on 12 May 2099` })

  const customer = await anotherBrowser()
  await registerByApi(customer, 'Ida Renn')
  await visit(customer, `/parts/${_id}`)
  await expect(await definitionOf(customer.getByRole('article'), 'Expected')).toHaveText('40 on 12 May 2099')
  await customer.getByRole('link', { name: 'Email me when it’s back in stock' }).click()
  await customer.getByRole('button', { name: 'Email me when it’s back' }).click()
  await expect(customer.getByRole('button', { name: 'Don’t email me' })).toBeVisible()

  await expected('40').getByRole('button', { name: 'Receive' }).click()
  const arrived = dialog.getByLabel('Quantity received')
  await expect(arrived).toHaveValue('40')
  const { listDeliveries, receiveDelivery } = await apiClientOf(page)
  const [delivery] = await listDeliveries({ params: { partId: _id } })
  await receiveDelivery({ params: { id: delivery!._id }, body: { arrived: 38, expected: 40 } })
  await dialog.getByRole('button', { name: 'Receive' }).click()
  await expect(arrived).toHaveValue('2')
  await expect(arrived).toHaveAccessibleDescription(/Another admin has received/)
  await dialog.getByRole('button', { name: 'Receive' }).click()
  await expect(toast(page, '40 in stock')).toBeVisible()
  await expect(expected('')).toHaveCount(0)
  await expect(rowsOf(page, 'Received')).toContainText(['+2', '+38'])
  await expect(rowsOf(page, 'Corrected')).toContainText('−100')
  await navigate(customer, '/parts')
  await navigate(customer, `/parts/${_id}`)
  await expect(customer.getByRole('link', { name: 'Email me when it’s back in stock' })).toHaveCount(0)
})
