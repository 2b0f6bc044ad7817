import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { apiClientOf } from './orders.ts'
import {
  closeToasts,
  expect,
  navigate,
  openPurchase,
  partNamed,
  placePurchase,
  registerByApi,
  test,
  toast,
  visit,
} from './shop.ts'

const partName = 'Trestle Platform Pedals, Pair'

function cardOf(page: Page, text: string) {
  return page.getByRole('main').getByRole('listitem').filter({ hasText: text })
}

test('the first order’s address is prefilled in the next one, and a second one with a company can be saved and chosen in the basket', async ({
  page,
}) => {
  await registerByApi(page, 'Ada Lund')
  await placePurchase(page, partName, 24)
  await closeToasts(page)
  await navigate(page, `/parts?${new URLSearchParams({ q: partName })}`)
  await partNamed(page, partName).getByRole('link', { name: 'Purchase' }).click()
  const [chooser, address] = [page.getByLabel('Deliver to'), page.getByLabel('Address')]
  await expect(chooser).toHaveValue(/./)
  await expect(address).toHaveValue('4 Canal Street, Bremen')

  await chooser.selectOption('Another address')
  await expect(address).toHaveValue('')
  await expect(page.getByText('Still missing: Address', { exact: true })).toBeVisible()
  await expect(address).not.toHaveAttribute('aria-invalid')
  await address.fill('9 Quay, Hamburg')
  await page.getByRole('button', { name: 'Add a name or company' }).click()
  await expect(page.getByLabel('Name on the delivery')).toBeFocused()
  await page.keyboard.type('Jo Miller')
  await page.getByRole('textbox', { name: 'Company' }).fill('Spoke & Sons')
  await chooser.selectOption('4 Canal Street, Bremen')
  await expect(page.getByRole('textbox', { name: 'Company' })).toHaveCount(0)
  await chooser.selectOption('Another address')
  await expect(address).toHaveValue('9 Quay, Hamburg')
  await page.getByLabel('Save for later orders').check()
  await expectAccessible(page, 'a purchase to another address')
  await page.getByLabel('Quantity', { exact: true }).fill('24')
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${partName} Purchase Successfully!!`)).toBeVisible()

  await navigate(page, `/parts?${new URLSearchParams({ q: partName })}`)
  await partNamed(page, partName).getByRole('button', { name: 'Add to basket' }).click()
  await page.getByRole('link', { name: 'Basket, 1 item' }).click()
  await expect(address).toHaveValue('4 Canal Street, Bremen')
  await chooser.selectOption('Jo Miller, Spoke & Sons, 9 Quay, Hamburg')
  await expect(address).toHaveValue('9 Quay, Hamburg')
  await expect(page.getByLabel('Save for later orders')).toHaveCount(0)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page).toHaveURL(/\/dashboard\/payment\//)
  await navigate(page, new URL(page.url()).pathname.replace('payment', 'orders'))
  const delivery = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Deliver to' }) })
  await expect(delivery.getByRole('definition')).toContainText([
    ...['Jo Miller', 'Spoke & Sons', '9 Quay, Hamburg', '01709876543', 'Ada Lund'],
    '@example.com',
  ])

  await navigate(page, '/dashboard/myProfile')
  await expect(cardOf(page, 'Bremen')).toContainText(/Ada Lund\s*Default/)
  await expect(cardOf(page, 'Hamburg')).toContainText(/Jo Miller\s*Spoke & Sons/)
})

test('a saved address hides the fields of the purchase form until another one is chosen by keyboard, and a wrong field is reached from the button', async ({
  page,
}) => {
  await registerByApi(page, 'Ada Lund')
  await placePurchase(page, partName, 24)
  await closeToasts(page)
  await openPurchase(page, partName)
  const main = page.getByRole('main')
  const chooser = main.getByLabel('Deliver to')
  await expect(main.getByText(/^Ada Lund\s*4 Canal Street, Bremen\s*01709876543$/)).toBeVisible()
  await expect(main.getByLabel('Address')).not.toBeInViewport({ ratio: 1 })
  await expect(main.getByText(/(Pay by|Your order) /)).toBeVisible()
  await expectAccessible(page, 'a purchase to a saved address')
  await chooser.press('ArrowDown')
  await expect(chooser).toHaveValue('')
  await expect(main.getByLabel('Address')).toBeInViewport({ ratio: 1 })
  await expect(main.getByLabel('Address')).toHaveValue('')
  await page.keyboard.press('ArrowUp')
  await expect(main.getByLabel('Address')).not.toBeInViewport({ ratio: 1 })

  await main.getByLabel('Quantity', { exact: true }).fill('1')
  await expect(main.getByText('Total –')).toBeVisible()
  await expect(main.getByText(/(Pay by|Your order) /)).toHaveCount(0)
  await main.getByRole('button', { name: 'Check Quantity' }).click()
  await expect(main.getByLabel('Quantity', { exact: true })).toBeFocused()
  // As many again would be asked about.
  await main.getByLabel('Quantity', { exact: true }).fill('25')
  await main.getByRole('button', { name: 'Purchase', exact: true }).click()
  await expect(toast(page, `${partName} Purchase Successfully!!`)).toBeVisible()
})

test('My Profile adds, edits and deletes delivery addresses by keyboard, also one that was deleted meanwhile', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of (404|409) .*\/api\/addresses\//)
  const { email } = await registerByApi(page, 'Ada Lund')
  await visit(page, '/dashboard/myProfile')
  await expect(page.getByText('No delivery addresses yet.')).toBeVisible()
  const dialog = page.getByRole('dialog')
  const fill = async (address: string) => {
    await dialog.getByLabel('Address', { exact: true }).fill(address)
    await dialog.getByLabel('Phone Number').fill('5550100')
    await page.keyboard.press('Enter')
  }
  for (const address of ['1 Hub Road', '2 Mill Lane']) {
    await page.getByRole('button', { name: 'Add address' }).press('Enter')
    await fill(address)
    await expect(cardOf(page, address)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add address' })).toBeFocused()
  }

  const second = cardOf(page, '2 Mill Lane')
  await second.getByRole('button', { name: 'Edit' }).press('Enter')
  await dialog.getByLabel('Company').fill('Spoke & Sons')
  await fill('1 Hub Road')
  await expect(cardOf(page, 'Spoke & Sons')).toHaveCount(1)
  await cardOf(page, 'Spoke & Sons').getByRole('button', { name: 'Edit' }).press('Enter')
  await dialog.getByLabel('Company').fill('')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('You’ve already saved this delivery address.')
  await page.keyboard.press('Escape')

  const company = cardOf(page, 'Spoke & Sons')
  await company.getByRole('button', { name: 'Make default' }).press('Enter')
  await expect(company).toContainText('Default')
  await expect(company).toBeFocused()
  await expectAccessible(page, 'saved addresses')

  await company.getByRole('button', { name: 'Edit' }).press('Enter')
  const { listAddresses, deleteAddress } = await apiClientOf(page)
  const saved = await listAddresses({ params: { email } })
  const { _id: id } = saved.find((one) => one.company === 'Spoke & Sons')!
  await deleteAddress({ params: { email, id } })
  await dialog.getByLabel('Company').fill('Spoke & Daughters')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('This address was deleted.')
  await dialog.getByRole('button', { name: 'Add address' }).press('Enter')
  const daughters = cardOf(page, 'Spoke & Daughters')
  await expect(daughters).toBeVisible()
  await expect(cardOf(page, '1 Hub Road')).toHaveCount(2)

  const first = cardOf(page, '1 Hub Road').filter({ hasNotText: 'Daughters' })
  await expect(first).toContainText('Default')
  await first.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete address' }).click()
  await expect(cardOf(page, '1 Hub Road')).toHaveCount(1)
  await expect(daughters).toContainText('Default')
  await expect(daughters).toBeFocused()
})
