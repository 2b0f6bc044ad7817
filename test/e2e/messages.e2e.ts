import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { expectAccessible } from './axe.ts'
import { apiClientOf, placeOrderOfSeveral, placePaidOrder, registerApiCustomer } from './orders.ts'
import {
  demoAdmin,
  expect,
  navigate,
  registerByApi,
  rowsOf,
  signInByApi,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

test('an admin takes a message, keeps the reply over a reload, sends it, and the customer’s email quotes the message', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/replies/)
  const name = `Greta ${uniqueWord()}`
  const email = `${uniqueWord()}@example.com`
  const visitor = createClient(api, { origin, token: () => null })
  const long = `Where is my order #1001?\n${'The caps of my hubs are wrong.\n'.repeat(9)}`
  await visitor.sendMessage({ body: { name, email, phone: '5550100', message: long } })
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/messages?${new URLSearchParams({ q: name })}`)
  await rowsOf(page, name).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name: `Message from ${name}` })).toBeFocused()
  await expect(page.getByRole('link', { name: '#1001' })).toHaveAttribute('href', '/dashboard/orders/1001')
  await page.setViewportSize({ width: 360, height: 780 })
  await page.reload()
  const message = page.getByRole('article').getByText('Where is my order')
  const [text, field] = [await message.boundingBox(), await page.getByLabel('Reply').boundingBox()]
  expect(field!.y, 'of the reply, below a long message').toBeGreaterThan(text!.y + text!.height)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('article').getByLabel('Assigned to').selectOption({ label: demoAdmin.name })
  await expect(toast(page, `Assigned to ${demoAdmin.name}`)).toBeVisible()
  const reply = page.getByLabel('Reply')
  await expect(reply).toHaveValue(`Hello ${name},\n\n`)
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Write your message below the greeting.')).toBeVisible()
  await reply.fill('It left on Monday.')
  await page.reload()
  await expect(reply).toHaveValue('It left on Monday.')
  await expect(page.getByRole('button', { name: 'Send reply' })).toBeInViewport({ ratio: 1 })
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  await (await apiClientOf(page)).replyToMessage({ params: { id }, body: { text: 'We’re looking.' } })
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByRole('alert')).toContainText('There’s a newer reply.')
  await expect(page.getByRole('listitem').filter({ hasText: 'We’re looking.' })).toBeVisible()
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(toast(page, `Reply sent to ${email}`)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'It left on Monday.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark as new' })).toBeVisible()
  await expect(reply).toHaveValue(`Hello ${name},\n\n`)

  await navigate(page, `/outbox?${new URLSearchParams({ q: `${email} monday` })}`)
  await expect(page.getByText('> Where is my order #1001?')).toBeVisible()
})

test('a customer asks about items of an order on its own page, finds the answer in the dashboard and answers there', async ({
  page,
  anotherBrowser,
}) => {
  const account = await registerByApi(page, `Ida ${uniqueWord()}`)
  await visit(page, '/dashboard')
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(menu.getByRole('link', { name: 'My Profile' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Messages' })).toHaveCount(0)
  const order = await placeOrderOfSeveral(page, 3)
  const [, second] = order.lines
  await navigate(page, `/dashboard/orders/${order._id}`)
  await page.getByRole('link', { name: 'Something is wrong with this order' }).click()
  const message = page.getByLabel('Your Message')
  await message.fill('It arrived bent.')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await page.getByLabel(second!.parts).check()
  await expectAccessible(page, 'the page that asks about an order')
  await page.reload()
  await expect(message).toHaveValue('It arrived bent.')
  await expect(page.getByLabel(second!.parts)).toBeChecked()
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`About order #${order.number}`)
  await expect(menu.getByRole('link', { name: 'Messages' })).toHaveAttribute('aria-current', 'page')
  const id = new URL(page.url()).pathname.split('/').at(-1)!

  const office = await anotherBrowser({ viewport: { width: 1280, height: 900 } })
  await signInByApi(office, demoAdmin)
  await visit(office, `/dashboard/messages?${new URLSearchParams({ q: account.name })}`)
  const list = office.getByRole('region', { name: 'Messages' })
  await rowsOf(office, account.name).getByRole('link', { name: account.name }).press('Enter')
  await expect(office.getByRole('heading', { name: `Message from ${account.name}` })).toBeFocused()
  await expect(list).toBeVisible()
  const facts = office.getByRole('complementary', { name: 'Customer and order' })
  const card = facts.getByRole('region', { name: `Order #${order.number}` })
  await expect(card).toContainText('Awaiting payment')
  await expect(card.getByRole('listitem').first()).toHaveText(new RegExp(`× ${second!.parts}Asked about$`))
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await expect(card.getByRole('link')).toHaveText(['Open order'])
  await expectAccessible(office, 'a conversation beside the list')
  await office.keyboard.press('Escape')
  await expect(list.getByRole('link', { name: account.name })).toBeFocused()
  // What was typed is there again after another conversation.
  const reply = office.getByLabel('Reply')
  await reply.fill('We send another one.')
  await navigate(office, '/dashboard/messages')
  await expect(list.locator('[aria-current=page]')).toHaveCount(1)
  await office.goBack()
  await expect(office.getByRole('heading', { name: `Message from ${account.name}` })).toBeVisible()
  await expect(reply).toHaveValue('We send another one.')
  await office.setViewportSize({ width: 800, height: 900 })
  await expect(list).toBeHidden()
  await office.getByRole('button', { name: 'Send reply' }).click()
  await expect(toast(office, `Reply sent to ${account.email}`)).toBeVisible()
  await office.getByRole('link', { name: 'Back to messages' }).click()
  await expect(list).toBeVisible()

  await navigate(page, '/dashboard/questions')
  await expect(page.getByRole('listitem').filter({ hasText: 'bent' })).toContainText('Answered')
  await page.getByRole('link', { name: `Order #${order.number}` }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'We send another one.' })).toContainText(
    'Winged Wheels',
  )
  const myCard = page.getByRole('region', { name: `Order #${order.number}` })
  await expect(myCard.getByRole('link', { name: 'Open order' })).toHaveAttribute(
    'href',
    `/dashboard/orders/${order._id}`,
  )
  await expect(page.getByLabel('Reply')).toBeInViewport()
  await page.getByLabel('Reply').fill('Thank you.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(toast(page, 'Reply sent')).toBeVisible()
  await expectAccessible(page, 'a conversation of a customer')
  const admin = await apiClientOf(office)
  expect(await admin.readMessage({ params: { id } })).toMatchObject({
    answeredAt: null,
    replies: [{ fromCustomer: false }, { fromCustomer: true, text: 'Thank you.' }],
  })
})

test('an admin writes to the customer from an order, who finds it unread in the dashboard and answers there', async ({
  page,
  anotherBrowser,
}) => {
  const account = await registerByApi(page, `Una ${uniqueWord()}`)
  const order = await placeOrderOfSeveral(page, 2)
  const office = await anotherBrowser({ viewport: { width: 1280, height: 900 } })
  await signInByApi(office, demoAdmin)
  await visit(office, `/dashboard/orders/${order._id}`)
  await office.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(office.getByRole('heading', { level: 1 })).toHaveText(
    `Write to ${account.name} about order #${order.number}`,
  )
  const message = office.getByLabel('Your Message')
  await expect(message).toHaveValue(`Hello ${account.name},\n\n`)
  await message.fill('The hubs are a day late.')
  await expectAccessible(office, 'the page that writes to a customer')
  await office.reload()
  await expect(message).toHaveValue('The hubs are a day late.')
  await office.getByRole('button', { name: 'Send Message' }).click()
  await expect(toast(office, `Message sent to ${account.email}`)).toBeVisible()
  await expect(office.getByRole('heading', { name: `Message to ${account.name}` })).toBeVisible()
  await expect(rowsOf(office, account.name)).toContainText('Answered')
  await navigate(office, `/dashboard/orders/${order._id}`)
  await expect(office.getByText('Wrote to customer')).toBeVisible()

  await visit(page, '/dashboard')
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  const entry = menu.getByRole('listitem').filter({ hasText: 'Messages' })
  await expect(entry).toHaveText('Messages1 new')
  await menu.getByRole('link', { name: 'Messages' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'a day late' })
  await expect(row).toContainText('Unread')
  await expectAccessible(page, 'unread messages')
  await row.getByRole('link', { name: `Order #${order.number}` }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'a day late' })).toContainText('Winged Wheels')
  await expect(entry).toHaveText('Messages')
  await page.getByLabel('Reply').fill('No hurry.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(toast(page, 'Reply sent')).toBeVisible()
  await navigate(page, '/dashboard/questions')
  await expect(row).toContainText('Waiting for our answer')
  await navigate(office, `/dashboard/messages?${new URLSearchParams({ q: account.name })}`)
  await expect(rowsOf(office, account.name)).toContainText('New')
})

test('a message marked as answered makes way for the next new one, and its order’s card opens the refund and the shipment', async ({
  page,
  origin,
}) => {
  const customer = await registerApiCustomer(origin, `Asta ${uniqueWord()}`)
  const order = await placePaidOrder(customer, 'Everyday 700C Inner Tube, Presta 48 mm', 100)
  const client = await apiClientOf(customer)
  for (const message of ['Which valve is it?', 'When does it ship?', 'Is it boxed?'])
    await client.askAboutOrder({ params: { id: order._id }, body: { message, items: [] } })
  await signInByApi(page, demoAdmin)
  await page.setViewportSize({ width: 1280, height: 900 })
  await visit(page, `/dashboard/messages?${new URLSearchParams({ q: customer.name })}`)
  const rows = rowsOf(page, customer.name)
  await expect(rows).toHaveText([/Is it boxed/, /When does it ship/, /Which valve/])
  const thread = page.getByRole('list', { name: 'Conversation' })
  await expect(thread, 'of the first new message').toContainText('Is it boxed?')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1).getByRole('link', { name: customer.name })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(thread).toContainText('When does it ship?')
  const answered = page.getByRole('button', { name: 'Mark as answered' })
  await answered.click()
  await expect(thread).toContainText('Which valve is it?')
  await expect(rows).toContainText(['New', 'Answered', 'New'])
  await page.getByLabel('Reply').fill('A Presta valve.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: 'Next new message' }).click()
  await expect(thread).toContainText('Is it boxed?')
  await expect(page.getByRole('heading', { level: 2, name: /^Message from / })).toBeInViewport()
  await page.setViewportSize(wide)
  await page.goBack()
  await page.getByRole('button', { name: 'Mark as new' }).click()
  await answered.click()
  await expect(thread, 'from the top again').toContainText('Is it boxed?')
  await answered.click()
  await expect(page.getByRole('button', { name: 'Mark as new' }), 'the last one stays').toBeVisible()
  await expect(thread).toContainText('Is it boxed?')
  await navigate(page, `/dashboard/messages?${new URLSearchParams({ q: customer.name })}`)
  await expect(page.getByText('All of these are answered.')).toBeVisible()
  await page.goBack()

  const facts = page.getByRole('complementary', { name: 'Customer and order' })
  await expect(facts.getByRole('heading')).toHaveText([`Order #${order.number}`, customer.name, 'Deliver to'])
  const card = page.getByRole('region', { name: `Order #${order.number}` })
  await card.getByRole('link', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Refund order #${order.number}`)
  await expect(page).toHaveURL(`/dashboard/orders/${order.orderId}`)
  await page.keyboard.press('Escape')
  await page.goBack()
  await card.getByRole('link', { name: 'Ship' }).click()
  await expect(dialog).toContainText(`Ship items of order #${order.number}`)

  await page.setViewportSize({ width: 360, height: 500 })
  await visit(page, `/dashboard/messages?${new URLSearchParams({ q: customer.name })}`)
  await rows.nth(2).scrollIntoViewIfNeeded()
  const place = () => page.evaluate(() => scrollY)
  const left = await place()
  expect(left).toBeGreaterThan(0)
  await rows.nth(2).getByRole('link', { name: customer.name }).click()
  await expect(page.getByRole('heading', { name: `Message from ${customer.name}` })).toBeInViewport()
  await page.getByRole('link', { name: 'Back to messages' }).click()
  await expect(rows).toHaveCount(3)
  expect(await place(), 'of the list').toBe(left)
})
