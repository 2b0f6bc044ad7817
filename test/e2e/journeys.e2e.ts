import { expectAccessible } from './axe.ts'
import { placePaidOrder, registerApiCustomer } from './orders.ts'
import { createPicture, fillProduct, productAdded } from './products.ts'
import {
  cards,
  definitionOf,
  demoAdmin,
  expect,
  fillLogin,
  fillPurchase,
  navigate,
  openPurchase,
  partNamed,
  payWith,
  registerByForm,
  rowsOf,
  test,
  toast,
  visit,
} from './shop.ts'

const chain = 'Meridian 12-Speed Chain'
const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

// What a newcomer runs.
test.use({ engine: 'embedded' })

test('a visitor searches, reads about a part and puts it into the basket', async ({ page }) => {
  await test.step('The home page leads to the catalogue', async () => {
    await visit(page, '/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
    await expectAccessible(page, 'the home page')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
    await expect(page.getByRole('heading', { name: 'Bicycle Parts' })).toBeVisible()
  })
  await test.step('The search finds a part while its name is typed', async () => {
    await page.getByRole('searchbox').pressSequentially('12-speed chain')
    await expect(page).toHaveURL('/parts?q=12-speed+chain')
    await expect(page.getByRole('article').first()).toContainText(chain)
    await expectAccessible(page, 'search results')
  })
  await test.step('Its page adds it to the basket', async () => {
    await partNamed(page, chain).getByRole('link', { name: chain, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(chain)
    await expect(await definitionOf(partNamed(page, chain), 'Min. Quantity')).toHaveText('60')
    await expectAccessible(page, 'the page of a part')
    await page.getByRole('article').getByRole('button', { name: 'Add to basket' }).first().click()
    await expect(page.getByRole('link', { name: 'Basket, 1 item' })).toBeVisible()
  })
  await test.step('The basket keeps it and asks to log in', async () => {
    await visit(page, '/basket')
    await expect(page.getByRole('spinbutton', { name: `Quantity of ${chain}` })).toHaveValue('60')
    await expectAccessible(page, 'the basket')
    await page.getByRole('link', { name: 'Login to order' }).click()
    await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
    await expectAccessible(page, 'the login page')
  })
})

test('a customer registers, orders, is declined, pays, and reviews', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 402 .*\/confirm/)
  const pay = page.getByRole('button', { name: 'Pay $1,416' })
  await test.step('The purchase form places an order', async () => {
    await registerByForm(page, 'Ida Renn')
    await openPurchase(page, hub)
    await fillPurchase(page, 12)
    await expectAccessible(page, 'the purchase form')
    await page.getByRole('button', { name: 'Purchase' }).click()
    await toast(page, `${hub} Purchase Successfully!!`).getByRole('link', { name: 'Pay now' }).click()
  })
  await test.step('A declined card leaves the order unpaid', async () => {
    await expect(pay).toBeEnabled()
    await expectAccessible(page, 'the payment page')
    await payWith(page, cards.declined)
    await expect(page.getByText('Your card was declined.')).toBeVisible()
  })
  await test.step('Another card pays it', async () => {
    await payWith(page, cards.good)
    const confirmation = page.getByRole('status').filter({ hasText: 'Congratulations! Your Payment is' })
    const transaction = (await confirmation.getByText(/^pi_/).textContent())!
    await confirmation.getByRole('link', { name: 'My Orders' }).click()
    await expect(rowsOf(page, hub).getByText('Paid', { exact: true })).toBeVisible()
    await expect(rowsOf(page, hub).getByText(transaction)).toBeVisible()
    await expectAccessible(page, 'My Orders')
  })
  await test.step('A review appears for everybody', async () => {
    await navigate(page, '/dashboard/addReview')
    await page.getByLabel('Address').fill('Gdynia')
    await page.getByLabel('Review').fill('Runs true after a wet autumn.')
    await page.getByLabel('4 stars').check()
    await expectAccessible(page, 'the review form')
    await page.getByRole('button', { name: 'Add Review' }).click()
    await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
    await navigate(page, '/reviews')
    await expect(page.getByText('Runs true after a wet autumn.')).toBeVisible()
  })
})

test('an admin adds a product, changes its price, ships an order and refunds it', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  // Playwright's trace tries to read the preview.
  allowConsoleErrors(/^Connecting to 'blob:/)
  const name = 'Journey Rotor'
  const customer = await registerApiCustomer(origin, 'Greta Lund')
  const { orderId } = await placePaidOrder(customer, hub, 12)
  await test.step('A product with a photo', async () => {
    await visit(page, '/login?from=%2Fdashboard%2FaddProduct')
    await fillLogin(page, demoAdmin)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { name: 'Add a New Product' })).toBeVisible()
    await fillProduct(page, name)
    await page.getByLabel('Second photo').setInputFiles(await createPicture())
    await expectAccessible(page, 'the product form')
    await page.getByRole('button', { name: 'Add Product' }).click()
    await expect(toast(page, productAdded)).toBeVisible()
  })
  await test.step('Its new price is what customers see', async () => {
    await navigate(page, '/dashboard/manageProducts?q=Journey')
    await rowsOf(page, name).getByRole('link', { name: 'Edit' }).click()
    await expect(page.getByLabel('Product Name')).toHaveValue(name)
    await page.getByLabel('Price (in $)').fill('39')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, `Product: ${name} is updated`)).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard\/manageProducts/)
    await navigate(page, '/parts?q=Journey')
    await expect(await definitionOf(partNamed(page, name), 'Price per unit')).toHaveText('$39')
  })
  await test.step('A paid order is shipped', async () => {
    await navigate(page, '/dashboard/manageAllOrders?q=Greta+Lund')
    const row = rowsOf(page, 'Greta Lund')
    await expectAccessible(page, 'Manages All Orders')
    await row.getByRole('button', { name: 'Pending' }).click()
    await expect(toast(page, 'Delivered Status Successfully Changed!!')).toBeVisible()
    await expect(row.getByRole('button', { name: /^Shipped, / })).toBeVisible()
  })
  await test.step('A refund of a part of it', async () => {
    await navigate(page, `/dashboard/orders/${orderId}`)
    const article = page.getByRole('article')
    await article.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Amount').fill('300')
    await page.getByLabel('Reason').fill('Two hubs were scratched')
    const dialog = page.getByRole('dialog')
    await expectAccessible(page, 'the refund', 'dialog[open]')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await dialog.getByRole('button', { name: 'Refund $300' }).click()
    await expect(toast(page, 'Refunded $300')).toBeVisible()
    await expect(article.getByText('Refunded $300 of $1,416', { exact: true })).toBeVisible()
    await expectAccessible(page, 'an order')
  })
})
