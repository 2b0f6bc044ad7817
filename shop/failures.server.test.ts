import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders, users } from '#db/schema.ts'
import { remindOrders } from '#shop/orders/close/expiry.server.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { askForReviews } from '#shop/reviews/requests.server.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'

const [minute, hour] = [60_000, 3_600_000]

test('a reminder, a shipping email or a request for a review that cannot be sent does not hold up the others', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { _id: partId } = await createPart(shop)
  const customers = [await createUser(shop, 'Bob'), await createUser(shop, 'Ada')]
  const placed = []
  for (const customer of customers) {
    const client = await clientOf(shop, customer)
    placed.push(await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } }))
  }
  const [bob, ada] = customers
  const setEmail = async (email: string) => {
    await shop.db.update(orders).set({ email }).where(eq(orders.userId, bob!._id))
    await shop.db.update(users).set({ email }).where(eq(users._id, bob!._id))
    // Another address is not confirmed.
    await shop.db.update(users).set({ emailConfirmedAt: new Date().toISOString() })
  }
  const newest = async () => {
    const { rows } = await shop.mail.read({ q: ada!.email })
    return rows.find(({ to }) => to === ada!.email)?.subject
  }

  await setEmail('no address')
  await expect(remindOrders(shop, Date.now() + 60 * hour)).rejects.toThrow(
    'Reminders that could not be sent: 1.',
  )
  expect(await newest()).toBe('Order #1002 is awaiting payment: 10 × Chain')
  await setEmail(bob!.email)
  for (const [i, order] of placed.entries()) {
    await payOrderByCard(shop, customers[i]!, order)
    await admin.shipPurchase({ params: { id: order._id } })
  }
  await setEmail('no address')
  await expect(sendShippingEmails(shop, Date.now() + 2 * minute)).rejects.toThrow(
    'Shipping emails that could not be sent: 1.',
  )
  expect(await newest()).toBe('Order #1002 has shipped: 10 × Chain')
  await expect(askForReviews(shop, Date.now() + 15 * 24 * hour)).rejects.toThrow(
    'Requests for a review that could not be sent: 1.',
  )
  expect(await newest()).toBe('How do you like Chain?')
})
