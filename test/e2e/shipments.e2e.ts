import { expectAccessible } from './axe.ts'
import {
  apiClientOf,
  payByApi,
  placePaidOrder,
  placePaidOrderOfSeveral,
  registerApiCustomer,
} from './orders.ts'
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

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'
const names = ['Fallow Rear Hub 32H, 12 x 148 mm', 'Meridian 12-Speed Chain', 'Bramble 29 x 2.4 Trail Tyre']

test('an admin ships 2 of 3 items with a tracking number, the customer sees them, and the status button ships the rest', async ({
  page,
  anotherBrowser,
}) => {
  const customer = await anotherBrowser()
  const name = `Greta ${uniqueWord()}`
  await registerByApi(customer, name)
  const client = await apiClientOf(customer)
  const { rows } = await client.listParts()
  const parts = names.map((name) => rows.find((part) => part.name === name)!)
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 60 }))
  const delivery = { address: '4 Canal Street, Bremen', phoneNumber: '01709876543' }
  const order = await client.placeOrder({ body: { lines, ...delivery } })
  const { clientSecret } = await client.startPayment({ body: { price: order.price, purchase: order._id } })
  const [transactionId = ''] = clientSecret.split('_secret_')
  await payByApi(customer, clientSecret)
  await client.payPurchase({ params: { id: order._id }, body: { transactionId } })

  await signInByApi(page, demoAdmin)
  await page.goto(`/dashboard/orders/${order._id}`)
  const ship = page.getByRole('button', { name: 'Ship items' })
  await ship.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Carrier'), 'what is typed first is no quantity').toBeFocused()
  await dialog.getByRole('button', { name: 'Clear quantities' }).click()
  await expect(dialog.getByLabel(names[0]!)).toBeFocused()
  await dialog.getByLabel(names[0]!).fill('61')
  await dialog.getByLabel(names[1]!).fill('60')
  await expect(dialog.getByLabel(names[2]!)).toHaveValue('')
  await dialog.getByLabel('Carrier').selectOption('UPS')
  await dialog.getByLabel('Tracking number').fill('1Z 999')
  await dialog.getByRole('button', { name: 'Ship 2 of 3 items' }).click()
  await expect(dialog.getByText('Enter 0 to 60')).toBeVisible()
  await expectAccessible(page, 'a shipment with a wrong quantity', 'dialog[open]')
  await dialog.getByLabel(names[0]!).fill('24')
  await expect(dialog).toContainText(`Ships later, in another shipment: 36 × ${names[0]} and 1 more item.`)
  await dialog.getByLabel(names[0]!).press('Enter')
  const shipPart = dialog.getByRole('button', { name: 'Ship part of the order' })
  await expect(shipPart, 'Enter in a field cuts no order').toBeFocused()
  expect(await client.listShipments({ params: { id: order._id } })).toEqual([])
  await shipPart.dblclick()
  await expect(dialog, 'the second click is no answer').toContainText('This doesn’t look like a UPS number.')
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Ship anyway' }).dblclick({ timeout: 1_000 })
    await expect(toast(page, 'Shipment added.')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page.getByRole('link', { name: 'Track UPS 1Z 999' })).toHaveCount(1)
  await expect(ship).toBeFocused()
  await page.goto(`/dashboard/orders/${order.lines[2]!._id}?item`)
  await page.getByRole('button', { name: 'Pending' }).click()
  await expect(dialog, 'an item’s page asks, too').toContainText('Ship the whole order, or only')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await customer.goto(`/dashboard/orders/${order._id}`)
  const link = customer.getByRole('link', { name: 'Track UPS 1Z 999' })
  await expect(link).toHaveAttribute('href', 'https://www.ups.com/track?tracknum=1Z999')
  const shipments = customer.getByRole('region', { name: 'Shipments' })
  await expect(shipments).toContainText(`24 × ${names[0]}60 × ${names[1]}`)
  await expect(shipments.getByRole('button')).toHaveCount(0)
  await expect(customer.getByRole('list', { name: 'Timeline' })).toContainText(
    `Shipped 24 × ${names[0]} and 1 more item`,
  )
  await navigate(customer, '/dashboard')
  await expect(customer.getByRole('row').filter({ hasText: names[0]! })).toContainText('24 of 60 shipped')
  const track = customer.getByRole('link', { name: /^Track order #/ })
  await expect(track).toHaveAttribute('href', 'https://www.ups.com/track?tracknum=1Z999')

  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: name, status: 'pending' })}`)
  const row = rowsOf(page, name).filter({ hasText: names[0]! })
  await expect(row).toContainText('24 of 60 shipped')
  await row.getByRole('button', { name: 'Pending' }).click()
  await expect(dialog).toContainText(
    'Ships 1 of 2 items. The other one ships later, in a shipment of its own.',
  )
  await dialog.getByRole('button', { name: 'Ship only this item' }).click()
  await expect(row.getByRole('button', { name: /^Shipped, / })).toBeVisible()
  await expect(row).not.toContainText('of 60 shipped')
  await row.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('24 of 60 shipped')

  // In another tab.
  const { shipPurchase } = await apiClientOf(page)
  const shipIt = (shipping: boolean) =>
    shipPurchase({ params: { id: order.lines[0]!._id }, body: { shipping } })
  await shipIt(true)
  await row.getByRole('button', { name: 'Pending' }).click()
  await dialog.getByRole('button', { name: 'Ship only this item' }).click()
  await expect(toast(page, 'This item was already shipped.')).toBeVisible()
  await expect(row.getByRole('button', { name: /^Shipped, / })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Undo' }), 'of what was shipped elsewhere').toHaveCount(0)
  await shipIt(false)
  await page.reload()

  await row.getByRole('button', { name: 'Pending' }).click()
  await dialog.getByRole('button', { name: 'Ship only this item' }).click()
  await expect(row.getByRole('button', { name: 'Undo' })).toBeVisible()
  await row.getByRole('link', { name }).click()
  await ship.click()
  await dialog.getByRole('button', { name: 'Ship items' }).click()
  await expect(page.getByRole('region', { name: 'Shipments' }).getByText(/^60 × Bramble/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit tracking, 24 × / })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Add tracking, 36 × / })).toBeVisible()
  await expect(page.getByRole('main'), 'where the keyboard goes on').toBeFocused()

  const [line] = order.lines
  await (await apiClientOf(page)).refundPurchase({
    params: { id: line!._id },
    body: { amount: line!.price, reason: 'Bent', returned: 0 },
  })
  await page.reload()
  await expect(page.getByText('Refunded for this item')).toBeVisible()
  await expect(
    page.getByRole('link', { name: 'Packing slip', exact: true }),
    'of the other items',
  ).toBeVisible()
})

test('tracking numbers stay typed when another order is shipped, and one for two customers is asked about', async ({
  page,
  origin,
}) => {
  const word = uniqueWord()
  const [ida, bo] = [
    await registerApiCustomer(origin, `Ida ${word}`),
    await registerApiCustomer(origin, `Bo ${word}`),
  ]
  const [first, second, later] = [
    await placePaidOrder(ida, tube, 100),
    await placePaidOrder(bo, tube, 100),
    await placePaidOrderOfSeveral(bo, 2),
  ]
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: word, status: 'pending' })}`)
  for (const { number } of [first, second])
    await page.getByLabel(new RegExp(`^Select order #${number} `)).check()
  await page.getByRole('button', { name: 'Ship 2 orders' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ship 2 orders' }).click()
  const outcome = page.getByRole('region', { name: 'Shipped' })
  const fieldOf = ({ number }: { number: string }) => outcome.getByLabel(new RegExp(`^#${number} `))
  await fieldOf(first).fill('1Z999AA10123456784')
  await fieldOf(second).fill('1z 999 aa10 1234 56784')

  await page.getByRole('button', { name: `Ship order #${later.number}` }).click()
  await expect(outcome).toContainText('3 orders shipped.')
  await expect(outcome.getByRole('link', { name: '3 packing slips' })).toBeVisible()
  const parcels = outcome.getByRole('listitem').filter({ has: page.getByRole('textbox') })
  await expect(parcels, 'newest first').toHaveText([
    new RegExp(`^#${later.number} `),
    new RegExp(`^#${first.number} `),
    new RegExp(`^#${second.number} `),
  ])
  await outcome.getByRole('button', { name: 'Undo the last order' }).click()
  await expect(outcome).toContainText('2 orders shipped.')
  await page.reload()
  await expect(fieldOf(first)).toHaveValue('1Z999AA10123456784')
  await expect(fieldOf(second)).toHaveValue('1z 999 aa10 1234 56784')
  await expect(outcome.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  await outcome.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toContainText('Close without saving 2 tracking numbers you entered?')
  await dialog.getByRole('button', { name: 'Keep open' }).click()

  await outcome.getByRole('button', { name: 'Save tracking numbers' }).click()
  await expect(outcome).toContainText(`Also typed for order #${first.number}.`)
  await expectAccessible(page, 'the same number twice')
  await expect(async () => {
    await outcome.getByRole('button', { name: 'Save anyway' }).click({ timeout: 1_000 })
    await expect(outcome).toContainText('Tracking of 2 shipments saved', { timeout: 1_000 })
  }).toPass()
  await outcome.getByRole('button', { name: 'Close' }).click()
  await expect(outcome).toHaveCount(0)

  await navigate(page, `/dashboard/manageAllOrders?${new URLSearchParams({ q: word, status: 'shipped' })}`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Tracking numbers' }).click()
  await expect(fieldOf(second)).toHaveValue('1z 999 aa10 1234 56784')
  await expect(outcome).toBeFocused()
  await expect(outcome.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await bar.getByRole('button', { name: '2 packing slips' }).click()
  await expect(page.getByText('2 parcels, each on a page of its own.')).toBeVisible()
})
