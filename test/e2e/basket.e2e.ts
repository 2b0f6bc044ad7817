import type { Page } from '@playwright/test'
import { pickTerms } from '#shop/basket/items.ts'
import { createSignedInClient } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { apiClientOf, holdCalls, placeOrders } from './orders.ts'
import {
  demoAdmin,
  expect,
  fillRegistration,
  navigate,
  newAccount,
  partNamed,
  registerByApi,
  respondWith,
  retryingClosed,
  rowsOf,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const [chain, tyre] = ['Meridian 12-Speed Chain', 'Bramble 29 x 2.4 Trail Tyre']

function quantityOf(page: Page, name: string) {
  return page.getByRole('spinbutton', { name: `Quantity of ${name}` })
}

async function addFromCatalogue(page: Page, name: string) {
  await visit(page, `/parts?${new URLSearchParams({ q: name })}`)
  await partNamed(page, name).getByRole('button', { name: 'Add to basket' }).click()
  await expect(toast(page, `${name}.`)).toBeVisible()
}

/** Opens the basket of a new customer with a part in its minimum quantity. */
async function openBasketWith(page: Page, name: string) {
  await registerByApi(page, 'Ines Weber')
  await addToBasketByApi(page, name)
  await visit(page, '/basket')
}

async function addToBasketByApi(page: Page, name: string) {
  const { addToBasket, listParts } = await apiClientOf(page)
  const { rows } = await listParts({ body: { q: name, limit: 1 } })
  const { _id: partId, minQuantity: quantity, ...part } = rows[0]!
  await addToBasket({
    body: { items: [{ partId, quantity, seen: pickTerms({ minQuantity: quantity, ...part }) }] },
  })
}

test('a visitor’s basket survives reloading, joins the account that registers, and is ordered as one order', async ({
  page,
}) => {
  await addFromCatalogue(page, chain)
  await navigate(page, `/parts?${new URLSearchParams({ q: tyre })}`)
  await partNamed(page, tyre).getByRole('link', { name: tyre, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(tyre)
  await page.getByLabel('Quantity', { exact: true }).fill('60')
  await page.getByRole('article').getByRole('button', { name: 'Add to basket' }).first().click()
  await expect(page.getByRole('link', { name: 'Basket, 2 items' })).toBeVisible()
  const other = await page.context().newPage()
  await visit(other, '/basket')
  await expect(quantityOf(other, chain)).toHaveValue('60')

  await visit(page, '/basket')
  await quantityOf(page, chain).fill('61')
  await expect(page.getByText('Order in multiples of 6: 60 or 66.')).toBeVisible()
  await expectAccessible(page, 'a basket with a wrong quantity')
  await page.getByRole('button', { name: 'Order 66' }).press('Enter')
  await expect(quantityOf(page, chain)).toBeFocused()
  await expect(quantityOf(other, chain)).toHaveValue('66')
  await other.getByRole('button', { name: `Remove ${tyre}` }).click()
  const undo = toast(other, tyre).getByRole('button', { name: 'Undo' })
  // It stays while it is pointed at.
  await undo.hover()
  await expect(quantityOf(page, tyre)).toHaveCount(0)
  await undo.click()
  await expect(quantityOf(page, tyre)).toHaveValue('60')
  await other.close()

  await page.getByRole('link', { name: 'Login to order' }).click()
  await page.getByRole('link', { name: 'Register' }).click()
  await fillRegistration(page, newAccount('Ines Weber'))
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('link', { name: 'Continue with your basket' }).click()
  await expect(quantityOf(page, chain)).toHaveValue('66')
  expect(await page.evaluate(() => localStorage.getItem('basket'))).toBeNull()
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  const sent: string[] = []
  page.on('request', (request) => {
    const call = `${request.method()} ${new URL(request.url()).pathname}`
    if (/^(PUT|POST) \/api\/(basket|orders)$/.test(call)) sent.push(call)
  })
  await quantityOf(page, chain).fill('72')
  await page.getByRole('button', { name: 'Place order' }).dblclick()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
  await expect(page.getByText(`72 × ${chain}`)).toBeVisible()
  expect(sent).toEqual(['PUT /api/basket', 'POST /api/orders'])
  await expect(page.getByText(`60 × ${tyre}`)).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Your basket is empty.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Basket, 0 items' })).toBeVisible()
  const { readBasket } = await apiClientOf(page)
  expect(await readBasket()).toEqual({ items: [] })
})

test('a quantity that is not saved yet can be changed back, does not put a removed item back, and stays out of the basket of a visitor', async ({
  page,
  allowConsoleErrors,
}) => {
  // A quantity that is saved while the customer logs out.
  allowConsoleErrors(/status of 401 .*\/api\/basket/)
  await openBasketWith(page, chain)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' || !request.url().includes('/api/basket')) return
    const quantity = request.postDataJSON()?.items[0].quantity ?? ''
    sent.push(`${request.method()} ${quantity}`.trim())
  })
  const more = page.getByRole('button', { name: 'Increase quantity' })

  const held = await holdCalls(page, 'PUT', '**/api/basket')
  await more.click()
  await expect.poll(() => sent).toEqual(['PUT 66'])
  await page.getByRole('button', { name: 'Decrease quantity' }).click()
  await quantityOf(page, chain).focus()
  await quantityOf(page, chain).blur()
  held.letGo()
  await expect.poll(() => sent).toEqual(['PUT 66', 'PUT 60'])

  await more.click()
  await page.getByRole('button', { name: `Remove ${chain}` }).click()
  await toast(page, `${chain}.`).getByRole('button', { name: 'Undo' }).click()
  await expect(quantityOf(page, chain)).toHaveValue('66')
  expect(sent.slice(2)).toEqual(['PUT 66', 'DELETE', 'PUT 66'])

  await more.click()
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('basket'))).toBeNull()
})

test('an order whose response was lost is in My Orders, where the empty basket leads, and a basket that another device has changed or ordered is not ordered, but shown', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/^Failed to load resource: net::ERR_FAILED \(\S+\/api\/orders\)$/)
  allowConsoleErrors(/status of 409 .*\/api\/orders/)
  await openBasketWith(page, chain)
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await page.route('**/api/orders', async (route) => {
    await route.fetch(retryingClosed)
    await route.abort()
  })
  const order = page.getByRole('button', { name: 'Place order' })
  await order.click()
  await expect(page.getByRole('alert').first()).toContainText('We can’t reach the shop.')
  await page.reload()
  await expect(page.getByText('so your order may have been placed')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'My Orders' }).click()
  await expect(rowsOf(page, chain)).toBeVisible()

  await page.unrouteAll()
  await addToBasketByApi(page, chain)
  await navigate(page, '/basket')
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await quantityOf(page, chain).fill('66')
  await expect(page.getByRole('link', { name: 'Basket, 1 item' })).toBeVisible()
  const { readBasket, updateBasket, placeOrder } = await apiClientOf(page)
  await expect.poll(async () => (await readBasket()).items[0]!.quantity).toBe(66)
  const { items } = await readBasket()
  await updateBasket({ body: { items: items.map((item) => ({ ...item, quantity: 72 })) } })
  await order.click()
  const message =
    'Your basket has changed, or was ordered, in another tab or on another device. Check it, then order again.'
  await expect(page.getByRole('alert').first()).toHaveText(message)
  await expect(quantityOf(page, chain)).toHaveValue('72')
  await placeOrder({
    body: {
      address: '4 Canal Street, Bremen',
      phoneNumber: '01709876543',
      fromBasket: true,
      lines: items.map(({ partId }) => ({ partId, quantity: 72 })),
    },
  })
  await order.click()
  await expect(page.getByText('Your basket is empty.')).toBeVisible()
  await expect(page.getByText('It was changed or ordered in another tab or on another device.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'My Orders' }).click()
  await expect(rowsOf(page, chain)).toHaveCount(2)
})

test('a price or stock that changes while a part is in the basket is shown, and only the accepted price is ordered', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 40[09] .*\/api\/orders|net::ERR_INTERNET_DISCONNECTED/)
  const { addPart, listParts, updatePart, deleteProduct } = await createSignedInClient(origin, demoAdmin)
  const name = `Changing Chain ${uniqueWord()}`
  const { image } = (await listParts({ body: { limit: 1 } })).rows[0]!
  const form = { name, shortDescription: 'Light', description: 'Runs quietly.', image, minQuantity: 5 }
  const { insertedId: partId } = await addPart({ body: { ...form, availableQuantity: 50, perUnitPrice: 10 } })
  const change = (availableQuantity: number, perUnitPrice: number) =>
    updatePart({
      params: { partId },
      body: { ...form, availableQuantity, availableQuantityBefore: 50, perUnitPrice },
    })

  await registerByApi(page, 'Ines Weber')
  await addFromCatalogue(page, name)
  await page.getByRole('link', { name: 'Basket, 1 item' }).click()
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await change(50, 12)
  const place = page.getByRole('button', { name: 'Place order' })
  await page.getByRole('heading', { name: 'Your order' }).click()
  await expect(place).toBeEnabled()
  await place.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The price is now $60.' })).toBeVisible()
  await expect(page.getByText('The price was $10 each when you added it. It’s now $12.')).toBeVisible()
  await expect(place).toBeDisabled()
  await page.getByRole('button', { name: 'Accept new price' }).click()
  await expect(place).toBeEnabled()
  await change(3, 12)
  await place.click()
  await expect(page.getByText("Purchase can't be higher than 3 available quantity.").first()).toBeVisible()
  await expect(page.getByText('Correct or remove the marked item to order.')).toBeVisible()
  await expect(page.locator('.total')).toHaveText(/Total *–/)
  await expect(page.getByText(/ships by/)).toHaveCount(0)
  await deleteProduct({ params: { id: partId } })
  // The tab is returned to without a connection, and then gets one.
  await page.context().setOffline(true)
  const failed = page.waitForEvent('requestfailed')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await failed
  await page.context().setOffline(false)
  await expect(page.getByText('This part is no longer for sale.')).toBeVisible()
})

test('12 lines pasted from a spreadsheet, 3 of them wrong, are corrected in place and go to the basket at once', async ({
  page,
}) => {
  const { rows } = await (async () => {
    const response = await page.request.get('/api/part?limit=100')
    return {
      rows: (await response.json()) as {
        name: string
        partNumber: string
        minQuantity: number
        multiple: number
        availableQuantity: number
      }[],
    }
  })()
  const parts = rows.filter(
    (part) => part.availableQuantity >= 2 * part.minQuantity && part.minQuantity % part.multiple === 0,
  )
  const [first, second, third, ...others] = parts.slice(0, 12)
  const lines = [
    'Part number\tQuantity',
    `${first!.partNumber.slice(0, -1)}X\t${first!.minQuantity}`,
    `${second!.partNumber}\t${second!.minQuantity - 1}`,
    `${third!.name}\t${third!.availableQuantity + 1}`,
    ...others.map(({ partNumber, minQuantity }) => `${partNumber.toLowerCase()}\t${minQuantity}`),
  ]
  const unhydrated = await (await page.request.get('/quick-order')).text()
  expect(unhydrated, 'what is typed would be lost').toMatch(/<textarea[^>]* readonly/i)
  await visit(page, '/quick-order')
  await page.getByLabel('Parts and quantities').fill(lines.join('\r\n'))
  await page.reload()
  await page.getByRole('button', { name: 'Check lines' }).click()
  await expect(page.getByRole('heading', { name: '9 of 12 lines ready' })).toBeFocused()
  await expectAccessible(page, 'a list with wrong lines')
  await page.getByLabel('Show only the 3 to correct').check()
  const corrected = page.getByLabel(`Quantity of ${second!.name}`)
  await corrected.fill(String(second!.minQuantity))
  await expect(corrected, 'while it may still be typed').toBeFocused()
  await corrected.fill(String(second!.minQuantity - 1))
  await page.getByLabel('Show only the 3 to correct').uncheck()
  const list = page.getByLabel('Parts and quantities')
  const typed = 'typed after the check\t5'
  await list.fill(`${await list.inputValue()}\n${typed}`)
  await page.getByRole('button', { name: 'Add 9 items to basket' }).click()
  // Checked again, the added lines would be added twice.
  await expect(list).toHaveValue([lines[1], lines[2], lines[3], typed].join('\n'))
  await list.fill([lines[1], lines[2], lines[3]].join('\n'))
  await page.getByRole('button', { name: 'Check lines' }).click()
  await expect(page.getByRole('heading', { name: '0 of 3 lines ready' })).toBeFocused()
  await page.getByLabel('Part number or name').fill(first!.name)
  await page.getByLabel('Part number or name').press('Enter')
  await expect(page.getByLabel(`Quantity of ${first!.name}`)).toBeFocused()
  const correct = (name: string) =>
    page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: /^Order / })
      .first()
      .click()
  await correct(second!.name)
  await correct(third!.name)
  await page.getByRole('button', { name: 'Add 3 items to basket' }).click()
  await expect(page.getByRole('heading', { name: 'Basket' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Basket, 12 items' })).toBeVisible()
  await expect(page.getByRole('spinbutton')).toHaveCount(12)
})

test('an order is ordered again after its price has changed, saved as a list, and the list goes back into the basket by one click', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  const { addPart, listProducts, updatePart, deleteProduct } = await createSignedInClient(origin, demoAdmin)
  const [sample] = (await listProducts({ body: { limit: 1 } })).rows
  const { _id, partNumber, ...rest } = sample!
  const name = `Repeated Hub ${uniqueWord()}`
  const form = { ...rest, name, minQuantity: 4, availableQuantity: 50, perUnitPrice: 32 }
  const { insertedId: partId } = await addPart({ body: form })
  await registerByApi(page, 'Ida Renn')
  const [order] = await placeOrders(page, name, [6])
  const change = { ...form, availableQuantity: 44, availableQuantityBefore: 44, perUnitPrice: 35 }
  await updatePart({ params: { partId }, body: change })

  await page.goto(`/dashboard/orders/${order!._id}`)
  await page.getByRole('link', { name: 'Order again' }).click()
  await expect(page.getByText('The price of 1 item has changed since you ordered it.')).toBeVisible()
  await expect(page.getByText('The price was $32 each. It’s now $35.')).toBeVisible()
  await expect(page.getByText('$35 each', { exact: true })).toBeVisible()
  await expect(page.getByLabel(`Quantity of ${name}`)).toHaveValue('6')
  await page.getByRole('button', { name: 'Add 1 item to basket' }).click()
  await expect(quantityOf(page, name)).toHaveValue('6')
  await expect(page.getByText('when you added it')).toHaveCount(0)
  await page.setViewportSize({ width: 360, height: 740 })
  const badge = (await page.getByRole('link', { name: 'Basket, 1 item' }).locator('span').boundingBox())!
  const logOut = (await page.getByRole('button', { name: 'Log Out' }).boundingBox())!
  expect(badge.x + badge.width, 'a gap before Log Out').toBeLessThanOrEqual(logOut.x - 4)
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('button', { name: 'Save as list' }).click()
  await page.getByLabel('Name of the list').fill('Winter stock')
  await page.getByRole('button', { name: 'Save list' }).click()
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await expect(page.getByText('Your basket is empty.')).toBeVisible()
  // What the browser stores may be unusable, and the server may refuse to join it.
  const seen = { perUnitPrice: 35, minQuantity: 4, multiple: 1, priceBreaks: [] }
  allowConsoleErrors(/status of 409 .*\/api\/basket/)
  const refuse = respondWith(409, 'Your basket is full.')
  await page.route('**/api/basket', (route) =>
    route.request().method() === 'PUT' ? refuse(route) : route.continue(),
  )
  await page.evaluate(
    (items) => localStorage.setItem('basket', JSON.stringify({ items })),
    [{ partId: 7 }, { partId, name, quantity: 9, seen }],
  )
  await page.reload()
  await expect(page.getByText('Your basket is empty.')).toBeVisible()
  await page.unroute('**/api/basket')
  await page.evaluate(() => localStorage.removeItem('basket'))
  await page.getByRole('link', { name: 'Saved lists', exact: true }).click()
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(quantityOf(page, name)).toHaveValue('6')
  await deleteProduct({ params: { id: partId } })
})
