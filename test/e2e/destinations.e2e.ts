import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { apiClientOf, payByApi } from './orders.ts'
import {
  definitionOf,
  demoAdmin,
  expect,
  expectMessage,
  fillPurchase,
  navigate,
  openPurchase,
  registerByApi,
  signInByApi,
  test,
  toast,
  visit,
} from './shop.ts'

const pedals = 'Trestle Platform Pedals, Pair'

/** Places what the form has, and pays. */
async function order(page: Page) {
  await page.getByRole('button', { name: 'Purchase', exact: true }).click()
  await expect(toast(page, `${pedals} Purchase Successfully!!`)).toBeVisible()
  const { listMyPurchases, startPayment, payPurchase } = await apiClientOf(page)
  const email = await page.getByLabel('Email', { exact: true }).inputValue()
  const [placed] = (await listMyPurchases({ body: { email } })).rows
  const { _id: id, price } = placed!
  const { clientSecret } = await startPayment({ body: { price, purchase: id } })
  await payByApi(page, clientSecret)
  await payPurchase({ params: { id }, body: { transactionId: clientSecret.split('_secret_')[0]! } })
  return id
}

test('orders to the United States and to Germany show postcode and town as people there write them, on page and papers', async ({
  page,
}) => {
  await registerByApi(page, 'Ada Lund')
  await openPurchase(page, pedals)
  const country = page.getByLabel('Country')
  await expect(country).toHaveValue('US')
  await fillPurchase(page, 24)
  await page.getByLabel('Address').fill('4 Canal Street')
  await page.getByLabel('Postcode').fill('9720')
  await expectMessage(page, 'Postcode', 'Enter a postcode such as 97201')
  await expect(page.getByRole('button', { name: 'Purchase', exact: true })).toBeDisabled()
  await page.getByLabel('Postcode').fill('97201')
  await page.getByLabel('Town').fill('Portland')
  await page.getByLabel('State').selectOption('Oregon')
  await expectAccessible(page, 'a purchase with a postcode')
  const american = await order(page)

  await openPurchase(page, pedals)
  const postcode = page.getByLabel('Postcode')
  await expect(postcode, 'of the address that was saved').toHaveValue('97201')
  await expect(page.getByLabel('State')).toHaveValue('OR')
  await page.getByLabel('Deliver to').selectOption('Another address')
  await expect(postcode).toHaveValue('')
  await country.selectOption('HK')
  await expect(postcode).toHaveCount(0)
  await country.selectOption('Germany')
  await expect(page.getByLabel('State')).toHaveCount(0)
  await page.getByLabel('Address').fill('Langenstraße 4')
  await postcode.fill('d-28195')
  await page.getByLabel('Town').fill('Bremen')
  await page.getByLabel('Quantity', { exact: true }).fill('24')
  const german = await order(page)

  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/manageAllOrders')
  for (const [id, lines] of [
    [american, ['4 Canal Street', 'Portland, OR 97201']],
    [german, ['Langenstraße 4', '28195 Bremen', 'Germany']],
  ] as const) {
    await navigate(page, `/dashboard/orders/${id}`)
    const main = page.getByRole('main')
    await expect(await definitionOf(main, 'Address')).toHaveText(lines.join(' '))
    for (const paper of ['receipt', 'packing-slip']) {
      await navigate(page, `/dashboard/orders/${id}/${paper}`)
      const written = main.getByRole('article').getByRole('paragraph')
      await expect(written.filter({ hasText: lines[0] }), paper).toBeVisible()
      for (const line of lines) await expect(written.getByText(line, { exact: true }), paper).toBeVisible()
      await expect(written.getByText('United States')).toHaveCount(0)
    }
  }
  await navigate(page, '/dashboard/manageAllOrders?q=bremen+28195')
  await expect(page.getByRole('row').filter({ hasText: 'Ada Lund' })).toContainText('Bremen')
})
