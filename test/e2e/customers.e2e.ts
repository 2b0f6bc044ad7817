import { expectAccessible } from './axe.ts'
import {
  type ApiCustomer,
  apiClientOf,
  confirmEmail,
  payByApi,
  placePaidOrderOfSeveral,
  registerApiCustomer,
} from './orders.ts'
import { demoAdmin, expect, navigate, rowsOf, signInByApi, test, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

/** With a phone number that no other test has. */
async function placePaid(customer: ApiCustomer) {
  const client = await apiClientOf(customer)
  const delivery = { address: '4 Canal Street, Bremen', phoneNumber: '04955120345' }
  const order = await client.placePurchase({
    body: { parts: 'Talon 42T Narrow-Wide Chainring', quantity: 48, ...delivery },
  })
  const { clientSecret } = await client.startPayment({ body: { price: order.price, purchase: order._id } })
  await payByApi(customer, clientSecret)
  const [transactionId = ''] = clientSecret.split('_secret_')
  return client.payPurchase({ params: { id: order._id }, body: { purchase: order._id, transactionId } })
}

test('an admin opens a customer from an order, notes, tags and links them, and finds them by the tag', async ({
  page,
  origin,
}) => {
  const word = uniqueWord()
  const ada = await registerApiCustomer(origin, `Ada ${word}`)
  const workshop = await registerApiCustomer(origin, `Workshop ${word}`)
  const [order] = [await placePaid(ada), await placePaid(workshop)]
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/orders/${order._id}`)
  await page.getByRole('main').getByRole('link', { name: ada.name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ada.name)
  await expect(page).toHaveURL(/\/dashboard\/customers\/[\w-]{36}$/)
  await expect(page.getByRole('row').filter({ hasText: `#${order.number}` })).toBeVisible()
  await expect(rowsOf(page, `#${order.number}`).getByRole('link', { name: /^Invoice / })).toBeVisible()
  // Both orders have one phone number.
  const suspected = page.getByRole('listitem').filter({ hasText: 'The same person?' })
  await expect(suspected).toContainText(`${workshop.email} (same phone number)`)
  await suspected.getByRole('button', { name: 'Another person' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Another person' }).click()
  await expect(suspected).toHaveCount(0)
  const also = page.getByRole('listitem').filter({ hasText: 'Also:' })
  await page.getByRole('button', { name: 'Link account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email of the other account').fill(workshop.email)
  await dialog.getByRole('button', { name: 'Link account' }).click()
  await expect(also.getByRole('link', { name: workshop.name })).toBeVisible()
  await expect(also).not.toContainText('same phone number')

  await page.getByLabel('New note').fill('Call before a Friday.')
  await page.reload()
  await expect(page.getByLabel('New note')).toHaveValue('Call before a Friday.')
  await page.getByRole('button', { name: 'Add note' }).click()
  const note = page
    .getByRole('listitem')
    .filter({ has: page.getByText('Call before a Friday.', { exact: true }) })
  await expect(note).toContainText(demoAdmin.name)
  await note.getByRole('button', { name: 'Edit note “Call before a Friday.”' }).click()
  await dialog.getByLabel('Note').fill('Call before a Monday.')
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByText('Call before a Monday.', { exact: true })).toBeVisible()

  const tag = `Tag ${word}`
  await page.getByLabel('Add a tag').fill(tag)
  await page.getByRole('button', { name: 'Add tag' }).click()
  await expect(toast(page, `Tagged “${tag}”`)).toBeVisible()
  await expectAccessible(page, 'a customer')
  await page.getByRole('region', { name: 'Tags' }).getByRole('link', { name: tag }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Make Admin')
  await expect(page.getByRole('status')).toHaveText('1 user')
  await expect(rowsOf(page, ada.email).getByRole('list', { name: 'Tags' })).toHaveText(tag)
  await expect(page.getByLabel('Tag', { exact: true })).toHaveValue(tag)

  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: ada.name })}`)
  await page.setViewportSize({ width: 360, height: 740 })
  const { height } = (await rowsOf(page, ada.name).boundingBox())!
  expect(height, 'an order of one item on a phone').toBeLessThanOrEqual(130)
  await expectAccessible(page, 'orders of one item on a phone')
  await page.setViewportSize({ width: 1280, height: 740 })
  await page
    .getByRole('link', { name: /^04955120345, / })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ada.name)
  await expect(page.getByRole('link', { name: '04955120345' }).first()).toHaveAttribute(
    'href',
    'tel:04955120345',
  )
  const row = await rowsOf(page, `#${order.number}`).boundingBox()
  expect(row!.height, 'an order of a customer, of one line').toBeLessThanOrEqual(45)
  await page.setViewportSize({ width: 360, height: 740 })
  const narrow = await rowsOf(page, `#${order.number}`).boundingBox()
  expect(narrow!.height, 'an order of a customer on a phone, of two lines').toBeLessThanOrEqual(70)
  await expectAccessible(page, 'a customer on a phone')

  await page.getByRole('link', { name: 'New quote' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(ada.email)
  await expect(page.getByLabel('Name')).toHaveValue(ada.name)
  await page.goBack()
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Write to ${ada.name} about order #${order.number}`,
  )

  const { lines, _id: id } = await placePaidOrderOfSeveral(ada, 4)
  const refunded = { lineId: lines[0]!._id, amount: 10, returned: 0 }
  await (await apiClientOf(page)).refundOrder({ params: { id }, body: { lines: [refunded], reason: 'Late' } })
  await visit(page, `/dashboard/customers/${id}`)
  await expect(page.getByText(/^Refunded \$10 of/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no scrolling sideways').toBe(360)
})

test('an admin invites a colleague by email, who registers, confirms the address and is an admin', async ({
  page,
  anotherBrowser,
}) => {
  const email = `${uniqueWord()}@example.com`
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard')
  const invite = async () => {
    await page.getByRole('button', { name: 'Invite by email' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('Invited by')
  }
  await invite()
  await expectAccessible(page, 'Make Admin with an open invitation')
  await page
    .getByRole('listitem')
    .filter({ hasText: email })
    .getByRole('button', { name: 'Withdraw' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: email })).toHaveCount(0)
  await invite()

  const colleague = await anotherBrowser()
  await visit(colleague, `/outbox?${new URLSearchParams({ q: email })}`)
  const link = colleague.getByRole('link', { name: /\/invitation\?token=/ }).first()
  await visit(colleague, (await link.getAttribute('href'))!)
  await expectAccessible(colleague, 'an invitation')
  await colleague.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(colleague.getByText('Register to accept your invitation')).toBeVisible()
  await expect(colleague.getByLabel('Email', { exact: true })).toHaveValue(email)
  await colleague.getByLabel('Name', { exact: true }).fill('Nele Vogt')
  const password = colleague.getByLabel('Password', { exact: true })
  await password.fill('wheels-1992')
  await colleague.getByLabel('Confirm Password').fill('wheels-1992')
  await password.evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 6))
  const show = colleague.getByRole('button', { name: 'Show password' })
  await show.click()
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await expect(password).toHaveAttribute('type', 'text')
  expect(
    await password.evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
      selectionStart,
      selectionEnd,
    ]),
  ).toEqual([3, 6])
  await show.click()
  await expect(password).toHaveAttribute('type', 'password')
  await colleague.getByRole('button', { name: 'Register' }).click()
  await colleague.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(colleague.getByText('One more step: confirm your email address.')).toBeVisible()
  const api = await apiClientOf(colleague)
  expect(await api.checkAdmin({ params: { email } })).toEqual({ admin: false })
  await confirmEmail(colleague, email)
  await navigate(colleague, '/dashboard/overview')
  await expect(colleague.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await visit(page, `/dashboard?${new URLSearchParams({ q: email })}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Invited by' })).toHaveCount(0)
  await (await apiClientOf(page)).removeAdmin({ params: { email } })
})

test('an admin who removes themselves is asked whether they mean it', async ({ page }) => {
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard')
  await page.getByLabel('Search users').fill(demoAdmin.email)
  await expect(page.getByRole('status')).toHaveText('1 user')
  await rowsOf(page, demoAdmin.email).getByRole('button', { name: 'Remove Admin' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Remove your own admin access?')
  await expect(dialog).toContainText('You will lose access to the admin screens')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('the sign-in page says what it is for when a page or an email led there', async ({ page }) => {
  await visit(page, '/dashboard/payment/1042')
  await expect(page.getByText('Log in to pay for order #1042')).toBeVisible()
  await page.getByRole('link', { name: 'Register' }).last().click()
  await expect(page.getByText('Register to pay for order #1042')).toBeVisible()
  await visit(page, '/dashboard')
  await expect(page.getByText('Log in to see your orders')).toBeVisible()
  await visit(page, '/login')
  await expect(page.getByText('Log in to')).toHaveCount(0)
})
