import type { Page } from '@playwright/test'
import { dollars } from '#shop/money.ts'
import { signedIn } from '#test/process.ts'
import { openPayment, placeOrders } from './orders.ts'
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
  newAccount,
  openMyOrders,
  openPurchase,
  payWith,
  placeOrder,
  registerByApi,
  rowsOf,
  signIn,
  stock,
  test,
  toast,
} from './shop.ts'

const offline = /net::ERR_INTERNET_DISCONNECTED/

test('registration names what is missing or wrong under each field', async ({ page }) => {
  await page.goto('/registration')
  const button = page.getByRole('button', { name: 'Register' })
  await button.click()
  await expectMessage(page, 'Name', 'Name is required')
  await expectMessage(page, 'Email', 'Email is required')
  await expectMessage(page, 'Password', 'Password is required')
  await expectMessage(page, 'Confirm Password', 'Confirm Password is required')

  await fillRegistration(page, { name: 'Ida', email: 'ida at home', password: '12345' })
  await expectMessage(page, 'Email', 'Please provide a valid email...')
  await expectMessage(page, 'Password', 'Password required Minimum 6 characters...')
  await button.click()
  await expect(page).toHaveURL('/registration')
  expect(await accessToken(page)).toBeNull()
})

test('two different passwords make no account, two equal ones do', async ({ page }) => {
  const account = newAccount('Ida Renn')
  await page.goto('/registration')
  await fillRegistration(page, account, `${account.password}!`)
  const button = page.getByRole('button', { name: 'Register' })
  await button.click()
  await expectMessage(page, 'Confirm Password', 'Your Password did not matched!')
  expect(await accessToken(page)).toBeNull()

  // The address is still free.
  await fillRegistration(page, account)
  await button.click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await accessToken(page)).not.toBeNull()
  await openPurchase(page, 'Plumb 27.2 mm Two-Bolt Seatpost')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ida Renn')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(account.email)
})

test('an email that is taken is refused in red words above the button', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 4\d\d .*\/identity\/sign-up/)
  await page.goto('/registration')
  await fillRegistration(page, { ...newAccount('Ida'), email: demoCustomer.email })
  await page.getByRole('button', { name: 'Register' }).click()
  const words = page.getByRole('alert').filter({ hasText: /already/i })
  await expectRedAbove(words, page.getByRole('button', { name: 'Register' }))
  await expect(page).toHaveURL('/registration')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ida')
  expect(await accessToken(page)).toBeNull()
})

test('login names what is missing or wrong under each field', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Login' }).click()
  await expectMessage(page, 'Email', 'Email is required')
  await expectMessage(page, 'Password', 'Password is required')

  await fillLogin(page, { email: 'ida@', password: '12345' })
  await expectMessage(page, 'Email', 'Provide a valid email')
  await expectMessage(page, 'Password', 'Must be 6 characters or longer')
  expect(await accessToken(page)).toBeNull()
})

test('a wrong password is refused in red words, the right one signs in', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 401 .*\/identity\/sign-in/)
  await page.goto('/login')
  await fillLogin(page, { ...demoCustomer, password: 'not-my-password' })
  const button = page.getByRole('button', { name: 'Login' })
  await button.click()
  const words = page.getByRole('alert').filter({ hasText: /password/i })
  await expectRedAbove(words, button)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(demoCustomer.email)
  expect(await accessToken(page)).toBeNull()

  await signIn(page, demoCustomer)
  await expect(page).toHaveURL('/')
  await expect(words).toHaveCount(0)
  expect(await accessToken(page)).not.toBeNull()
})

test('the purchase form checks what is typed at every change', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, 'Cinder 180 mm Floating Rotor')
  const address = page.getByLabel('Address')
  const phone = page.getByLabel('Phone Number')
  const quantity = page.getByLabel('Quantity', { exact: true })
  const button = page.getByRole('button', { name: 'Purchase' })
  const available = await (await stock(page)).textContent()
  await expect(page.getByLabel('Part Name')).toHaveValue('Cinder 180 mm Floating Rotor')
  for (const prefilled of ['Name', 'Email', 'Part Name']) {
    await expect(page.getByLabel(prefilled, { exact: true })).not.toBeEditable()
  }
  await expect(button).toBeDisabled()

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
  await expect(button).toBeDisabled()

  await quantity.fill('47')
  await expectMessage(page, 'Quantity', 'Purchase atleast minimum 48 quantity.')
  await quantity.fill(`${Number(available) + 1}`)
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
})

test('a purchase empties the form, takes its quantity from the stock and offers to pay', async ({ page }) => {
  const part = 'Anvil Hydraulic Brake Lever'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  const before = Number(await (await stock(page)).textContent())
  await fillPurchase(page, 20)
  await page.getByRole('button', { name: 'Purchase' }).click()

  const placed = toast(page, `${part} Purchase Successfully!!`)
  await expect(placed).toBeVisible()
  for (const label of ['Address', 'Phone Number', 'Quantity']) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
  }
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  await expect(await stock(page)).toHaveText(String(before - 20))

  await placed.getByRole('link', { name: 'Pay now' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Ida Renn' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $1,120' })).toBeEnabled()
})

test('a declined card leaves the order unpaid, and a good one pays it for good', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/status of 402 .*\/confirm/)
  const part = 'Escarp 170 mm Crankset, 34T'
  const { email } = await registerByApi(page, 'Ida Renn')
  await placeOrder(page, part, 10)

  await openMyOrders(page)
  for (const head of ['Name', 'Product', 'Quantity', 'Price($)', 'Payment', 'Cancel Purchase']) {
    await expect(page.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  }
  const row = rowsOf(page, part)
  await expect(row.getByRole('cell')).toHaveText(['Ida Renn', part, '10', '1450', /Pay/, /Delete/])
  await row.getByRole('link', { name: 'Pay' }).click()

  await payWith(page, cards.declined)
  await expectRedBelow(page.getByText('Your card was declined.'), page.getByRole('button', { name: /^Pay/ }))
  await openMyOrders(page)
  await expect(row.getByRole('link', { name: 'Pay' })).toBeVisible()
  await expect(row.getByText('Paid', { exact: true })).toHaveCount(0)

  await row.getByRole('link', { name: 'Pay' }).click()
  await payWith(page, cards.declined)
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  const confirmation = page.waitForRequest(/\/confirm$/)
  await payWith(page, cards.good)
  const confirmed = new URLSearchParams((await confirmation).postData()!)
  expect(confirmed.get('payment_method_data[billing_details][name]')).toBe('Ida Renn')
  expect(confirmed.get('payment_method_data[billing_details][email]')).toBe(email)
  const receipt = page.getByRole('status').filter({ hasText: 'Congratulations! Your Payment is completed.' })
  await expect(receipt).toContainText('Your TransactionId:')
  const transaction = (await receipt.getByText(/^pi_/).textContent())!

  await page.reload()
  await expect(receipt).toContainText(transaction)
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  await expect(page.getByLabel('Card number')).toHaveCount(0)

  await receipt.getByRole('link', { name: 'My Orders' }).click()
  await expect(row.getByText('Paid', { exact: true })).toBeVisible()
  await expect(row.getByText(transaction)).toBeVisible()
  await expect(row.getByRole('link', { name: 'Pay' })).toHaveCount(0)
  await expect(row.getByRole('button')).toHaveCount(0)
})

test('an unpaid order is cancelled after a question and gives its stock back', async ({ page }) => {
  const part = 'Heath Trail Saddle, 145 mm'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  const before = await (await stock(page)).textContent()
  await placeOrders(page, part, [40])

  await openMyOrders(page)
  const row = rowsOf(page, part)
  await row.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(`Cancel your purchase of 40 × ${part}?`)
  await question.getByRole('button', { name: 'Keep it' }).click()
  await expect(question).toBeHidden()
  await expect(row).toHaveCount(1)

  await row.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Cancel purchase' }).click()
  await expect(toast(page, 'Purchase Cancelled Successfully')).toBeVisible()
  await expect(row).toHaveCount(0)
  await openPurchase(page, part)
  await expect(await stock(page)).toHaveText(before!)
})

test('after a purchase with the keyboard, the keyboard goes on in the form', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, 'Anvil Hydraulic Brake Lever')
  await fillPurchase(page, 20)
  await page.getByLabel('Quantity', { exact: true }).press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Anvil Hydraulic Brake Lever Purchase Successfully!!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  await expect(page.getByRole('main').locator('form')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
})

test('a double click on Purchase makes one order', async ({ page }) => {
  const part = 'Lintel 60 mm Stem, 31.8 mm'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  await fillPurchase(page, 48)
  await page.getByRole('button', { name: 'Purchase' }).dblclick()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
  await expect(page.getByLabel('Address')).toHaveValue('')
  await openMyOrders(page)
  await expect(rowsOf(page, part)).toHaveCount(1)
})

test('a second order of the same part offers to pay that second one', async ({ page }) => {
  const part = 'Thicket Lock-On Grips, Pair'
  await registerByApi(page, 'Ida Renn')
  await placeOrder(page, part, 48)
  await fillPurchase(page, 50)
  const answer = page.waitForResponse('**/api/purchase')
  await page.getByRole('button', { name: 'Purchase' }).click()
  const { _id } = await (await answer).json()
  const newest = toast(page, `${part} Purchase Successfully!!`).last()
  await expect(newest.getByRole('link', { name: 'Pay now' })).toHaveAttribute('href', new RegExp(`${_id}$`))
})

test('a purchase while offline says so, keeps what was typed and is sent once later', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(offline)
  const part = 'Cornice 780 Riser Bar, 25 mm'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  await fillPurchase(page, 24)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('The shop cannot be reached.')).toBeVisible()
  await expectTyped(page, 24)

  await context.setOffline(false)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
  await openMyOrders(page)
  await expect(rowsOf(page, part)).toHaveCount(1)
})

test('a purchase whose answer got lost is sent again without making a second order', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_FAILED/)
  const part = 'Quern Tapered Headset EC34/EC44'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  await fillPurchase(page, 30)
  await page.route('**/api/purchase', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('The shop cannot be reached.')).toBeVisible()
  await expectTyped(page, 30)

  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
  await openMyOrders(page)
  await expect(rowsOf(page, part)).toHaveCount(1)
})

test('a reload while an order is on its way keeps what was typed, and sending it again makes no second order', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_/)
  const part = 'Quern Tapered Headset EC34/EC44'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  await fillPurchase(page, 30)
  let reached = () => {}
  const placed = new Promise<void>((resolve) => {
    reached = resolve
  })
  // The shop has done it, and the answer never comes.
  await page.route('**/api/purchase', (route) => route.fetch().then(reached), { times: 1 })
  await page.getByRole('button', { name: 'Purchase' }).click()
  await placed
  await page.reload()
  await expectTyped(page, 30)
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
  await expect(page.getByLabel('Address')).toHaveValue('')
  await openMyOrders(page)
  await expect(rowsOf(page, part)).toHaveCount(1)
})

test('what was typed for one part stays with that part', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, 'Quern Tapered Headset EC34/EC44')
  await fillPurchase(page, 30)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await page.getByRole('link', { name: 'Purchase' }).first().click()
  await expect(page.getByLabel('Part Name')).toHaveValue('Talon 42T Narrow-Wide Chainring')
  await expect(page.getByLabel('Address')).toHaveValue('')

  // From one purchase page straight to the other, as the browser's list of pages does it.
  await page.evaluate(() => history.go(-2))
  await expect(page.getByLabel('Part Name')).toHaveValue('Quern Tapered Headset EC34/EC44')
  await expectTyped(page, 30)
  await page.evaluate(() => history.go(2))
  await expect(page.getByLabel('Part Name')).toHaveValue('Talon 42T Narrow-Wide Chainring')
  await expect(page.getByLabel('Address')).toHaveValue('')
})

test('Enter pressed twice on Delete cancels nothing', async ({ page }) => {
  const part = 'Quern Tapered Headset EC34/EC44'
  await registerByApi(page, 'Ida Renn')
  await placeOrders(page, part, [30])
  await openMyOrders(page)
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(rowsOf(page, part)).toHaveCount(1)
})

test('a date is understood however it is typed into the card form', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await placeOrders(page, 'Quern Tapered Headset EC34/EC44', [30])
  await openMyOrders(page)
  await page.getByRole('link', { name: 'Pay', exact: true }).click()
  const expiry = page.getByLabel('Expiry')
  for (const typed of ['0130', '130', '1/30', '01/30', '01 / 30', '01/2030', '012030']) {
    await expiry.clear()
    await expiry.pressSequentially(typed)
    await expect(expiry, typed).toHaveValue('01 / 30')
  }
})

test('a customer who comes second is told what is left, and keeps what was typed', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 4(00|09) .*\/api\/purchase/)
  const part = 'Tarn Carbon Gravel Fork, 12 x 100 mm'
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  const all = Number(await (await stock(page)).textContent())
  await fillPurchase(page, all)

  const first = await anotherBrowser()
  await registerByApi(first, 'Otto Quick')
  await placeOrders(first, part, [6])

  await page.getByRole('button', { name: 'Purchase' }).click()
  await expectMessage(page, 'Quantity', `Purchase can't be higher than ${all - 6} available quantity.`)
  await expect(await stock(page)).toHaveText(String(all - 6))
  await expectTyped(page, all)
  await page.getByLabel('Quantity', { exact: true }).fill('6')
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
})

test('a price that changed meanwhile is told before anything is bought', async ({
  page,
  baseURL,
  expectTrouble,
}) => {
  expectTrouble(/status of 409 .*\/api\/purchase/)
  const part = 'Quern Tapered Headset EC34/EC44'
  const admin = await signedIn(baseURL!, demoAdmin)
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part)
  await fillPurchase(page, 30)
  const [, partId = ''] = /\/part\/(.+)$/.exec(page.url()) ?? []
  const { _id, ...before } = await admin.readPart({ params: { partId } })
  const dearer = before.perUnitPrice + 2
  try {
    await admin.updatePart({ params: { partId }, body: { ...before, perUnitPrice: dearer } })
    await page.getByRole('button', { name: 'Purchase' }).click()
    await expect(page.getByText(`The price is now ${dollars(30 * dearer)}.`)).toBeVisible()
    await expect(page.getByText(`Total ${dollars(30 * dearer)}`)).toBeVisible()
    await expectTyped(page, 30)
    await openMyOrders(page)
    await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()

    await openPurchase(page, part)
    await page.getByRole('button', { name: 'Purchase' }).click()
    await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
  } finally {
    await admin.updatePart({ params: { partId }, body: before })
  }
})

test('a part that is taken off the shop meanwhile is told, and what was typed stays', async ({
  page,
  baseURL,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/purchase/)
  const admin = await signedIn(baseURL!, demoAdmin)
  const [sample] = (await admin.listParts({ body: { limit: 1 } })).rows
  const { _id, ...rest } = sample!
  const part = { ...rest, name: `Short-lived Chainring ${crypto.randomUUID()}` }
  const { insertedId } = await admin.addPart({ body: part })
  await registerByApi(page, 'Ida Renn')
  await openPurchase(page, part.name)
  await fillPurchase(page, part.minQuantity)
  await admin.deleteProduct({ params: { id: insertedId } })
  await page.getByRole('button', { name: 'Purchase' }).click()
  await expect(page.getByText('That part is no longer sold.')).toBeVisible()
  await expectTyped(page, part.minQuantity)
})

test('a double click on Pay pays once', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openPayment(page, 'Latch Trail Clipless Pedals, Pair', 16)
  let payments = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) payments++
  })
  await fillCard(page, cards.good)
  await page.getByRole('button', { name: 'Pay $1,088' }).dblclick()
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  expect(payments).toBe(1)
})

test('a payment of which the shop did not hear is told again, not made again', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_FAILED .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openPayment(page, 'Bramble 29 x 2.4 Trail Tyre', 24)
  await expect(page.getByRole('button', { name: 'Pay $1,008' })).toBeEnabled()
  await page.route('**/api/purchase/*', (route) => route.abort())
  let payments = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) payments++
  })
  await payWith(page, cards.good)
  await expect(page.getByText('You will not be charged again.')).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  const told = page.waitForRequest('**/api/purchase/*')
  await page.getByRole('button', { name: 'Tell the shop again' }).click()
  await told
  await page.unroute('**/api/purchase/*')
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
  expect(payments).toBe(1)
})

test('a payment while offline says so, keeps the card and is made once later', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(offline)
  await registerByApi(page, 'Ida Renn')
  await openPayment(page, 'Trestle Platform Pedals, Pair', 20)
  await expect(page.getByRole('button', { name: 'Pay $960' })).toBeEnabled()
  await context.setOffline(true)
  await payWith(page, cards.good)
  await expect(page.getByText(/cannot be reached/)).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue(cards.good)

  await context.setOffline(false)
  await page.getByRole('button', { name: 'Pay $960' }).click()
  await expect(page.getByText('Congratulations! Your Payment is completed.')).toBeVisible()
})

test("somebody else's order cannot be seen or paid", async ({ page, anotherBrowser, expectTrouble }) => {
  expectTrouble(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Ida Renn')
  await openPayment(page, 'Quern BSA Bottom Bracket, 24 mm', 48)
  await expect(page.getByRole('heading', { name: 'Hello, Ida Renn' })).toBeVisible()

  const stranger = await anotherBrowser()
  await registerByApi(stranger, 'Otto Stranger')
  await stranger.goto(page.url())
  await expect(stranger.getByText('There is no such order.')).toBeVisible()
  await expect(stranger.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
})

async function expectTyped(page: Page, quantity: number) {
  await expect(page.getByLabel('Address')).toHaveValue('4 Canal Street, Bremen')
  await expect(page.getByLabel('Phone Number')).toHaveValue('01709876543')
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue(String(quantity))
}
