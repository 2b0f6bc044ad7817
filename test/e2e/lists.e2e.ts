import type { Locator, Page } from '@playwright/test'
import {
  apiClientOf,
  cancelOrders,
  holdCalls,
  placeOrders,
  placePaidOrder,
  registerApiCustomer,
} from './orders.ts'
import { demoAdmin, expect, navigate, rowsOf, signInByApi, test, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const pads = 'Cinder Semi-Metallic Disc Pads, Pair'
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

test('an admin can search all orders by name, email, product and ID and filter them by status, and filters and sorting are kept in the URL, survive a reload and are undone by Back', async ({
  page,
  origin,
}) => {
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const { email } = customer
  const pending = await placePaidOrder(customer, tube, 100)
  const orders = await placeOrders(customer, pads, [120, 122, 121])

  await openAllOrders(page)
  for (const [query, count] of [
    [name, 4],
    [email, 4],
    // No unique word has this in it; “of” is in “gofi”.
    [`${tube} without Greta`, 0],
    [orders[0]!._id, 1],
    [pending.transactionId!, 1],
    [name, 4],
  ] as const) {
    await search(page).fill(query)
    await expectCount(page, count)
  }
  await expect(tabs(page)).toHaveText([
    'All 4',
    'Pending 1',
    'Awaiting payment 3',
    'Shipped 0',
    'Refunded 0',
    'Disputed 0',
    'Expired 0',
  ])
  await openTab(page, 'Awaiting payment 3')
  await expectCount(page, 3)
  await expect(page.getByRole('cell', { name: 'Awaiting payment' })).toHaveCount(3)
  await openTab(page, 'Pending 1')
  await expectCount(page, 1)
  await page.getByRole('button', { name: 'Pending' }).click()
  await openTab(page, 'Shipped 1')
  await expectCount(page, 1)
  await expect(page.getByRole('button', { name: 'Shipped' })).toBeVisible()
  await openTab(page, 'Pending 0')
  await expect(page.getByText('No orders match.'), 'it is not pending any more').toBeVisible()
  await page.getByRole('link', { name: 'Show all orders' }).click()
  await expect(page).toHaveURL('/dashboard/manageAllOrders')
  await expect(search(page)).toHaveValue('')
  await expect(currentTab(page)).toHaveText(/^All /)
  await expect(rowsOf(page, name)).toHaveCount(4)

  await searchOrders(page, name)
  await expectQuantities(page, [121, 122, 120, 100])
  await openTab(page, 'Awaiting payment 3')
  await expect(page).toHaveURL(/status=unpaid/)
  const head = page.getByRole('columnheader', { name: 'Price' })
  await expect(head).toHaveAttribute('aria-sort', 'none')
  await head.getByRole('link').click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expectQuantities(page, [120, 121, 122])
  await head.getByRole('link').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expectQuantities(page, [122, 121, 120])
  await expect(page.locator('[aria-sort=ascending], [aria-sort=descending]')).toHaveCount(1)

  await page.reload()
  await expectQuantities(page, [122, 121, 120])
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(search(page)).toHaveValue(name)
  await expect(currentTab(page)).toHaveText('Awaiting payment 3')

  await page.goBack()
  await expectQuantities(page, [120, 121, 122])
  await page.goBack()
  await expectQuantities(page, [121, 122, 120])
  await expect(currentTab(page)).toHaveText('Awaiting payment 3')
  await page.goBack()
  await expect(currentTab(page)).toHaveText('All 4')
  await expect(search(page)).toHaveValue(name)
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/manageAllOrders')
  await expect(search(page)).toHaveValue('')
  await page.goForward()
  await expect(search(page)).toHaveValue(name)
  await expectCount(page, 4)

  await search(page).fill(pads)
  await expect(rowsOf(page, name)).toHaveCount(3)

  // Choices made while the list is loading add up.
  const held = await holdCalls(page, 'GET', '**/api/orders?**')
  await tabs(page).filter({ hasText: 'Awaiting payment' }).click()
  await expect(head.getByRole('link')).toHaveAttribute('href', /status=unpaid/)
  await search(page).fill(name)
  await expect(head.getByRole('link')).toHaveAttribute('href', /q=Greta/)
  await head.getByRole('link').click()
  held.letGo()
  await expectQuantities(page, [120, 121, 122])
  await expect(currentTab(page)).toHaveText('Awaiting payment 3')
  await expect(search(page)).toHaveValue(name)
  await cancelOrders(customer, orders)
})

test('a paginated list stays on its page after a deletion, clamps a page number that is too high and ignores unknown parameters', async ({
  page,
  origin,
}) => {
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const quantities = Array.from({ length: 12 }, (_, i) => 100 + i)
  const orders = await placeOrders(customer, tube, quantities)

  await openAllOrders(page)
  await searchOrders(page, name)
  await expectCount(page, 12)
  await page.getByLabel('Orders per page').selectOption('10')
  await expectQuantities(page, quantities.toReversed().slice(0, 10))
  await page.getByRole('link', { name: 'Next' }).click()
  await expectQuantities(page, [101, 100])
  await expect(page.getByText('Page 2 of 2')).toBeVisible()

  const url = new URL(page.url())
  await removeFirst(page)
  await expectQuantities(page, [100])
  await expect(page.getByRole('row').nth(1), 'where the keyboard goes on').toBeFocused()
  expect(new URL(page.url()).search).toBe(url.search)
  await removeFirst(page)
  await expectQuantities(page, quantities.toReversed().slice(0, 10))
  await expect(page).not.toHaveURL(/page=/)

  url.searchParams.set('page', '99')
  await navigate(page, url.pathname + url.search)
  await expectCount(page, 10)
  await expect(page).not.toHaveURL(/page=/)
  await cancelOrders(customer, orders.slice(2))

  for (const parameter of [
    'status=lost',
    'sort=colour',
    'page=0',
    'limit=1',
    'constructor=1',
    '__proto__=1',
  ]) {
    await navigate(page, `/dashboard/manageAllOrders?${parameter}`)
    await expect(page.getByRole('heading', { name: 'Manages All Orders' }), parameter).toBeVisible()
  }
})

test('a contact message from the home page reaches the admins, is counted, and can be searched and marked as answered', async ({
  page,
}) => {
  const word = `rattle${uniqueWord()}`
  const text = `My hub has a ${word}.\nCan you help?`
  await visit(page, '/')
  await page.getByLabel('Your Name').fill('Wanda Voss')
  await page.getByLabel('Your Email').fill('wanda@example.com')
  await page.getByLabel('Your Phone').fill('+48 58 555 01 02')
  await page.getByLabel('Your Message').fill(text)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(toast(page, 'Message sent. We’ll reply by email.')).toBeVisible()

  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard')
  const { newMessages } = await (await apiClientOf(page)).readWorklist()
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(menu).toContainText(`Messages${newMessages} new`)
  await page.getByRole('link', { name: `${newMessages} new message` }).click()
  await expect(page).toHaveURL(/\/dashboard\/messages\/[\w-]+\?status=new$/)
  await page.getByLabel('Search messages').fill('rattle')
  const row = page.getByRole('row').filter({ hasText: word })
  await page.getByLabel('Search messages').fill(`hub ${word.slice(0, 30)}`)
  await expect(page.getByRole('status')).toHaveText('1 message')
  await expect(row.getByText(text)).toBeVisible()
  await row.getByRole('link', { name: 'Wanda Voss' }).click()
  const conversation = page.getByRole('article')
  await expect(conversation.getByRole('link', { name: 'wanda@example.com' })).toHaveAttribute(
    'href',
    'mailto:wanda@example.com',
  )
  await expect(conversation.getByRole('link', { name: '+48 58 555 01 02' })).toHaveAttribute(
    'href',
    'tel:+48585550102',
  )
  await expect(conversation.getByRole('link', { name: 'View orders' })).toHaveAttribute(
    'href',
    '/dashboard/manageAllOrders?q=wanda%40example.com',
  )
  await conversation.getByRole('button', { name: 'Mark as answered' }).click()
  await expect(conversation.getByText('Answered', { exact: true })).toBeVisible()
  await expect(menu).not.toContainText(`Messages${newMessages} new`)
  await page.getByLabel('Status').selectOption('Answered')
  await expect(page).toHaveURL(/status=answered/)
  await expect(row).toContainText('Answered')
  await conversation.getByRole('button', { name: 'Mark as new' }).click()
  await expect(menu).toContainText(`Messages${newMessages} new`)
  await page.getByLabel('Search messages').fill(`bottom ${word}`)
  await expect(page.getByText('No messages match.')).toBeVisible()
})

test('on a phone a table is a list of labelled blocks with a sort selector, and the menu opens by keyboard and touch and closes on Escape, an outside tap and navigation', async ({
  anotherBrowser,
  origin,
}) => {
  const name = `Maximiliane${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const { email } = customer
  const orders = await placeOrders(customer, tube, [101, 103, 102])
  const body = { name, email, phone: '+48 58 555 01 02', message: `See ${name.repeat(9)}` }
  await (await apiClientOf(customer)).sendMessage({ body })

  const page = await anotherBrowser(phone)
  await openAllOrders(page)
  await searchOrders(page, name)
  await expectCount(page, 3)
  await page.getByLabel('Sort by').selectOption('Order total: high to low')
  await expectQuantities(page, [103, 102, 101])
  await expect(page).toHaveURL(/sort=-price/)
  const [first, second] = (await cells(page, 'Quantity').all()) as [Locator, Locator]
  expect((await second.boundingBox())!.y - (await first.boundingBox())!.y).toBeGreaterThan(100)
  await navigate(page, `/dashboard/?q=${email}`)
  const user = cells(page, 'User')
  await expect(user).toHaveCount(1)
  const [name1, email1] = await Promise.all(
    [name, email].map(async (text) => (await user.getByText(text, { exact: true }).boundingBox())!.y),
  )
  expect(email1, 'of a user, the address below the name').toBeGreaterThan(name1!)
  await navigate(page, '/dashboard/manageProducts?q=chain')
  const minimum = cells(page, 'Minimum Quantity').first()
  await expect(minimum).toBeVisible()
  expect(await minimum.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"Minimum "')

  for (const [path, text] of [
    [`?q=${email}`, email],
    [`orders/${orders[0]!._id}`, email],
    [`messages?q=${name}`, name],
    [`manageAllOrders?q=${name}`, name],
  ] as const) {
    await navigate(page, `/dashboard/${path}`)
    await expect(page.getByRole('main').getByText(text, { exact: true }).first()).toBeVisible()
    for (const width of [360, 800, 1100]) {
      await page.setViewportSize({ width, height: 740 })
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(scrollWidth, `${path} on ${width}`).toBeLessThanOrEqual(width)
    }
    await page.setViewportSize(phone.viewport)
  }
  await cancelOrders(customer, orders)

  // Beside it stands how many messages are new.
  const button = page.getByRole('button', { name: /^Menu/ })
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await button.press('Enter')
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(button).toBeFocused()

  await button.tap()
  await expect(drawer).toBeVisible()
  await page.touchscreen.tap(350, 400)
  await expect(drawer).toBeHidden()
  await button.tap()
  await drawer.getByRole('button', { name: 'Close menu' }).tap()
  await expect(drawer).toBeHidden()
  await expect(button).toBeFocused()

  await button.tap()
  await drawer.getByRole('link', { name: 'Messages' }).tap()
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()

  await button.tap()
  await page.setViewportSize({ width: 1200, height: 740 })
  await drawer.getByRole('button', { name: 'Close menu' }).click()
  await page.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
})

async function openAllOrders(page: Page) {
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/manageAllOrders')
  await expect(page.getByRole('heading', { name: 'Manages All Orders' })).toBeVisible()
}

function tabs(page: Page) {
  return page.getByRole('navigation', { name: 'Status' }).getByRole('link')
}

function currentTab(page: Page) {
  return tabs(page).and(page.locator('[aria-current=page]'))
}

async function openTab(page: Page, name: string) {
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name, exact: true }).click()
  await expect(currentTab(page)).toHaveText(name)
}

function search(page: Page) {
  return page.getByLabel('Search orders')
}

/** Waits for the results, even if they are all orders. */
async function searchOrders(page: Page, query: string) {
  await search(page).fill(query)
  await expect(page).toHaveURL(/[?]q=/)
}

function expectCount(page: Page, count: number) {
  return expect(page.getByRole('status')).toHaveText(`${count} ${count === 1 ? 'order' : 'orders'}`)
}

function cells(page: Page, column: string) {
  return page.locator(`td[data-label="${column}"]`)
}

function expectQuantities(page: Page, quantities: number[]) {
  return expect(cells(page, 'Quantity')).toHaveText(quantities.map(String))
}

async function removeFirst(page: Page) {
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'Deleted your purchase!').first()).toBeVisible()
}
