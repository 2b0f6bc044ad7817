import type { Locator, Page } from '@playwright/test'
import type { CallFailed } from '#api/client.ts'
import type { Order } from '#shop/orders/order.ts'
import { callsOf, cancelOrders, holdCalls, placeOrders, placePaidOrder } from './orders.ts'
import {
  demoAdmin,
  expect,
  expectMessage,
  fact,
  openMyOrders,
  openPurchase,
  registerByApi,
  respondWith,
  signInByApi,
  stock,
  test,
  toast,
  visit,
} from './shop.ts'

const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'
const refunds = '**/api/purchase/*/refunds'

test('an admin gives back a part and then the rest with its parts, and the customer hears why', async ({
  page,
  anotherBrowser,
}) => {
  const name = 'Greta Lund'
  const customer = await anotherBrowser()
  const { email } = await registerByApi(customer, name)
  await openPurchase(customer, hub)
  const before = await (await stock(customer)).textContent()
  const order = await placePaidOrder(customer, hub, 12)

  await openAsAdmin(page, order)
  await openRefund(page)
  await expect(page.getByLabel('Amount')).toHaveValue('1416')
  await fillRefund(page, '300', 'Two hubs were scratched')
  await expect(dialog(page)).toContainText('Give $300 back to Greta Lund?')
  await expect(dialog(page)).not.toContainText('parts go back on sale')
  await give(page, '$300')
  await expect(toast(page, 'Refunded $300')).toBeVisible()
  const about = page.getByRole('article')
  await expect(about.getByText('Refunded $300 of $1,416', { exact: true })).toBeVisible()
  await expect(await fact(about, 'Refunded')).toHaveText('$300')
  await expect(about.getByRole('button', { name: 'Pending' })).toBeVisible()
  await expect(steps(page).last()).toContainText('Refunded $300')
  await expect(steps(page).last()).toContainText('by Demo Admin')
  await expect(steps(page).last()).toContainText('Two hubs were scratched')

  await openRefund(page)
  await expect(page.getByLabel('Amount')).toHaveValue('1116')
  await expect(page.getByLabel('Reason')).toHaveValue('')
  await page.getByRole('button', { name: 'All 12' }).click()
  await expect(page.getByLabel('Parts back on sale')).toHaveValue('12')
  await fillRefund(page, '1116', 'The others are not needed')
  await expect(dialog(page)).toContainText('Give $1,116 back to Greta Lund? 12 parts go back on sale.')
  await give(page, '$1,116')
  await expect(about.getByText('Refunded', { exact: true }).first()).toBeVisible()
  await expect(about.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()

  await customer.goto(`/dashboard/orders/${order._id}`)
  await expect(steps(customer)).toHaveText([
    /^Placed.* by Greta Lund$/,
    new RegExp(`^Paid \\$1,416.* by Greta Lund${order.transactionId}$`),
    /^Refunded \$300.* by Winged WheelsTwo hubs were scratched/,
    /^Refunded \$1,116.* by Winged WheelsThe others are not needed/,
  ])
  await expect(await fact(customer.getByRole('article'), 'Refunded')).toHaveText('$1,416')
  await expect(customer.getByRole('term').filter({ hasText: 'Shipped' })).toHaveCount(0)
  await openPurchase(customer, hub)
  await expect(await stock(customer)).toHaveText(before!)

  const letters = await lettersTo(customer, email, 'back for your order')
  await expect(letters).toHaveCount(2)
  await expect(letters.first()).toContainText(`$1,116 back for your order of 12 × ${hub}`)
  await expect(letters.first()).toContainText('Reason: The others are not needed')
  await expect(letters.last()).toContainText('We have given back $300 of the $1,416')
})

test('what was refunded stands in both lists, and brings neither Pay nor Delete back', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  const whole = await placePaidOrder(customer, hub, 12)
  const part = await placePaidOrder(customer, hub, 13)
  const untouched = await placePaidOrder(customer, hub, 14)
  await signInByApi(page, demoAdmin)
  await refunded(page, whole, whole.price)
  await refunded(page, part, 118)

  await page.goto(`/dashboard/manageAllOrders?${new URLSearchParams({ q: name })}`)
  await expect(rowOf(page, '12')).toContainText('Refunded')
  await expect(rowOf(page, '12')).not.toContainText('Refunded $')
  await expect(rowOf(page, '12').getByRole('button')).toHaveCount(0)
  await expect(rowOf(page, '13')).toContainText('Refunded $118 of $1,534')
  await expect(rowOf(page, '13').getByRole('button')).toHaveText(['Pending'])
  await expect(rowOf(page, '14')).not.toContainText('Refunded')
  await page.getByLabel('Status').selectOption('Refunded')
  await expect(page.getByRole('status')).toHaveText('2 orders')
  await expect(rowOf(page, '14')).toHaveCount(0)

  await openMyOrders(customer)
  for (const [quantity, words] of [
    ['12', 'Refunded'],
    ['13', 'Refunded $118 of $1,534'],
  ] as const) {
    const row = rowOf(customer, quantity)
    await expect(row.getByText(words, { exact: true })).toBeVisible()
    await expect(row.getByText('Paid', { exact: true })).toBeVisible()
    await expect(row.getByRole('button')).toHaveCount(0)
    await expect(row.getByRole('link', { name: 'Pay', exact: true })).toHaveCount(0)
  }
  await expect(rowOf(customer, '12').getByText('Not shipped yet')).toHaveCount(0)
  await expect(rowOf(customer, '13').getByText('Not shipped yet')).toBeVisible()
  await customer.getByLabel('Status').selectOption('Refunded')
  await expect(customer.getByRole('status')).toHaveText('2 orders')
  await customer.getByLabel('Status').selectOption('Not shipped yet')
  await expect(rowOf(customer, '12')).toHaveCount(0)
  await expect(customer.getByRole('status')).toHaveText('2 orders')

  await rowOf(customer, '14').getByRole('link', { name: 'Receipt' }).click()
  await expect(customer).toHaveURL(`/dashboard/orders/${untouched._id}/receipt`)
})

test('the timeline tells an order from placing to refunding, to the second', async ({
  page,
  anotherBrowser,
}) => {
  const { customer, order } = await openPaid(page, await anotherBrowser())
  const shipping = page.getByRole('article').getByRole('button', { name: /^(Pending|Shipped)$/ })
  await shipping.click()
  await expect(shipping).toHaveText('Shipped')
  await shipping.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Not shipped' }).click()
  await expect(shipping).toHaveText('Pending')
  await shipping.click()
  await expect(shipping).toHaveText('Shipped')
  await openRefund(page)
  await fillRefund(page, '118', 'One was missing')
  await give(page, '$118')

  const told = [
    /^Placed.* by Greta Lund$/,
    /^Paid \$1,416.* by Greta Lund/,
    /^Shipped.* by Demo Admin$/,
    /^Not shipped after all.* by Demo Admin$/,
    /^Shipped.* by Demo Admin$/,
    /^Refunded \$118.* by Demo AdminOne was missing/,
  ]
  await expect(steps(page)).toHaveText(told)
  await expect(steps(page).getByRole('time')).toHaveText(told.map(() => /, \d{4}, \d+:\d\d:\d\d [AP]M$/))
  await customer.goto(`/dashboard/orders/${order._id}`)
  await expect(steps(customer).last()).toContainText('One was missing')
  await expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible()
  await expect(customer.getByText('Demo Admin')).toHaveCount(0)
})

test('a refund that makes no sense is refused under its field, and what was typed is kept', async ({
  page,
  anotherBrowser,
}) => {
  await openPaid(page, await anotherBrowser())
  await openRefund(page)
  for (const [label, typed, message] of [
    ['Amount', '', 'Amount is required'],
    ['Amount', '0', 'Amount must be at least $1'],
    ['Amount', '-5', 'Amount must be at least $1'],
    ['Amount', '1.50', 'Whole numbers only'],
    ['Amount', '1417', 'Amount must be at most $1,416'],
    ['Parts back on sale', '', 'Parts back on sale is required'],
    ['Parts back on sale', '-1', 'Parts back on sale must be at least 0'],
    ['Parts back on sale', '13', 'Parts back on sale must be at most 12'],
    ['Reason', ' ', 'Reason is required'],
    ['Reason', 'x'.repeat(301), 'At most 300 characters'],
  ] as const) {
    await page.getByLabel('Amount').fill('300')
    await page.getByLabel('Reason').fill('Two hubs were scratched')
    await page.getByLabel('Parts back on sale').fill('2')
    await page.getByLabel(label).fill(typed)
    await dialog(page).getByRole('button', { name: 'Refund' }).click()
    await expectMessage(page, label, message)
    await expect(page.getByLabel(label)).toHaveValue(typed)
    await expect(page.getByLabel(label)).toBeFocused()
    await expect(dialog(page), 'the question').not.toContainText('back to Greta Lund?')
  }
  await expect(page.getByLabel('Amount')).toHaveValue('300')

  await page.getByLabel('Reason').fill('Two hubs were scratched')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await dialog(page).getByRole('button', { name: 'Change' }).click()
  await expect(page.getByLabel('Amount')).toBeFocused()
  await page.getByLabel('Amount').fill('200')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await give(page, '$200')
  await expect(steps(page).last()).toContainText('Refunded $200')
})

test('a double click refunds once', async ({ page, anotherBrowser }) => {
  await openPaid(page, await anotherBrowser())
  const held = await holdCalls(page, 'POST', refunds)
  await openRefund(page)
  await fillRefund(page, '300', 'Two hubs were scratched')
  const button = dialog(page).getByRole('button', { name: 'Refund $300' })
  await button.dblclick()
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await button.press('Enter')
  held.letGo()
  await expect(toast(page, 'Refunded $300')).toBeVisible()
  await expect(steps(page)).toHaveText([/^Placed/, /^Paid/, /^Refunded \$300/])
  expect(held.made).toBe(1)
})

/** An admin sees an order that Greta Lund has just paid in another browser. */
async function openPaid(page: Page, customer: Page) {
  await registerByApi(customer, 'Greta Lund')
  const order = await placePaidOrder(customer, hub, 12)
  await openAsAdmin(page, order)
  return { customer, order }
}

/** An admin gives $300 back, and the answer gets lost. */
async function refundUnheard(page: Page, customer: Page) {
  await openPaid(page, customer)
  await page.route(
    refunds,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await openRefund(page)
  await fillRefund(page, '300', 'Two hubs were scratched')
  await give(page, '$300')
  await expect(dialog(page).getByRole('alert')).toBeVisible()
}

test('a refund whose answer is lost is made once, and nothing else can be sent in its place', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_FAILED/)
  await refundUnheard(page, await anotherBrowser())
  await expect(page.getByLabel('Amount')).toHaveValue('300')
  await expect(page.getByLabel('Reason')).toHaveValue('Two hubs were scratched')

  await page.getByLabel('Amount').fill('400')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText(/not known yet whether \$300 was given back/)
  await page.getByLabel('Amount').fill('300')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await give(page, '$300')
  await expect(toast(page, 'Refunded $300')).toBeVisible()
  await expect(steps(page)).toHaveText([/^Placed/, /^Paid/, /^Refunded \$300/])
})

test('whoever gives up after a lost answer sees whether the money went', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/net::ERR_FAILED/)
  await refundUnheard(page, await anotherBrowser())
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(steps(page).last()).toContainText('Refunded $300')
  await openRefund(page)
  await expect(page.getByLabel('Amount')).toHaveValue('1116')
})

test('two admins at once never give back more than was paid', async ({
  page,
  context,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 4(00|09) .*\/refunds/)
  const { order } = await openPaid(page, await anotherBrowser())
  const second = await context.newPage()
  await visit(second, page.url())
  for (const [tab, amount] of [
    [page, '1000'],
    [second, '1416'],
  ] as const) {
    await openRefund(tab)
    await fillRefund(tab, amount, 'All hubs were scratched')
  }
  await give(page, '$1,000')
  await expect(toast(page, 'Refunded $1,000')).toBeVisible()
  await give(second, '$1,416')
  await expectMessage(second, 'Amount', 'Amount must be at most $416')
  await expect(second.getByLabel('Amount')).toHaveValue('1416')

  const { refundOrder } = await callsOf(page)
  const attempts = [300, 301, 302].map((amount) =>
    refundOrder({ params: { id: order._id }, body: { amount, reason: 'At once', returned: 0 } }),
  )
  const made = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled')
  expect(made).toHaveLength(1)

  const { readOrder } = await callsOf(page)
  const { refunded: back } = await readOrder({ params: { id: order._id } })
  await refundOrder({
    params: { id: order._id },
    body: { amount: order.price - back, reason: 'The rest', returned: 0 },
  })
  await second.getByLabel('Amount').fill('5')
  await dialog(second).getByRole('button', { name: 'Refund' }).click()
  await give(second, '$5')
  await expect(dialog(second).getByRole('alert')).toHaveText('All of this order was refunded before.')
  await expect(second.getByLabel('Reason')).toHaveValue('All hubs were scratched')
  await dialog(second).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(second)).toBeHidden()
  await expect(second.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await expect(second.getByRole('main'), 'where the keyboard goes on').toBeFocused()
})

test('a refund that waits for the card provider is said to wait', async ({ page, anotherBrowser }) => {
  const { order } = await openPaid(page, await anotherBrowser())
  const asked = {
    kind: 'refund asked',
    at: new Date().toISOString(),
    by: 'Demo Admin',
    amount: 300,
    reason: 'Two hubs were scratched',
    reference: null,
  }
  await page.route(refunds, (route) => route.fulfill({ status: 201, json: order }))
  await page.route('**/api/purchase/*/events', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: [...(await answer.json()), asked] })
  })
  await openRefund(page)
  await fillRefund(page, '300', 'Two hubs were scratched')
  await give(page, '$300')
  await expect(toast(page, 'Your refund of $300 is kept, and made as soon as it can be.')).toBeVisible()
  await expect(steps(page).last()).toContainText('Refund asked for $300')
  await expect(page.getByText('The card provider has not answered yet.')).toBeVisible()
})

test('a shop that is in trouble is told above the button, and the refund can be sent again', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 503 .*\/refunds/)
  await openPaid(page, await anotherBrowser())
  await page.route(refunds, respondWith(503, 'The shop is closed for a moment.'), { times: 1 })
  await openRefund(page)
  await fillRefund(page, '300', 'Two hubs were scratched')
  await give(page, '$300')
  await expect(dialog(page).getByRole('alert')).toHaveText('The shop is closed for a moment.')
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
  await give(page, '$300')
  await expect(steps(page).last()).toContainText('Refunded $300')
})

test('a customer has no way to a refund, and what is refunded cannot be shipped', async ({
  page,
  anotherBrowser,
}) => {
  const customer = await anotherBrowser()
  await registerByApi(customer, 'Greta Lund')
  const order = await placePaidOrder(customer, hub, 12)
  const params = { id: order._id }
  await visit(customer, `/dashboard/orders/${order._id}`)
  await expect(steps(customer)).toHaveCount(2)
  await expect(customer.getByRole('article').getByRole('button')).toHaveCount(0)
  const body = { amount: 1, reason: 'I would like it', returned: 0 }
  expect(await refusal((await callsOf(customer)).refundOrder({ params, body }))).toBe(403)

  await signInByApi(page, demoAdmin)
  const { refundOrder, shipOrder } = await callsOf(page)
  const [unpaid] = await placeOrders(customer, hub, [12])
  expect(await refusal(refundOrder({ params: { id: unpaid!._id }, body }))).toBe(409)
  await visit(page, `/dashboard/orders/${unpaid!._id}`)
  await expect(steps(page)).toHaveText([/^Placed/])
  await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Receipt' })).toHaveCount(0)
  await cancelOrders(customer, [unpaid!])

  await refunded(page, order, order.price)
  expect(await refusal(shipOrder({ params, body: { shipping: true } }))).toBe(409)
})

test('what is shipped and then refunded can still be taken back', async ({ page, anotherBrowser }) => {
  const name = `Greta ${crypto.randomUUID()}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  const order = await placePaidOrder(customer, hub, 12)
  await openAsAdmin(page, order)
  const { shipOrder } = await callsOf(page)
  await shipOrder({ params: { id: order._id }, body: { shipping: true } })
  await refunded(page, order, order.price)
  await page.goto(`/dashboard/manageAllOrders?${new URLSearchParams({ q: name })}`)
  await expect(rowOf(page, '12')).toContainText('Refunded')
  await expect(rowOf(page, '12').getByRole('button')).toHaveText(['Shipped'])

  await rowOf(page, '12').getByRole('link', { name }).click()
  const about = page.getByRole('article')
  await about.getByRole('button', { name: 'Shipped' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Not shipped' }).click()
  await expect(about.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()
  await expect(steps(page).last()).toContainText('Not shipped after all')
})

test('what the card provider did to a refund is told as nobody else’s doing', async ({
  page,
  anotherBrowser,
}) => {
  const customer = await anotherBrowser()
  await registerByApi(customer, 'Greta Lund')
  const order = await placePaidOrder(customer, hub, 12)
  const at = new Date().toISOString()
  const told = { at, by: 'Demo Admin', amount: 300, reason: 'No such account', reference: null }
  await page.route('**/api/purchase/*/events', async (route) => {
    const events = await (await route.fetch()).json()
    const more = ['refund refused', 'refund failed'].map((kind) => ({ ...told, kind }))
    await route.fulfill({ json: [...events, ...more] })
  })
  await openAsAdmin(page, order)
  await expect(steps(page)).toHaveText([
    /^Placed.* by Greta Lund$/,
    /^Paid.* by Greta Lund/,
    /^Refund refused \$300.*[AP]MNo such account$/,
    /^Refund failed \$300.*[AP]MNo such account$/,
  ])
})

test('a cancelled order has neither page nor timeline for whoever placed it, and has both for an admin', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 404 .*\/api\/purchase\//)
  await registerByApi(page, 'Greta Lund')
  const [order] = await placeOrders(page, hub, [12])
  await cancelOrders(page, [order!])
  const { readTimeline } = await callsOf(page)
  expect(await refusal(readTimeline({ params: { id: order!._id } }))).toBe(404)
  await page.goto(`/dashboard/orders/${order!._id}`)
  await expect(page.getByText('There is no such order.')).toBeVisible()

  const office = await anotherBrowser()
  await openAsAdmin(office, order!)
  const about = office.getByRole('article')
  await expect(
    about.getByText('Cancelled', { exact: true }),
    'beside its name, and in the timeline',
  ).toHaveCount(2)
  await expect(await fact(about, 'Paid')).toHaveText('Cancelled before it was paid')
  await expect(about.getByRole('button')).toHaveCount(0)
  await expect(about.getByRole('link')).toHaveText(['See the part'])
  await expect(steps(office)).toHaveText([/^Placed.* by Greta Lund$/, /^Cancelled.* by Greta Lund$/])
  await office.goto(`/dashboard/orders/${order!._id}/receipt`)
  await expect(office.getByText('This order was cancelled, so there is no receipt of it.')).toBeVisible()
  await office.goto(`/dashboard/payment/${order!._id}`)
  await expect(office.getByText('This order was cancelled.')).toBeVisible()
  await expect(office.getByRole('button', { name: 'Pay' })).toHaveCount(0)
  await office.getByRole('link', { name: 'See the order' }).click()
  await expect(office).toHaveURL(`/dashboard/orders/${order!._id}`)
})

test('money is given back with the keyboard alone', async ({ page, anotherBrowser }) => {
  await openPaid(page, await anotherBrowser())
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
  await expect.poll(() => selected(page.getByLabel('Amount')), 'what typing replaces').toBe('1416')
  await page.keyboard.type('300')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Two hubs were scratched')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Parts back on sale')).toHaveValue('12')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Change' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(steps(page).last()).toContainText('Refunded $300')
  await expect(button).toBeFocused()
})

test('on a phone the order, its timeline and its refund fit, whatever was typed', async ({
  page,
  anotherBrowser,
}) => {
  const name = `Maximiliane${crypto.randomUUID().replaceAll('-', '')}`
  const customer = await anotherBrowser()
  await registerByApi(customer, name)
  const order = await placePaidOrder(customer, hub, 12)
  await signInByApi(page, demoAdmin)
  await (await callsOf(page)).refundOrder({
    params: { id: order._id },
    body: { amount: 300, reason: 'scratched'.repeat(30), returned: 0 },
  })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await visit(page, `/dashboard/orders/${order._id}`)
    await expect(steps(page)).toHaveCount(3)
    await openRefund(page)
    await fillRefund(page, '100', 'scratched'.repeat(30))
    for (const [what, seen] of [
      ['page', page.locator('html')],
      ['dialog', dialog(page).locator('form')],
    ] as const) {
      const over = await seen.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect.soft(over, `${what} on ${width}`).toBeLessThanOrEqual(0)
    }
  }
})

/** Signs in as an admin and opens the page of an order. */
async function openAsAdmin(page: Page, { _id }: Order) {
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

/** Fills the form and sends it: the question comes. */
async function fillRefund(page: Page, amount: string, reason: string) {
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: 'Refund' }).click()
}

/** Answers the question. */
function give(page: Page, amount: string) {
  return dialog(page)
    .getByRole('button', { name: `Refund ${amount}` })
    .click()
}

function steps(page: Page) {
  return page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
}

function selected(field: Locator) {
  return field.evaluate((input: HTMLInputElement) =>
    input.value.slice(input.selectionStart!, input.selectionEnd!),
  )
}

/** The row of the order of so many. */
function rowOf(page: Page, quantity: string) {
  return page.getByRole('row').filter({ has: page.getByRole('cell', { name: quantity, exact: true }) })
}

async function refunded(page: Page, { _id: id }: Order, amount: number) {
  const { refundOrder } = await callsOf(page)
  await refundOrder({ params: { id }, body: { amount, reason: 'Scratched', returned: 0 } })
}

/** The status of a call that is refused. */
async function refusal(call: Promise<unknown>) {
  return call.then(
    () => 'done',
    (error: CallFailed) => error.status,
  )
}

/** What was mailed to somebody with these words in its subject, newest first. */
async function lettersTo(page: Page, email: string, words: string) {
  await visit(page, `/outbox?${new URLSearchParams({ q: email })}`)
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name: words }) })
}
