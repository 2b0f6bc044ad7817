import type { Locator, Page } from '@playwright/test'
import type { ApiError } from '#api/client.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import {
  type ApiCustomer,
  apiClientOf,
  cancelOrders,
  holdCalls,
  placeOrders,
  placePaidOrder,
  registerApiCustomer,
} from './orders.ts'
import {
  closeToasts,
  definitionOf,
  demoAdmin,
  expect,
  expectMessage,
  navigate,
  openMyOrders,
  respondWith,
  retryingClosed,
  signInByApi,
  stock,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'
const refunds = '**/api/purchase/*/refunds'

test('an admin makes a partial and then a full refund with restocking, and the customer is notified of the reason', async ({
  page,
  origin,
}) => {
  const customer = await registerApiCustomer(origin, 'Greta Lund')
  const [part] = (await (await apiClientOf(customer)).listParts({ body: { q: hub } })).rows
  const order = await placePaidOrder(customer, hub, 12)
  await openAsAdmin(page, order)
  await openRefund(page)
  await expect(page.getByLabel('Amount')).toHaveValue('1416')
  await fillRefund(page, '300', 'Two hubs were scratched')
  await expect(dialog(page)).toContainText('Refund $300 to Greta Lund?')
  await expect(dialog(page)).not.toContainText('to stock.')
  const reload = await holdCalls(page, 'GET', '**/api/**')
  await confirmRefund(page, '$300')
  await expect(toast(page, 'Refunded $300')).toBeVisible()
  await openRefund(page)
  await expect(page.getByLabel('Reason'), 'not the confirmation of the last one').toHaveValue('')
  reload.letGo()
  await expect(page.getByLabel('Amount'), 'what is left').toHaveValue('1116')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  const article = page.getByRole('article')
  await expect(article.getByText('Refunded $300 of $1,416', { exact: true })).toBeVisible()
  await expect(await definitionOf(article, 'Refunded')).toHaveText('$300')
  await expect(article.getByRole('button', { name: 'Pending' })).toBeVisible()
  await expect(steps(page).last()).toContainText('Refunded $300')
  await expect(steps(page).last()).toContainText('by Demo Admin')
  await expect(steps(page).last()).toContainText('Two hubs were scratched')

  await openRefund(page)
  await expect(page.getByLabel('Amount')).toHaveValue('1116')
  await expect(page.getByLabel('Reason')).toHaveValue('')
  await page.getByRole('button', { name: 'Return all 12' }).click()
  await expect(page.getByLabel('Return to stock')).toHaveValue('12')
  await fillRefund(page, '1116', 'The others are not needed')
  await expect(dialog(page)).toContainText('Refund $1,116 to Greta Lund? 12 parts will return to stock.')
  await confirmRefund(page, '$1,116')
  await expect(article.getByText('Refunded', { exact: true }).first()).toBeVisible()
  await expect(article.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()

  await signInByApi(page, customer)
  await visit(page, `/dashboard/orders/${order._id}`)
  await expect(steps(page)).toHaveText([
    /^Ordered.* by Greta Lund$/,
    /^Paid \$1,416.* by Greta Lund$/,
    /^Refunded \$300.* by Winged WheelsTwo hubs were scratched/,
    /^Refunded \$1,116.* by Winged WheelsThe others are not needed/,
  ])
  await expect(await definitionOf(article, 'Refunded')).toHaveText('$1,416')
  await expect(page.getByRole('term').filter({ hasText: 'Shipped' })).toHaveCount(0)
  await navigate(page, `/part/${part!._id}`)
  await expect(await stock(page)).toHaveText(String(part!.availableQuantity))

  await navigate(page, `/outbox?${new URLSearchParams({ q: customer.email })}`)
  const emails = page.getByRole('article').filter({ has: page.getByRole('heading', { name: /^Refund of/ }) })
  await expect(emails).toHaveCount(2)
  await expect(emails.first()).toContainText(/Refund of \$1,116 for order #\d+: 12 × /)
  await expect(emails.first()).toContainText('Reason: The others are not needed')
  await expect(emails.last()).toContainText('We refunded $300 of the $1,416')
})

test('a refunded order is marked in both lists and offers neither Pay nor Delete, and its timeline lists every event with its time', async ({
  page,
  origin,
}) => {
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const full = await placePaidOrder(customer, hub, 12)
  const partial = await placePaidOrder(customer, hub, 13)
  const untouched = await placePaidOrder(customer, hub, 14)
  const eventful = await placePaidOrder(customer, hub, 15)
  await signInByApi(page, demoAdmin)
  await refund(page, full, full.price)
  await refund(page, partial, 118)
  const { shipPurchase } = await apiClientOf(page)
  for (const shipping of [true, false, true]) {
    await shipPurchase({ params: { id: eventful._id }, body: { shipping } })
  }
  await refund(page, eventful, 118, 'One was missing')

  await visit(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name })}`)
  await expect(rowOf(page, '12')).toContainText('Refunded')
  await expect(rowOf(page, '12')).not.toContainText('Refunded $')
  await expect(rowOf(page, '12').getByRole('button')).toHaveCount(0)
  await expect(rowOf(page, '13')).toContainText('Refunded $118 of $1,534')
  await expect(rowOf(page, '13').getByRole('button')).toHaveText(['Pending'])
  await expect(rowOf(page, '14')).not.toContainText('Refunded')
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Refunded 3' }).click()
  await expect(page.getByRole('status')).toHaveText('3 orders')
  await expect(rowOf(page, '14')).toHaveCount(0)

  await navigate(page, `/dashboard/orders/${eventful._id}`)
  const expected = [
    `Ordered.* by ${name}$`,
    `Paid \\$1,770.* by ${name}`,
    'Shipped.* by Demo Admin$',
    'Marked as not shipped.* by Demo Admin$',
    'Shipped.* by Demo Admin$',
    'Refunded \\$118.* by Demo AdminOne was missing',
  ].map((step) => new RegExp(`^${step}`))
  await expect(steps(page)).toHaveText(expected)
  await expect(steps(page).getByRole('time')).toHaveText(expected.map(() => / \d{4}, \d\d:\d\d$/))

  await signInByApi(page, customer)
  await openMyOrders(page)
  for (const [quantity, text] of [
    ['12', 'Refunded'],
    ['13', 'Refunded $118 of $1,534'],
  ] as const) {
    const row = rowOf(page, quantity)
    await expect(row.getByText(text, { exact: true })).toBeVisible()
    await expect(row.getByText('Paid', { exact: true })).toBeVisible()
    await expect(row.getByRole('button')).toHaveCount(0)
    await expect(row.getByRole('link', { name: /^Pay\b/ })).toHaveCount(0)
  }
  const headOf = ({ number }: Purchase) => page.getByRole('rowheader').filter({ hasText: `Order #${number}` })
  await expect(headOf(full)).not.toContainText('Not shipped yet')
  await expect(headOf(partial)).toContainText('Not shipped yet')
  await page.getByLabel('Status').selectOption('Refunded')
  await expect(page.getByRole('status')).toHaveText('3 orders')
  await page.getByLabel('Status').selectOption('Not shipped yet')
  await expect(rowOf(page, '12')).toHaveCount(0)
  await expect(page.getByRole('status')).toHaveText('2 orders')

  await page.getByRole('link', { name: `Papers of order #${untouched.number}` }).click()
  await page.getByRole('link', { name: /^Invoice INV-/ }).click()
  await expect(page).toHaveURL(`/dashboard/orders/${untouched._id}/receipt`)
  await navigate(page, `/dashboard/orders/${eventful._id}`)
  await expect(steps(page).last()).toContainText('One was missing')
  await expect(page.getByText('Demo Admin')).toHaveCount(0)
})

test('the refund form shows an error for each invalid value and keeps the input, and its dialog, order page and timeline do not overflow at 360, 768 and 1280 pixels', async ({
  page,
  origin,
}) => {
  const name = `Maximiliane${uniqueWord()}`
  await openPaid(page, origin, name)
  await openRefund(page)
  const valid = { Amount: '300', Reason: 'Two hubs were scratched', 'Return to stock': '2' }
  for (const [label, value] of Object.entries(valid)) await page.getByLabel(label).fill(value)
  for (const [label, input, message] of [
    ['Amount', '', 'Amount is required'],
    ['Amount', '0', 'Amount must be more than $0'],
    ['Amount', '-5', 'Amount must be more than $0'],
    ['Amount', '1.505', 'Enter an amount in dollars, such as 12.50'],
    ['Amount', '1416.01', 'Amount must be at most $1,416'],
    ['Return to stock', '', 'Enter how many parts to return to stock, or 0'],
    ['Return to stock', '-1', 'Enter 0 or more'],
    ['Return to stock', '13', 'You can return at most 12 to stock'],
    ['Reason', ' ', 'Reason is required'],
    ['Reason', 'x'.repeat(301), 'At most 300 characters'],
  ] as const) {
    await page.getByLabel(label).fill(input)
    await dialog(page).getByRole('button', { name: 'Refund' }).click()
    await expectMessage(page, label, message)
    await expect(page.getByLabel(label)).toHaveValue(input)
    await expect(page.getByLabel(label)).toBeFocused()
    await expect(dialog(page), 'the question').not.toContainText(`to ${name}?`)
    await page.getByLabel(label).fill(valid[label])
  }
  await expect(page.getByLabel('Amount')).toHaveValue('300')

  const longReason = 'scratched'.repeat(30)
  await fillRefund(page, '300', longReason)
  await dialog(page).getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByLabel('Amount')).toBeFocused()
  await page.getByLabel('Amount').fill('200.50')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await confirmRefund(page, '$200.50')
  await expect(steps(page).last()).toContainText('Refunded $200.50')
  await expect(steps(page)).toHaveCount(3)

  await openRefund(page)
  await fillRefund(page, '100', longReason)
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    for (const [part, element] of [
      ['page', page.locator('html')],
      ['dialog', dialog(page).locator('form')],
    ] as const) {
      const overflow = await element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect.soft(overflow, `${part} on ${width}`).toBeLessThanOrEqual(0)
    }
  }
})

test('a refund can be made by keyboard alone, a second click pays nothing, a double click on its confirmation makes one refund, and two admins at once never exceed the amount paid', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 4(00|09) .*\/refunds/)
  const { customer } = await openPaid(page, origin)
  const button = page.getByRole('button', { name: 'Refund', exact: true })
  await page.getByRole('article').getByRole('button', { name: 'Pending' }).focus()
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Amount')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(button).toBeFocused()

  await page.keyboard.press('Enter')
  await expect.poll(() => selectedText(page.getByLabel('Amount')), 'what typing replaces').toBe('1416')
  await page.keyboard.type('300')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Two hubs were scratched')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Return to stock')).toHaveValue('12')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(dialog(page).getByRole('button', { name: 'Refund $300' })).toBeFocused()
  await expect(dialog(page).getByRole('button', { name: 'Refund $300' })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(steps(page).last()).toContainText('Refunded $300')
  await expect(button).toBeFocused()

  const { _id: id, price } = await openAnotherPaid(page, customer)
  await openRefund(page)
  await fillRefund(page, '1416', 'All hubs were scratched')
  const { refundPurchase, readPurchase } = await apiClientOf(page)
  const refundAsAnother = (amount: number) =>
    refundPurchase({ params: { id }, body: { amount, reason: 'At once', returned: 0 } })
  await refundAsAnother(1000)
  await confirmRefund(page, '$1,416')
  await expectMessage(page, 'Amount', 'Amount must be at most $416')
  await expect(page.getByLabel('Amount')).toHaveValue('1416')
  const attempts = await Promise.allSettled([300, 301, 302].map(refundAsAnother))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { refunded } = await readPurchase({ params: { id } })
  await refundAsAnother(price - refunded)
  await page.getByLabel('Amount').fill('5')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await confirmRefund(page, '$5')
  await expect(dialog(page).getByRole('alert')).toHaveText('This item is already fully refunded.')
  await expect(page.getByLabel('Reason')).toHaveValue('All hubs were scratched')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()

  await openAnotherPaid(page, customer)
  const held = await holdCalls(page, 'POST', refunds)
  await openRefund(page)
  // Half a second does not pass until the test lets it.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const before = (await dialog(page).getByRole('button', { name: 'Refund' }).boundingBox())!
  await fillRefund(page, '300', 'Two hubs were scratched')
  const confirm = dialog(page).getByRole('button', { name: 'Refund $300' })
  const after = (await confirm.boundingBox())!
  expect(after.y, 'below the first button').toBeGreaterThanOrEqual(before.y + before.height)
  await confirm.press('Enter')
  await confirm.click({ force: true })
  expect(held.made).toBe(0)
  await page.clock.runFor(500)
  await confirm.dblclick()
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await confirm.press('Enter')
  held.letGo()
  await expect(toast(page, 'Refunded $300')).toBeVisible()
  await expect(steps(page)).toHaveText([/^Ordered/, /^Paid/, /^Refunded \$300/])
  expect(held.made).toBe(1)
})

/** Places a paid order as a new customer and opens it as an admin. */
async function openPaid(page: Page, origin: string, name = 'Greta Lund') {
  const customer = await registerApiCustomer(origin, name)
  const order = await placePaidOrder(customer, hub, 12)
  await openAsAdmin(page, order)
  return { customer, order }
}

/** Places another paid order and opens it within the open page. */
async function openAnotherPaid(page: Page, customer: ApiCustomer) {
  const order = await placePaidOrder(customer, hub, 12)
  await closeToasts(page)
  await navigate(page, `/dashboard/orders/${order._id}`)
  await expect(steps(page)).toHaveText([/^Ordered/, /^Paid/])
  return order
}

/** Refunds $300 and loses the response. */
async function refundWithLostResponse(page: Page) {
  await page.route(
    refunds,
    async (route) => {
      await route.fetch(retryingClosed)
      await route.abort()
    },
    { times: 1 },
  )
  await openRefund(page)
  await fillRefund(page, '300', 'Two hubs were scratched')
  await confirmRefund(page, '$300')
  await expect(dialog(page).getByRole('alert')).toBeVisible()
}

test('a refund retried after a lost response or a server error is made once and only in the same amount, and one cancelled or pending at the payment provider shows what came of it', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED|status of 503 .*\/refunds/)
  const { customer } = await openPaid(page, origin)
  await refundWithLostResponse(page)
  await expect(page.getByLabel('Amount')).toHaveValue('300')
  await expect(page.getByLabel('Reason')).toHaveValue('Two hubs were scratched')

  await page.getByLabel('Amount').fill('400')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText(/couldn’t confirm whether \$300 was refunded/)
  await page.getByLabel('Amount').fill('300')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await confirmRefund(page, '$300')
  await expect(toast(page, 'Refunded $300')).toBeVisible()
  await expect(steps(page)).toHaveText([/^Ordered/, /^Paid/, /^Refunded \$300/])

  await openAnotherPaid(page, customer)
  await refundWithLostResponse(page)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(steps(page).last()).toContainText('Refunded $300')
  await openRefund(page)
  await expect(page.getByLabel('Amount')).toHaveValue('1116')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  const order = await openAnotherPaid(page, customer)
  const at = new Date().toISOString()
  const reason = 'Two hubs were scratched'
  const event = { at, by: 'Demo Admin', amount: 300, reason, reference: null, items: [] }
  const kinds = ['refund requested']
  await page.route(refunds, (route) => route.fulfill({ status: 201, json: { ...order, refundPending: 300 } }))
  await page.route('**/api/orders/*/events', async (route) => {
    const events = await (await route.fetch(retryingClosed)).json()
    await route.fulfill({ json: [...events, ...kinds.map((kind) => ({ ...event, kind }))] })
  })
  await openRefund(page)
  await fillRefund(page, '300', reason)
  await confirmRefund(page, '$300')
  await expect(toast(page, 'The refund of $300 is saved but not made yet.')).toBeVisible()
  await expect(steps(page).last()).toContainText('Refund started $300')
  await expect(
    page.getByText('The refund completes as soon as the payment provider confirms it.'),
  ).toBeVisible()

  kinds.splice(0, 1, 'refund rejected', 'refund failed')
  await navigate(page, '/dashboard/messages')
  await navigate(page, `/dashboard/orders/${order._id}`)
  await expect(steps(page), 'without the name of the admin').toHaveText([
    /^Ordered.* by Greta Lund$/,
    /^Paid.* by Greta Lund/,
    /^Refund rejected \$300.*:\d\dTwo hubs were scratched$/,
    /^Refund failed \$300.*:\d\dTwo hubs were scratched$/,
  ])

  await page.unrouteAll()
  await page.route(refunds, respondWith(503, 'The shop is closed for a moment.'), { times: 1 })
  await openRefund(page)
  await fillRefund(page, '300', reason)
  await confirmRefund(page, '$300')
  await expect(dialog(page).getByRole('alert')).toHaveText('The shop is closed for a moment.')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await confirmRefund(page, '$300')
  await expect(steps(page).last()).toContainText('Refunded $300')
})

test('a customer can neither refund an order nor open a cancelled one or its timeline, and an admin can, but no unpaid one can be refunded and a refunded one only marked as not shipped', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/(purchase|orders)\//)
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const [unpaid] = await placeOrders(customer, hub, [12])
  await signInByApi(page, demoAdmin)
  const { refundPurchase, shipPurchase } = await apiClientOf(page)
  const body = { amount: 1, reason: 'I would like it', returned: 0 }
  expect(await errorStatus(refundPurchase({ params: { id: unpaid!._id }, body }))).toBe(409)
  await visit(page, `/dashboard/orders/${unpaid!._id}`)
  await expect(steps(page)).toHaveText([/^Ordered/])
  await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Invoice', exact: true })).toHaveCount(0)

  await cancelOrders(customer, [unpaid!])
  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name })}`)
  await navigate(page, `/dashboard/orders/${unpaid!._id}`)
  const article = page.getByRole('article')
  await expect(
    article.getByText('Cancelled', { exact: true }),
    'beside its name, in the status bar and in the timeline',
  ).toHaveCount(3)
  await expect(article.getByRole('button')).toHaveCount(0)
  await expect(article.getByRole('link')).toHaveText(['Message', 'View part', name, '01709876543'])
  await expect(steps(page)).toHaveText([
    new RegExp(`^Ordered.* by ${name}$`),
    new RegExp(`^Cancelled.* by ${name}$`),
  ])
  await navigate(page, `/dashboard/orders/${unpaid!._id}/receipt`)
  await expect(page.getByText('This order was cancelled, so there’s no invoice.')).toBeVisible()
  await navigate(page, `/dashboard/payment/${unpaid!._id}`)
  await expect(page.getByText('This order was cancelled, so it can’t be paid.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay' })).toHaveCount(0)
  await page.getByRole('link', { name: 'View order' }).click()
  await expect(page).toHaveURL(`/dashboard/orders/${unpaid!._id}`)

  const order = await placePaidOrder(customer, hub, 12)
  const params = { id: order._id }
  await refund(page, order, order.price)
  expect(await errorStatus(shipPurchase({ params, body: { shipping: true } }))).toBe(409)

  const shipped = await placePaidOrder(customer, hub, 13)
  await shipPurchase({ params: { id: shipped._id }, body: { shipping: true } })
  await refund(page, shipped, shipped.price)
  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name })}`)
  await expect(rowOf(page, '13')).toContainText('Refunded')
  await expect(rowOf(page, '13').getByRole('button')).toHaveText(['Shipped'])

  await rowOf(page, '13').getByRole('link', { name }).first().click()
  await article.getByRole('button', { name: 'Shipped' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as not shipped' }).click()
  await expect(article.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()
  await expect(steps(page).last()).toContainText('Marked as not shipped')

  const refundable = await placePaidOrder(customer, hub, 14)
  await signInByApi(page, customer)
  await visit(page, `/dashboard/orders/${refundable._id}`)
  await expect(steps(page)).toHaveCount(2)
  await expect(article.getByRole('button')).toHaveText(['Cancel order', 'Edit address'])
  const ofCustomer = await apiClientOf(page)
  const attempt = ofCustomer.refundPurchase({ params: { id: refundable._id }, body })
  expect(await errorStatus(attempt)).toBe(403)
  expect(await errorStatus(ofCustomer.readTimeline({ params: { id: unpaid!._id } }))).toBe(404)
  await navigate(page, `/dashboard/orders/${unpaid!._id}`)
  await expect(page.getByText('This order doesn’t exist or was cancelled.')).toBeVisible()
})

async function openAsAdmin(page: Page, { _id }: Purchase) {
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/orders/${_id}`)
}

function dialog(page: Page) {
  return page.getByRole('dialog')
}

async function openRefund(page: Page) {
  await page.getByRole('article').getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}

/** Fills and submits the form, which then asks for confirmation. */
async function fillRefund(page: Page, amount: string, reason: string) {
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
}

function confirmRefund(page: Page, amount: string) {
  return dialog(page)
    .getByRole('button', { name: `Refund ${amount}` })
    .click()
}

function steps(page: Page) {
  return page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
}

function selectedText(field: Locator) {
  return field.evaluate((input: HTMLInputElement) =>
    input.value.slice(input.selectionStart!, input.selectionEnd!),
  )
}

function rowOf(page: Page, quantity: string) {
  return page.getByRole('row').filter({ has: page.getByRole('cell', { name: quantity, exact: true }) })
}

async function refund(page: Page, { _id: id }: Purchase, amount: number, reason = 'Scratched') {
  const { refundPurchase } = await apiClientOf(page)
  await refundPurchase({ params: { id }, body: { amount, reason, returned: 0 } })
}

/** The HTTP status of a failed call. */
async function errorStatus(call: Promise<unknown>) {
  return call.then(
    () => 'done',
    (error: ApiError) => error.status,
  )
}
