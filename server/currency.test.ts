import { afterEach, expect, test } from 'vitest'
import { formatDollars, setCurrency } from '#shop/money.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { keepCurrency } from './currency.ts'

afterEach(() => setCurrency('USD'))

test('amounts are in the currency of the shop, which stays once there are orders', async () => {
  const shop = await testShop()
  expect([1_234, 0.5, -12].map(formatDollars)).toEqual(['$1,234', '$0.50', '-$12'])
  await keepCurrency(shop.db, 'CHF')
  await keepCurrency(shop.db, 'EUR')
  expect([1_234, 0.5].map(formatDollars)).toEqual(['€1,234', '€0.50'])
  const client = await clientOf(shop, await createUser(shop, 'Ada'))
  const { _id: partId } = await createPart(shop)
  const order = await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  const { clientSecret } = await client.startPayment({ body: { price: 70, purchase: order._id } })
  const [id] = clientSecret.split('_secret_')
  expect(await shop.payments.find(id!)).toMatchObject({ amountCents: 7_000 })
  await keepCurrency(shop.db, 'EUR')
  await expect(keepCurrency(shop.db, 'USD')).rejects.toThrow(
    'This shop has orders in EUR, so its CURRENCY can’t be USD. Set it to EUR.',
  )
})
