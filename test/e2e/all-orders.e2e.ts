import type { Locator, Page } from '@playwright/test'
import { createSignedInClient } from '#test/process.ts'
import {
  apiClientOf,
  cancelOrders,
  holdCalls,
  placeOrderOfSeveral,
  placeOrders,
  placePaidOrder,
  registerApiCustomer,
} from './orders.ts'
import {
  closeToasts,
  definitionOf,
  demoAdmin,
  expect,
  navigate,
  registerByApi,
  rowsOf,
  signInByApi,
  stock,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const changedMessage = 'Delivered Status Successfully Changed!!'
const hub = 'Fallow Rear Hub 32H, 12 x 148 mm'

test('an admin can mark a paid order shipped and undo it, at once or after confirming, a double click sends one request and keeps focus, and a second click ships no other order', async ({
  page,
  origin,
}) => {
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  await placePaidOrder(customer, hub, 12)

  await openAllOrders(page, name)
  for (const header of ['Name', 'Product', 'Quantity', 'Price', 'Status', 'Action']) {
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()
  }
  const row = rowsOf(page, name)
  await expect(row).toContainText('$1,416')
  await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await row.getByRole('button', { name: 'Pending' }).click()
  await expect(toast(page, changedMessage)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Shipped' })).toBeVisible()

  await closeToasts(page)
  await navigate(page, '/dashboard/messages')
  await openFound(page, name)
  await row.getByRole('button', { name: 'Shipped' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('as not shipped?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('button', { name: 'Shipped' })).toBeVisible()

  await row.getByRole('button', { name: 'Shipped' }).click()
  await dialog.getByRole('button', { name: 'Mark as not shipped' }).click()
  await expect(toast(page, changedMessage)).toBeVisible()
  const pending = row.getByRole('button', { name: 'Pending' })
  await expect(pending).toBeVisible()

  const held = await holdCalls(page, 'PATCH', '**/api/shipped/*')
  await pending.dblclick()
  await pending.press('Enter')
  held.letGo()
  const shipped = row.getByRole('button', { name: /^Shipped, / })
  await expect(shipped).toBeFocused()
  expect(held.made).toBe(1)
  await pressWhenArmed(shipped)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(shipped).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await pressWhenArmed(dialog.getByRole('button', { name: 'Mark as not shipped' }))
  await expect(pending).toBeFocused()

  for (const quantity of [13, 14]) await placePaidOrder(customer, hub, quantity)
  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name, status: 'pending' })}`)
  await closeToasts(page)
  await expect(quantities(page)).toHaveText(['12', '13', '14'])
  await expect(row.first().getByRole('button', { name: 'Pending' })).toBeEnabled()

  // Half a second does not pass until the test lets it.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const { x, y, width, height } = (await row.first().getByRole('button').boundingBox())!
  const clickThere = () => page.mouse.click(x + width / 2, y + height / 2)
  await clickThere()
  const firstShipped = row.first().getByRole('button', { name: /^Shipped, / })
  await expect(firstShipped).toBeVisible()
  await keepToast(page)
  await expect(row.nth(1)).toBeFocused()
  await clickThere()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Status' })).toContainText(/Pending 2.*Shipped 1/)
  await expect(quantities(page)).toHaveText(['12', '13', '14'])

  await page.clock.runFor(500)
  await row.first().getByRole('button', { name: 'Undo' }).click()
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(page.locator('.Toastify__toast:not([data-kept])'), 'an equal toast').toHaveCount(1, {
      timeout: 1,
    })
  }).toPass({ intervals: [100] })
  await keepToast(page)
  await expect(page.getByRole('navigation', { name: 'Status' })).toContainText(/Pending 3.*Shipped 0/)
  await expect(row.first().getByRole('button')).toHaveText(['Pending'])
  await page.clock.runFor(500)
  await page.mouse.wheel(0, 200)
  // The page may scroll later.
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return coveredByToast(page)
    })
    .toEqual([])
  await row.nth(1).getByRole('button', { name: 'Pending' }).click()
  await expect(page.getByRole('navigation', { name: 'Status' })).toContainText(/Pending 2.*Shipped 1/)
  await page.reload()
  await expect(quantities(page)).toHaveText(['12', '14'])
})

test('an admin can delete an unpaid order after confirming, which restores its stock, and one that is gone shows an error', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/purchase\//)
  const name = `Greta ${uniqueWord()}`
  const part = 'Meridian Long-Cage Rear Derailleur'
  const customer = await registerApiCustomer(origin, name)
  const { listParts } = await apiClientOf(customer)
  const [before] = (await listParts({ body: { q: part } })).rows
  await placeOrders(customer, part, [12])

  await openAllOrders(page, name)
  const row = rowsOf(page, name)
  await expect(row.getByRole('cell', { name: 'Awaiting payment' })).toBeVisible()
  await expect(row.getByRole('button', { name: /Pending|Shipped/ })).toHaveCount(0)
  await row.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(part)
  await dialog.getByRole('button', { name: 'Keep order' }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toHaveCount(1)

  await row.getByRole('button', { name: 'Delete' }).press('Enter')
  await pressWhenArmed(dialog.getByRole('button', { name: 'Delete order' }))
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()
  await navigate(page, `/part/${before!._id}`)
  await expect(await stock(page)).toHaveText(String(before!.availableQuantity))

  const several = await placeOrderOfSeveral(customer, 2)
  await openFound(page, name, '1 order')
  await page.getByRole('button', { name: 'Delete order' }).click()
  await expect(dialog).toContainText(`Delete order #${several.number}: 2 items for ${name}?`)
  await dialog.getByRole('button', { name: 'Delete order' }).click()
  await expect(row).toHaveCount(0)

  const { _id } = await placeOrderOfSeveral(customer, 2)
  await navigate(page, `/dashboard/orders/${_id}`)
  await page.getByRole('button', { name: 'Delete order' }).click()
  await dialog.getByRole('button', { name: 'Delete order' }).click()
  await expect(page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')).toHaveText([
    /^Ordered/,
    /^Cancelled/,
  ])
  await expect(page.getByRole('button', { name: 'Delete order' })).toHaveCount(0)

  const orders = await placeOrders(customer, 'Tine Butted Spokes with Nipples, Six-Pack', [96])
  await openFound(page, name)
  await cancelOrders(customer, orders)
  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'This order doesn’t exist or was cancelled.')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('the order page shows the delivery details and lets only an admin mark it shipped, and an admin can open its invoice and packing slip', async ({
  page,
  origin,
}) => {
  const name = `Greta ${uniqueWord()}`
  const customer = await registerApiCustomer(origin, name)
  const { transactionId } = await placePaidOrder(customer, hub, 12)

  await openAllOrders(page, name)
  // Before the phone number, which leads to the customer.
  await page.getByRole('link', { name }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Order #\d+$/)
  const article = page.getByRole('article')
  await expect(article.getByRole('paragraph').filter({ hasText: hub }).first()).toBeVisible()
  for (const [term, value] of [
    ['Order total', '$1,416'],
    ['TransactionId', transactionId!],
    ['Name', name],
    ['Email', customer.email],
    ['Address', '4 Canal Street, Bremen'],
    ['Phone Number', '01709876543'],
  ] as const) {
    await expect(await definitionOf(article, term), term).toHaveText(value)
  }
  const status = article.getByRole('list', { name: 'Status' }).getByRole('listitem')
  await expect(status).toContainText(['Ordered', 'Paid', 'Getting ready to ship'])
  await article.getByRole('button', { name: 'Pending' }).click()
  await expect(toast(page, changedMessage)).toBeVisible()
  await expect(article.getByRole('button', { name: 'Shipped' })).toBeFocused()
  await expect(status.last()).toHaveText(/^Shipped/)
  await article.getByRole('link', { name: 'Invoice' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoice')
  await expect(article).toContainText(name)
  await page.goBack()
  await article.getByRole('link', { name: 'Packing slip', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Packing slip')
  await expect(page.getByRole('cell', { name: hub })).toBeVisible()
  await expect(article).not.toContainText('$')

  await signInByApi(page, customer)
  await page.goto('/dashboard')
  await page
    .getByRole('row')
    .getByRole('link', { name: new RegExp(`^${hub}`) })
    .click()
  await expect(await definitionOf(article, 'Address')).toHaveText('4 Canal Street, Bremen')
  await expect(status.last()).toHaveText(/^Shipped/)
  await expect(article.getByRole('button')).toHaveCount(0)
  await expect(article.getByRole('link', { name: 'Pay' })).toHaveCount(0)

  await article.getByRole('link', { name: 'Something is wrong with this order' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Ask about order #\d+$/)
  await expect(await definitionOf(page.getByRole('main'), 'Deliver to')).toHaveText('4 Canal Street, Bremen')
})

/** As when the window loses the focus: otherwise it closes after five seconds. */
function keepToast(page: Page) {
  return toast(page, changedMessage)
    .last()
    .evaluate((element) => {
      element.closest('.Toastify__toast')!.setAttribute('data-kept', '')
      dispatchEvent(new Event('blur'))
    })
}

function coveredByToast(page: Page) {
  return page.evaluate(() => {
    const toast = [...document.querySelectorAll('.Toastify__toast')].at(-1)!.getBoundingClientRect()
    const pressable = [...document.querySelectorAll('main :is(a, button, input), header a')]
    const covered = pressable.filter((element) => {
      const { left, right, top, bottom, height } = element.getBoundingClientRect()
      return (
        height > 0 && left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top
      )
    })
    return covered.map((element) => element.textContent)
  })
}

function quantities(page: Page) {
  return page.locator('td[data-label="Quantity"]')
}

test('an unpaid order has a link to its payment and no invoice, leads to similar parts once its part was deleted, and another customer can open none of its pages', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 404 .*\/api\/(part|purchase|orders)\//)
  const { addPart, listProducts, deleteProduct } = await createSignedInClient(origin, demoAdmin)
  const [sample] = (await listProducts({ body: { limit: 1 } })).rows
  const { _id, partNumber, ...rest } = sample!
  const name = `Short-lived Hub ${uniqueWord()}`
  const { insertedId: id } = await addPart({ body: { ...rest, name, minQuantity: 4, availableQuantity: 50 } })

  await registerByApi(page, 'Ida Renn')
  const paid = await placePaidOrder(page, hub, 12)
  const [order] = await placeOrders(page, name, [4])
  const orderPath = `/dashboard/orders/${order!._id}`
  await page.goto(`${orderPath}/receipt`)
  await expect(page.getByText('This order isn’t paid, so there’s no invoice.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
  await page.getByRole('link', { name: 'View order' }).click()
  await expect(page).toHaveURL(orderPath)
  const article = page.getByRole('article')
  await expect(article.getByRole('list', { name: 'Status' })).toContainText('2 days 23 hours')
  await expect(article.getByRole('link', { name: 'View part' })).toHaveAttribute('href', `/parts/${id}`)
  await expect(page.getByText('no longer for sale')).toHaveCount(0)
  await article.getByRole('link', { name: 'Order again' }).click()
  await expect(page.getByLabel(`Quantity of ${name}`)).toHaveValue('4')

  await deleteProduct({ params: { id } })
  await page.goBack()
  await expect(article.getByText('This part is no longer for sale.', { exact: true })).toBeVisible()
  await expect(article.getByText(name, { exact: true })).toBeVisible()
  await expect(article.getByRole('link')).toHaveText([
    ...['Pay $128', 'Something is wrong with this order', 'View similar parts', 'Pro-forma invoice'],
  ])
  await article.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Ida Renn' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $128' })).toBeVisible()
  const paymentPath = new URL(page.url()).pathname

  await registerByApi(page, 'Greta Lund')
  await page.goto(orderPath)
  for (const path of [orderPath, paymentPath, `/dashboard/orders/${paid._id}/receipt`]) {
    if (path !== orderPath) await navigate(page, path)
    await expect(page, path).toHaveURL(path)
    await expect(page.getByText('This order doesn’t exist or was cancelled.'), path).toBeVisible()
    await expect(page.getByText('4 Canal Street, Bremen'), path).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Pay/ }), path).toHaveCount(0)
  }
})

/** Signs in as an admin and opens the orders of a customer name. */
async function openAllOrders(page: Page, name: string) {
  await signInByApi(page, demoAdmin)
  await visit(page, foundPath(name))
  await expect(page.getByRole('heading', { name: 'Manages All Orders' })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('1 order')
}

/** Like `openAllOrders`, within the open page. */
async function openFound(page: Page, name: string, found = '1 order') {
  await navigate(page, foundPath(name))
  await expect(page.getByRole('status')).toHaveText(found)
}

function foundPath(name: string) {
  return `/dashboard/manageAllOrders?${new URLSearchParams({ q: name })}`
}

test('an admin sees disputes and a refused payment key above all orders, resolves a task, and cannot ship a disputed order', async ({
  page,
  origin,
}) => {
  const name = `Dora ${uniqueWord()}`
  await placePaidOrder(await registerApiCustomer(origin, name), hub, 12, '4000000000000259')
  const problem = 'It does not accept STRIPE_SECRET_KEY.'
  await page.route('**/api/payment-health', (route) => route.fulfill({ json: { keyProblem: problem } }))
  await openAllOrders(page, name)
  const tasks = page.getByRole('region', { name: 'Needs your attention' })
  await expect(tasks.getByRole('alert')).toContainText(problem)
  await expect(rowsOf(page, name)).toContainText('Disputed')
  await expect(rowsOf(page, name).getByRole('button', { name: 'Pending' })).toHaveCount(0)
  const task = tasks.locator('li').filter({ hasText: name })
  await expect(task, 'what has just come').toBeVisible()
  await expect(task).toContainText('Payment disputed')
  await page.reload()
  const summary = tasks.getByText(/^\d+ tasks?: .*Payment disputed/)
  await expect(summary).toBeVisible()
  await expect(task, 'what was seen before').toBeHidden()
  await summary.click()
  await task.getByRole('button', { name: 'Mark as resolved' }).click()
  await expect(task).toContainText('Resolved')
  await expect(task.getByRole('button')).toHaveCount(0)
  await navigate(page, '/dashboard/messages')
  await openFound(page, name)
  await expect(rowsOf(page, name)).toHaveCount(1)
  await expect(task).toHaveCount(0)
})

/** Buttons do nothing in the first half second. */
async function pressWhenArmed(button: Locator) {
  await expect(button).toBeEnabled()
  await button.press('Enter')
}
