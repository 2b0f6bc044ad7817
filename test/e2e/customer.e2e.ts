import type { Page } from '@playwright/test'
import { formatDollars } from '#shop/money.ts'
import { createSignedInClient } from '#test/process.ts'
import { openNextPayment, placeOrderOfSeveral, placeOrders, registerApiCustomer } from './orders.ts'
import {
  accessToken,
  cards,
  demoAdmin,
  demoCustomer,
  expect,
  expectMessage,
  expectRedAbove,
  expectRedBelow,
  fillCard,
  fillLogin,
  fillPurchase,
  fillRegistration,
  navigate,
  newAccount,
  openMyOrders,
  openPart,
  openPurchase,
  partNamed,
  payWith,
  readCount,
  registerByApi,
  retryingClosed,
  rowsOf,
  signIn,
  stock,
  test,
  toast,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const offlineError = /net::ERR_INTERNET_DISCONNECTED/

test('the registration and login forms show an error for each invalid field, a taken email and a wrong password, and sign in once both passwords match or the right one is given', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 4\d\d .*\/identity\/sign-(up|in)/)
  const seatpost = 'Plumb 27.2 mm Two-Bolt Seatpost'
  await openPart(page, seatpost)
  await page.getByLabel('Quantity', { exact: true }).fill('60')
  await partNamed(page, seatpost).getByRole('link', { name: 'Purchase' }).click()
  await page.getByRole('link', { name: 'Register' }).click()
  const registerButton = page.getByRole('button', { name: 'Register' })
  await registerButton.click()
  await expectMessage(page, 'Name', 'Name is required')
  await expectMessage(page, 'Email', 'Email is required')
  await expectMessage(page, 'Password', 'Password is required')
  await expectMessage(page, 'Confirm Password', 'Confirm Password is required')

  await fillRegistration(page, { name: 'Ida', email: 'ida at home', password: '12345' })
  await expectMessage(page, 'Email', 'Please provide a valid email...')
  await expectMessage(page, 'Password', 'Password required Minimum 6 characters...')
  await registerButton.click()
  await expect(page).toHaveURL(/^[^?]*\/registration\?from=/)
  expect(await accessToken(page)).toBeNull()

  await fillRegistration(page, { ...newAccount('Ida'), email: demoCustomer.email })
  await registerButton.click()
  await page.getByRole('link', { name: 'Log in with this email' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(demoCustomer.email)
  await page.getByRole('link', { name: 'Register' }).click()
  await fillRegistration(page, { ...newAccount('Ida'), email: demoCustomer.email })
  await registerButton.click()
  await expectRedAbove(page.getByRole('alert').filter({ hasText: /already/i }), registerButton)
  await expect(page).toHaveURL(/^[^?]*\/registration\?from=/)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ida')
  expect(await accessToken(page)).toBeNull()

  const account = newAccount('Ida Renn')
  await fillRegistration(page, account, `${account.password}!`)
  await registerButton.click()
  await expectMessage(page, 'Confirm Password', 'Your Password did not matched!')
  expect(await accessToken(page)).toBeNull()

  // The rejected attempt did not register the email.
  await fillRegistration(page, account)
  await registerButton.click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await accessToken(page)).not.toBeNull()
  await page.getByRole('link', { name: `Continue with 60 × ${seatpost}` }).click()
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('60')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ida Renn')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(account.email)
  await navigate(page, '/')
  await expect(page.getByRole('link', { name: 'Continue with' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }).click()
  const loginButton = page.getByRole('button', { name: 'Login' })
  await loginButton.click()
  await expectMessage(page, 'Email', 'Email is required')
  await expectMessage(page, 'Password', 'Password is required')

  await fillLogin(page, { email: 'ida@', password: '12345' })
  await expectMessage(page, 'Email', 'Provide a valid email')
  await expectMessage(page, 'Password', 'Must be 6 characters or longer')
  expect(await accessToken(page)).toBeNull()

  await fillLogin(page, { ...demoCustomer, password: 'not-my-password' })
  await loginButton.click()
  const error = page.getByRole('alert').filter({ hasText: /password/i })
  await expectRedAbove(error, loginButton)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(demoCustomer.email)
  expect(await accessToken(page)).toBeNull()

  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
  await expect(error).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()
})

test('the purchase form validates on every change, and a purchase clears it, reduces the stock and offers a payment link, also for a second order by keyboard', async ({
  page,
}) => {
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, 'Cinder 180 mm Floating Rotor')
  const address = page.getByLabel('Address')
  const phone = page.getByLabel('Phone Number')
  const quantity = page.getByLabel('Quantity', { exact: true })
  const button = page.getByRole('button', { name: 'Purchase' })
  const available = await readCount(await stock(page))
  await expect(page.getByLabel('Part Name')).toHaveValue('Cinder 180 mm Floating Rotor')
  for (const label of ['Name', 'Email', 'Part Name']) {
    await expect(page.getByLabel(label, { exact: true })).not.toBeEditable()
  }
  await expect(button).toBeDisabled()
  await expect(page.getByText('Still missing: Address, Phone Number')).toBeVisible()
  await expect(address).toHaveAttribute('aria-required', 'true')

  await address.fill('x')
  await address.fill(' ')
  await expectMessage(page, 'Address', 'Address is required')
  await address.fill('4 Canal Street, Bremen')
  await expect(page.getByText('Address is required')).toHaveCount(0)

  await phone.fill('012345678901')
  await expectMessage(page, 'Phone Number', 'Phone Number must be 11 digit.')
  await phone.fill('')
  await expectMessage(page, 'Phone Number', 'Phone Number is required')
  await phone.fill('01234567890')
  await expect(page.getByText('Phone Number must be 11 digit.')).toHaveCount(0)
  await expect(quantity).toHaveValue('48')
  await expect(button).toBeEnabled()

  await quantity.fill('47')
  await expectMessage(page, 'Quantity', 'Purchase atleast minimum 48 quantity.')
  await quantity.fill(`${available + 1}`)
  await expectMessage(page, 'Quantity', `Purchase can't be higher than ${available} available quantity.`)
  await quantity.fill('48.5')
  await expectMessage(page, 'Quantity', 'Whole numbers only')
  await quantity.fill('')
  await expectMessage(page, 'Quantity', 'Quantity is required')
  await expect(button).toBeDisabled()
  await quantity.fill('48')
  await expect(button).toBeEnabled()
  await address.fill('')
  await expect(button).toBeDisabled()

  const part = 'Anvil Hydraulic Brake Lever'
  await openNextPurchase(page, part)
  const stockBefore = Number(await (await stock(page)).textContent())
  await fillPurchase(page, 20)
  await page.getByRole('button', { name: 'Purchase' }).click()
  const successToasts = toast(page, `${part} Purchase Successfully!!`)
  await expect(successToasts).toBeVisible()
  for (const [label, value] of Object.entries({ Address: '', 'Phone Number': '', Quantity: '16' })) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
  }
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  await expect(await stock(page)).toHaveText(String(stockBefore - 20))

  await fillPurchase(page, 30)
  const response = page.waitForResponse('**/api/purchase')
  await page.getByLabel('Quantity', { exact: true }).press('Enter')
  const { _id, number } = await (await response).json()
  const payLink = successToasts
    .getByRole('link', { name: 'Pay now' })
    .and(page.locator(`[href="/dashboard/payment/${_id}"]`))
  // It stays while it is pointed at.
  await payLink.hover()
  await expect(await stock(page)).toHaveText(String(stockBefore - 50))
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  const ordered = page.getByRole('region', { name: `Ordered: 30 × ${part}` })
  await expect(ordered).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(ordered.getByRole('link', { name: 'Pay $1,680' })).toBeFocused()
  await expect(ordered).toContainText(new RegExp(`#${number}, \\$1,680, held until \\w+day `))

  await payLink.click()
  await expect(page.getByRole('heading', { name: 'Hello, Ida Renn' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $1,680' })).toBeEnabled()

  await page.goBack()
  await page.reload()
  await expect(ordered).toContainText(`#${number}`)
  await expectInputKept(page, 16)
  await page.getByLabel('Quantity', { exact: true }).fill('30')
  await page.getByRole('button', { name: 'Purchase' }).click()
  const question = page.getByRole('dialog', { name: 'You ordered exactly this a minute ago' })
  await question.getByRole('button', { name: 'Don’t order again' }).click()
  await expect(question).toBeHidden()
  await page.getByRole('button', { name: 'Purchase' }).click()
  await question.getByRole('button', { name: 'Order again', exact: true }).click()
  // Under the mouse it does not close by itself.
  await successToasts.last().getByRole('link', { name: 'Pay now' }).hover()
  await expect(ordered).toContainText(`#${Number(number) + 1}`)
  await expect(await stock(page)).toHaveText(String(stockBefore - 80))
  await ordered.getByRole('link', { name: 'Pay $1,680' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Hello, Ida Renn' })).toBeVisible()
  await expect(successToasts.getByRole('link', { name: 'Pay now' })).toHaveCount(0)
})

test('a part that was just ordered among others is ordered alone without a question', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const { lines } = await placeOrderOfSeveral(page, 2)
  const { parts } = lines.toSorted((one, other) => one.price - other.price)[0]!
  await openPurchase(page, parts)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${parts} Purchase Successfully!!`)).toBeVisible()
})

test('a declined card leaves the order unpaid, a valid card pays it once despite a double click, and a payment made offline keeps the card number and succeeds on retry', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 402 .*\/confirm/)
  allowConsoleErrors(offlineError)
  const part = 'Escarp 170 mm Crankset, 34T'
  const { email } = await registerByApi(page, 'Ida Renn')
  await placeOrders(page, part, [10])
  const [other] = await placeOrders(page, 'Plumb 27.2 mm Two-Bolt Seatpost', [48])

  await openMyOrders(page)
  for (const header of ['Name', 'Product', 'Quantity', 'Price($)', 'Payment', 'Cancel Purchase']) {
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()
  }
  const row = rowsOf(page, part)
  await expect(row.getByRole('cell')).toHaveText(['Ida Renn', part, '10', '$1,450', /Pay/, /Delete/])
  await row.getByRole('link', { name: 'Pay' }).click()

  await payWith(page, cards.declined)
  await expectRedBelow(page.getByText('Your card was declined.'), page.getByRole('button', { name: /^Pay/ }))
  await navigate(page, '/dashboard/myOrders')
  await expect(row.getByRole('link', { name: 'Pay' })).toBeVisible()
  await expect(row.getByText('Paid', { exact: true })).toHaveCount(0)

  await row.getByRole('link', { name: 'Pay' }).click()
  await payWith(page, cards.declined)
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  await page.getByLabel('CVC').fill('')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Your card was declined.')).toHaveCount(0)
  const confirmRequest = page.waitForRequest(/\/confirm$/)
  let payments = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) payments++
  })
  await fillCard(page, cards.good)
  await page.getByRole('button', { name: /^Pay \$/ }).dblclick()
  const confirmBody = new URLSearchParams((await confirmRequest).postData()!)
  expect(confirmBody.get('payment_method_data[billing_details][name]')).toBe('Ida Renn')
  expect(confirmBody.get('payment_method_data[billing_details][email]')).toBe(email)
  const confirmation = page
    .getByRole('status')
    .filter({ hasText: 'Congratulations! Your Payment is completed.' })
  await expect(confirmation).toContainText('Your TransactionId:')
  expect(payments).toBe(1)
  const transactionId = (await confirmation.getByText(/^pi_/).textContent())!
  await expect(
    confirmation.getByRole('link', { name: `1 more order to pay: ${formatDollars(other!.price)}` }),
  ).toHaveAttribute('href', `/dashboard/payment/${other!._id}`)

  await page.reload()
  await expect(confirmation).toContainText(transactionId)
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  await expect(page.getByLabel('Card number')).toHaveCount(0)

  await confirmation.getByRole('link', { name: 'My Orders' }).click()
  await expect(row.getByText('Paid', { exact: true })).toBeVisible()
  await expect(row.getByText(transactionId)).toBeVisible()
  await expect(row.getByRole('link', { name: 'Pay' })).toHaveCount(0)
  await expect(row.getByRole('button')).toHaveCount(0)

  await openNextPayment(page)
  await context.setOffline(true)
  await payWith(page, cards.good)
  await expect(page.getByText(/lost the connection/)).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Pay $300' }).click()
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
})

test('a customer can cancel an unpaid order after confirming, which restores its stock, and pressing Enter twice does not', async ({
  page,
}) => {
  const part = 'Heath Trail Saddle, 145 mm'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  const purchasePath = new URL(page.url()).pathname
  const stockBefore = Number(await (await stock(page)).textContent())
  await placeOrders(page, part, [40])

  await navigate(page, '/dashboard/myOrders')
  const row = rowsOf(page, part)
  const dialog = page.getByRole('dialog')
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion })
    await row.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Keep order' }), reducedMotion).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(row, reducedMotion).toHaveCount(1)
  }
  await page.emulateMedia({ reducedMotion: null })

  await row.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText(`: 40 × ${part}?`)
  await dialog.getByRole('button', { name: 'Keep order' }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toHaveCount(1)

  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(toast(page, 'Purchase Cancelled Successfully')).toBeVisible()
  await expect(row).toHaveCount(0)
  await navigate(page, purchasePath)
  await expect(await stock(page)).toHaveText(String(stockBefore))

  for (const path of ['/dashboard/myOrders', '/dashboard/orders/']) {
    const order = await placeOrderOfSeveral(page, 2)
    const isList = path === '/dashboard/myOrders'
    await navigate(page, isList ? path : path + order._id)
    await page.getByRole('button', { name: /^Cancel order(, order #\d+)?$/ }).click()
    await expect(dialog).toContainText(`Cancel order #${order.number}: 2 items?`)
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await expect(toast(page, 'Purchase Cancelled Successfully'), path).toBeVisible()
    await expect(page.getByText('No orders yet. Browse parts')).toBeVisible()
  }
})

test('a double click on Purchase places one order, and a retry after an error while offline, a lost response or a reload keeps the input and places no second order', async ({
  page,
  context,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_/)
  const [stem, bar] = ['Lintel 60 mm Stem, 31.8 mm', 'Cornice 780 Riser Bar, 25 mm'] as const
  const [headset, lever] = ['Quern Tapered Headset EC34/EC44', 'Anvil Hydraulic Brake Lever'] as const
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, stem)
  await fillPurchase(page, 48)
  await page.getByRole('button', { name: 'Purchase' }).dblclick()
  await expect(toast(page, `${stem} Purchase Successfully!!`)).toBeVisible()
  await expect(page.getByLabel('Address')).toHaveValue('')

  await openNextPurchase(page, bar)
  await fillPurchase(page, 24)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('We can’t reach the shop.')).toBeVisible()
  await expectInputKept(page, 24)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${bar} Purchase Successfully!!`)).toBeVisible()

  await openNextPurchase(page, headset)
  await fillPurchase(page, 30)
  await page.route('**/api/purchase', (route) => route.fetch(retryingClosed).then(() => route.abort()), {
    times: 1,
  })
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('We can’t reach the shop.')).toBeVisible()
  await expectInputKept(page, 30)
  const quantity = page.getByLabel('Quantity', { exact: true })
  await quantity.fill('36')
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('your order may have been placed')).toBeVisible()
  await quantity.fill('30')
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${headset} Purchase Successfully!!`)).toBeVisible()

  await openNextPurchase(page, lever)
  await fillPurchase(page, 24)
  const placed = Promise.withResolvers<void>()
  // The server places the order, but the response never arrives.
  await page.route('**/api/purchase', (route) => route.fetch(retryingClosed).then(() => placed.resolve()), {
    times: 1,
  })
  await page.getByRole('button', { name: 'Purchase' }).click()
  await placed.promise
  await page.reload()
  await expectInputKept(page, 24)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${lever} Purchase Successfully!!`)).toBeVisible()
  await expect(page.getByLabel('Address')).toHaveValue('')

  await navigate(page, '/dashboard/myOrders')
  for (const part of [stem, bar, headset, lever]) await expect(rowsOf(page, part), part).toHaveCount(1)
})

test('the purchase form keeps its input separately for each part, also when an outdated price, stock that was just reduced or a deleted part is shown instead of placing an order', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 4(00|04|09) .*\/api\/purchase/)
  const headset = 'Quern Tapered Headset EC34/EC44'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, headset)
  await fillPurchase(page, 30)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await page.getByRole('link', { name: 'Purchase' }).first().click()
  await expect(page.getByLabel('Part Name')).toHaveValue('Talon 42T Narrow-Wide Chainring')
  await expect(page.getByLabel('Address')).toHaveValue('')

  // Jump directly between the two purchase pages, as with the browser's history menu.
  await page.evaluate(() => history.go(-2))
  await expect(page.getByLabel('Part Name')).toHaveValue(headset)
  await expectInputKept(page, 30)
  await page.evaluate(() => history.go(2))
  await expect(page.getByLabel('Part Name')).toHaveValue('Talon 42T Narrow-Wide Chainring')
  await expect(page.getByLabel('Address')).toHaveValue('')

  const admin = await createSignedInClient(origin, demoAdmin)
  await page.evaluate(() => history.go(-2))
  await expectInputKept(page, 30)
  const [, partId = ''] = /\/part\/(.+)$/.exec(page.url()) ?? []
  const { _id, ...before } = await admin.readPart({ params: { partId } })
  const newPrice = before.perUnitPrice + 2
  try {
    await admin.updatePart({ params: { partId }, body: { ...before, perUnitPrice: newPrice } })
    await page.getByRole('button', { name: 'Purchase' }).click()
    await expect(page.getByText(`The price is now ${formatDollars(30 * newPrice)}.`)).toBeVisible()
    await expect(page.getByText(`Total ${formatDollars(30 * newPrice)}`)).toBeVisible()
    await expectInputKept(page, 30)
    await navigate(page, '/dashboard/myOrders')
    await expect(page.getByText('No orders yet.')).toBeVisible()

    await navigate(page, `/part/${partId}`)
    await page.getByRole('button', { name: 'Purchase' }).click()
    await expect(toast(page, `${headset} Purchase Successfully!!`)).toBeVisible()
  } finally {
    const { availableQuantity } = await admin.readPart({ params: { partId } })
    await admin.updatePart({ params: { partId }, body: { ...before, availableQuantity } })
  }

  const fork = 'Tarn Carbon Gravel Fork, 12 x 100 mm'
  await openNextPurchase(page, fork)
  const available = Number(await (await stock(page)).textContent())
  await fillPurchase(page, available)
  await placeOrders(await registerApiCustomer(origin, 'Otto Quick'), fork, [6])
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expectMessage(page, 'Quantity', `Purchase can't be higher than ${available - 6} available quantity.`)
  await expect(await stock(page)).toHaveText(String(available - 6))
  await expectInputKept(page, available)
  await page.getByLabel('Quantity', { exact: true }).fill('6')
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${fork} Purchase Successfully!!`)).toBeVisible()

  const [sample] = (await admin.listParts({ body: { limit: 1 } })).rows
  const { _id: sampleId, partNumber, ...rest } = sample!
  const deleted = { ...rest, name: `Short-lived Chainring ${uniqueWord()}` }
  const { insertedId } = await admin.addPart({ body: deleted })
  await openNextPurchase(page, deleted.name)
  await fillPurchase(page, deleted.minQuantity)
  await admin.deleteProduct({ params: { id: insertedId } })
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('This part is no longer for sale.')).toBeVisible()
  await expectInputKept(page, deleted.minQuantity)
})

/** Like `openPurchase`, within the open page. */
async function openNextPurchase(page: Page, name: string) {
  await navigate(page, `/parts?${new URLSearchParams({ q: name })}`)
  await partNamed(page, name).getByRole('link', { name: 'Purchase' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
}

async function expectInputKept(page: Page, quantity: number) {
  await expect(page.getByLabel('Address')).toHaveValue('4 Canal Street, Bremen')
  await expect(page.getByLabel('Phone Number')).toHaveValue('01709876543')
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue(String(quantity))
}
