import type { Page } from '@playwright/test'
import type { DeliveryAndTax } from '#shop/charges/rates.ts'
import { openSession } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { apiClientOf, payByApi, registerApiCustomer } from './orders.ts'
import {
  cards,
  definitionOf,
  demoAdmin,
  expect,
  fillPurchase,
  navigate,
  openPart,
  openPurchase,
  originOf,
  partNamed,
  payWith,
  registerByApi,
  signInByApi,
  test,
  toast,
  visit,
} from './shop.ts'

// Its own shop: other tests expect prices without delivery and tax.
test.use({ settings: { HOLD_HOURS: '71' } })

const ring = 'Talon 42T Narrow-Wide Chainring'

const vat: DeliveryAndTax['tax']['rates'][number] = {
  name: 'VAT',
  country: 'DE',
  regions: [],
  class: 'standard',
  millionths: 190_000,
  from: '2020-01-01',
  until: null,
  onDelivery: true,
  reverseCharge: true,
}

function zone(name: string, country: string, cents: number, freeFrom: number | null = null) {
  const places = [{ country, regions: [], postcodes: [] }]
  return { name, places, rate: { by: 'order' as const, cents }, freeFrom }
}

const european = {
  zones: [zone('Germany', 'DE', 1_550, 200_000), zone('Austria', 'AT', 3_900)],
  tax: { mode: 'exclusive' as const, rates: [vat, { ...vat, country: 'AT', millionths: 200_000 }] },
}
const salesTax = { ...vat, name: 'Sales tax', country: 'US', regions: ['OR'], onDelivery: false }
const american = {
  zones: [zone('United States', 'US', 2_000)],
  tax: { mode: 'exclusive' as const, rates: [{ ...salesTax, millionths: 50_000 }] },
}

async function openAdmin(page: Page) {
  const origin = await originOf(page)
  const { token } = await openSession(origin, 'sign-in', demoAdmin)
  return apiClientOf({ ...demoAdmin, origin, token })
}

async function sell(page: Page, country: string, rates: Omit<DeliveryAndTax, 'note'>) {
  const { readSettings, updateSettings } = await openAdmin(page)
  const { company, deliveryAndTax } = await readSettings()
  const { version } = company
  await updateSettings({ body: { section: 'company', ...company.value, version, country } })
  await updateSettings({
    body: { section: 'deliveryAndTax', version: deliveryAndTax.version, note: '', ...rates },
  })
}

const summary = (page: Page) => page.getByRole('region', { name: 'Order summary' })
const total = (page: Page) => page.locator('.total')

async function expectSummary(page: Page, facts: Record<string, string>) {
  await expect(summary(page).getByRole('term')).toHaveText(Object.keys(facts))
  await expect(summary(page).getByRole('definition')).toHaveText(Object.values(facts))
}

test('the purchase form shows delivery, tax and total as they change, a total that changes meanwhile is accepted by another click, and paid', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409/)
  await sell(page, 'DE', european)
  await registerByApi(page, 'Ada Lund')
  await openPurchase(page, ring)
  await fillPurchase(page, 48)
  await expectSummary(page, { Goods: '$1,536', Delivery: '$15.50', 'VAT 19 %': '$294.79' })
  await expect(total(page)).toHaveText('Total $1,846.29')
  await expect(summary(page)).toContainText('$464 more for free delivery')
  await expectAccessible(page, 'a purchase with delivery and tax')

  const quantity = page.getByLabel('Quantity', { exact: true })
  await quantity.fill('63')
  await expectSummary(page, { Goods: '$2,016', Delivery: 'Free', 'VAT 19 %': '$383.04' })
  await expect(summary(page)).not.toContainText('more for free delivery')
  await quantity.fill('48')
  await expect(summary(page)).toContainText('$464 more for free delivery')

  const button = page.getByRole('button', { name: 'Purchase', exact: true })
  await page.getByLabel('Country').selectOption('France')
  await expect(summary(page).getByRole('alert')).toContainText(
    'We don’t deliver to this address in France yet.',
  )
  await expect(button).toBeDisabled()
  await expect(total(page)).toHaveText('Total –')
  await page.getByLabel('Country').selectOption('Austria')
  await expectSummary(page, { Goods: '$1,536', Delivery: '$39', 'VAT 20 %': '$315' })
  await page.getByLabel('Country').selectOption('Germany')
  await expect(total(page)).toHaveText('Total $1,846.29')

  const dearer = { ...european.tax, rates: [{ ...vat, millionths: 210_000 }] }
  await sell(page, 'DE', { ...european, tax: dearer })
  await button.click()
  await expect(
    page.getByText('The total is now $1,877.32. To order at this total, select Purchase again.'),
  ).toBeVisible()
  await expectSummary(page, { Goods: '$1,536', Delivery: '$15.50', 'VAT 21 %': '$325.82' })
  await button.click()
  await expect(toast(page, `${ring} Purchase Successfully!!`)).toBeVisible()

  await page.getByRole('link', { name: 'Pay $1,877.32' }).click()
  await expect(page.getByRole('button', { name: 'Pay $1,877.32' })).toBeEnabled()
  const main = page.getByRole('main')
  await expect(await definitionOf(main, 'VAT 21 %')).toHaveText('$325.82')
  await expect(await definitionOf(main, 'Amount')).toHaveText('$1,877.32')
  await expectAccessible(page, 'a payment with delivery and tax')
  await payWith(page, cards.good)
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await navigate(page, '/dashboard/myOrders')
  await expect(page.getByRole('rowheader').filter({ hasText: 'Order #' })).toContainText('$1,877.32')
})

test('the basket is ordered at the total it shows, and a new address gives its unpaid order another total', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 400 .*\/(delivery|orders)/)
  await sell(page, 'US', american)
  await openPart(page, ring)
  await expect(page.getByText('Prices plus sales tax and delivery.')).toBeVisible()
  await partNamed(page, ring).getByRole('button', { name: 'Add to basket' }).first().click()
  await navigate(page, '/basket')
  await expect(page.getByText('You see delivery, tax and the total once you log in.')).toBeVisible()
  await expect(total(page)).toHaveText('Goods $1,536')

  await registerByApi(page, 'Ida Renn')
  await visit(page, '/basket')
  await page.getByLabel('Address').fill('4 Canal Street')
  await page.getByLabel('Phone Number').fill('01709876543')
  // Without the state, the tax is not known, and is not left out.
  await expect(summary(page)).toContainText('Choose the state of the address')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByLabel('State')).toHaveAccessibleDescription(/^Choose the state of the address/)
  await page.getByLabel('State').selectOption('Oregon')
  await expectSummary(page, {
    Goods: '$1,536',
    Delivery: '$20',
    'Sales tax 5 %': '$76.80',
    Total: '$1,632.80',
  })
  await expectAccessible(page, 'a basket with delivery and tax')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('button', { name: 'Pay $1,632.80' })).toBeEnabled()

  await navigate(page, '/dashboard/myOrders')
  await page.getByRole('link', { name: new RegExp(`^${ring}`) }).click()
  await page.getByRole('button', { name: 'Edit address' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('We’ll work out its delivery and tax again')
  await dialog.getByLabel('Country').selectOption('Canada')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(dialog.getByText(/We don’t deliver to this address in Canada yet/)).toBeVisible()
  await dialog.getByLabel('Country').selectOption('United States')
  await dialog.getByLabel('State').selectOption('Texas')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(toast(page, 'Delivery address changed. The total is now $1,556.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pay $1,556' })).toBeVisible()
})

test('an admin refunds an item with its tax, and the delivery with it', async ({ page }) => {
  await sell(page, 'DE', european)
  const customer = await registerApiCustomer(await originOf(page), 'Otto Quick')
  const { listParts, placeOrder, startPayment, payPurchase } = await apiClientOf(customer)
  const { rows } = await listParts({ body: { q: ring, limit: 1 } })
  const delivery = { address: '4 Canal Street', town: 'Bremen', phoneNumber: '01709876543' }
  const lines = [{ partId: rows[0]!._id, quantity: 48 }]
  const { _id: id, price, charges } = await placeOrder({ body: { ...delivery, lines } })
  const { clientSecret } = await startPayment({ body: { price, total: charges.total, purchase: id } })
  await payByApi(customer, clientSecret)
  await payPurchase({ params: { id }, body: { transactionId: clientSecret.split('_secret_')[0]! } })

  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/orders/${id}`)
  const open = page.getByRole('button', { name: 'Refund', exact: true })
  const dialog = page.getByRole('dialog', { name: /^Refund order/ })
  const inTotal = dialog.getByRole('status').filter({ hasText: 'Refund in total' })
  await open.click()
  await dialog.getByLabel(`Quantity of ${ring}`).fill('24')
  await expect(dialog.getByLabel(`Amount of ${ring}`)).toHaveValue('913.92')
  await dialog.getByLabel('Amount of delivery').fill('18.46')
  await expect(dialog.getByText('Amount must be at most $18.45')).toBeVisible()
  await dialog.getByLabel('Amount of delivery').fill('8.45')
  await expect(inTotal).toContainText('$922.37')
  await expectAccessible(page, 'a refund of an item and its delivery')
  await dialog.getByLabel('Reason').fill('Bent teeth')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByRole('button', { name: 'Refund $922.37' }).click()
  await expect(toast(page, 'Refunded $922.37')).toBeVisible()
  await expect(page.getByText('Refunded $922.37 of $1,846.29', { exact: true })).toBeVisible()
  await expect(page.getByText('Refunded $922.37, including $8.45 for delivery')).toBeVisible()

  await open.click()
  await dialog.getByRole('button', { name: 'Whole order' }).click()
  await expect(dialog.getByLabel('Amount of delivery')).toHaveValue('10')
  await expect(inTotal).toContainText('$923.92')
  await dialog.getByLabel('Reason').fill('All of them')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByRole('button', { name: 'Refund $923.92' }).click()
  await expect(toast(page, 'Refunded $923.92')).toBeVisible()
  await expect(await definitionOf(page.getByRole('main'), 'Refunded')).toHaveText('$1,846.29')
  await expect(open).toHaveCount(0)
})

test('a buyer collects at the factory what an admin offers there, and is told when it is ready', async ({
  page,
}) => {
  const [germany, austria] = european.zones
  const slow = { ...germany!, days: { from: 2, to: 4 } }
  const collection = { isOffered: true, address: '1 Works Road', country: 'DE', region: '', postcode: '' }
  await sell(page, 'DE', { ...european, zones: [slow, austria!], collection })
  await registerByApi(page, 'Cleo Berg')
  await openPurchase(page, ring)
  await fillPurchase(page, 48)
  await expectSummary(page, { Goods: '$1,536', Delivery: '$15.50 · 2–4 working days', 'VAT 19 %': '$294.79' })
  await page.getByLabel('Country').selectOption('France')
  await expect(summary(page).getByRole('alert')).toContainText('We don’t deliver to this address')
  await page.getByRole('radio', { name: 'Collect at the factory' }).check()
  await expectSummary(page, {
    Goods: '$1,536',
    Delivery: 'Collected at the factory',
    'VAT 19 %': '$291.84',
  })
  await expectAccessible(page, 'a purchase that is collected')
  await page.getByRole('button', { name: 'Purchase', exact: true }).click()
  await page.getByRole('link', { name: 'Pay $1,827.84' }).click()
  await payWith(page, cards.good)
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  await page.getByRole('link', { name: 'View order' }).click()
  const main = page.getByRole('main')
  await expect(await definitionOf(main, 'To be collected at')).toHaveText('1 Works Road')
  await expect(await definitionOf(main, 'Delivery')).toHaveText('Collected at the factory')

  const { pathname } = new URL(page.url())
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/manageAllOrders')
  await expect(page.getByRole('row').filter({ hasText: 'Cleo Berg' }).first()).toContainText('Collect, ')
  await visit(page, pathname)
  await page.getByRole('button', { name: 'Edit address' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toHaveText(/^Address of order #\d+$/)
  await expect(dialog).not.toContainText(/deliver/i)
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(toast(page, 'Address changed')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as ready to collect' }).click()
  await expect(dialog.getByLabel('Carrier')).toHaveCount(0)
  await expectAccessible(page, 'an order that is ready to collect')
  await dialog.getByRole('button', { name: 'Mark as ready to collect' }).click()
  await expect(page.getByRole('list', { name: 'Status' })).toContainText('Ready to collect')
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(`Ready to collect: 48 × ${ring}`)
})

test('a quote is accepted at the total that it shows with delivery and tax', async ({ page }) => {
  await sell(page, 'DE', european)
  const { email } = await registerByApi(page, 'Greta Lund')
  const { addQuote, sendQuote, listParts } = await openAdmin(page)
  const { rows } = await listParts({ body: { q: ring, limit: 1 } })
  const validUntil = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10)
  const lines = [{ partId: rows[0]!._id, quantity: 48, unitPrice: 30 }]
  const { insertedId: id } = await addQuote({
    body: { email, name: 'Greta Lund', validUntil, belowMinimum: false, lines },
  })
  await sendQuote({ params: { id } })
  const emails = await page.request.get(`/outbox.data?${new URLSearchParams({ q: email })}`)
  const [path = ''] = /\/quote\/[\w-]+/.exec(await emails.text()) ?? []
  await visit(page, path)
  await expectSummary(page, {
    Goods: '$1,440',
    Delivery: '$15.50',
    'VAT 19 %': '$276.55',
    Total: '$1,732.05',
  })
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await expectAccessible(page, 'a quote with delivery and tax')
  await page.getByRole('button', { name: 'Accept and pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay $1,732.05' })).toBeEnabled()
})

test('inclusive prices say so, and nothing is said where goods are all that is charged', async ({ page }) => {
  await sell(page, 'DE', { ...european, tax: { ...european.tax, mode: 'inclusive' } })
  await page.goto('/terms')
  await expect(page.getByText('Prices include tax.')).toBeVisible()
  await page.goto('/parts')
  await expect(page.getByText('Prices incl. VAT, plus delivery.')).toBeVisible()
  await openPart(page, ring)
  await expect(page.getByText('Prices incl. VAT, plus delivery.')).toBeVisible()
  const data = page.locator('script[type="application/ld+json"]').first()
  expect(JSON.parse((await data.textContent())!).offers).toMatchObject({
    priceSpecification: [{ valueAddedTaxIncluded: true }],
    shippingDetails: [{ shippingRate: { value: 15.5 } }, { shippingRate: { value: 39 } }],
  })
  await registerByApi(page, 'Ines Weber')
  await openPurchase(page, ring)
  await fillPurchase(page, 48)
  await expectSummary(page, { Goods: '$1,536', Delivery: '$15.50', 'incl. VAT 19 %': '$247.72' })
  await expect(total(page)).toHaveText('Total $1,551.50')

  await sell(page, 'US', { zones: [], tax: { mode: 'none', rates: [] } })
  await page.goto('/terms')
  await expect(page.getByText('Delivery is free.')).toBeVisible()
  await page.goto('/parts')
  await expect(page.getByRole('heading', { name: 'Bicycle Parts' })).toBeVisible()
  await expect(page.getByText('Prices ')).toHaveCount(0)
  await openPart(page, ring)
  const { offers } = JSON.parse((await data.textContent())!)
  expect(offers).not.toHaveProperty('priceSpecification')
  expect(offers).not.toHaveProperty('shippingDetails')
  await openPurchase(page, ring)
  await fillPurchase(page, 48)
  await expect(total(page)).toHaveText('Total $1,536')
  await expect(page.getByRole('button', { name: 'Purchase', exact: true })).toBeEnabled()
  await expect(summary(page)).toHaveCount(0)
})

test('an admin has Stripe Tax work out the tax, and a customer orders at its rates once it can be reached', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 503/)
  await sell(page, 'US', american)
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/deliveryAndTax')
  await page.getByRole('radio', { name: 'Stripe Tax' }).check()
  await expect(page.getByRole('main')).toContainText('Here, the test bank does, at made-up rates')
  await expect(page.getByRole('main')).toContainText('aren’t charged while Stripe Tax works out the tax')
  await expectAccessible(page, 'delivery and tax with Stripe Tax')
  await page.getByRole('button', { name: 'Save delivery and tax' }).click()
  await expect(toast(page, 'Delivery and tax saved')).toBeVisible()

  await registerByApi(page, 'Ada Lund')
  await openPurchase(page, ring)
  await fillPurchase(page, 48)
  await page.getByLabel('State').selectOption('New York')
  const postcode = page.getByLabel('Postcode')
  await postcode.fill('00503')
  await expect(summary(page)).toContainText('We couldn’t work out delivery and tax.')
  await postcode.fill('10001')
  await expectSummary(page, { Goods: '$1,536', Delivery: '$20', 'Sales tax 8.875 %': '$138.10' })
  await expect(total(page)).toHaveText('Total $1,694.10')
  await page.getByRole('button', { name: 'Purchase', exact: true }).click()
  await page.getByRole('link', { name: 'Pay $1,694.10' }).click()
  await payWith(page, cards.good)
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
})
