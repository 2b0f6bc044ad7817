import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { orderLines, type Queries, reviewEmailOptOuts, users } from '#db/schema.ts'
import { formatDate } from '#shop/dates.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'
import { bankSdk } from '#test/bank.ts'
import { loseRace } from '#test/locks.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  type TestShop,
  testShop,
} from '#test/shop.ts'
import { askForReviews } from './requests.server.ts'

const review = { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }
const day = 24 * 60 * 60 * 1000

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const ada = await createUser(shop, 'Ada')
  const customer = await clientOf(shop, ada)
  const [chain, hub] = [await createPart(shop), await createPart(shop, { name: 'Hub' })]

  /** An order of both parts that was shipped so many days ago. */
  async function shipOrder(days: number, buyer = ada) {
    const lines = [chain, hub].map(({ _id: partId }) => ({ partId, quantity: 10 }))
    const client = await clientOf(shop, buyer)
    const order = await client.placeOrder({ body: { ...purchase, lines } })
    const [line] = order.lines
    const { transactionId } = await payOrderByCard(shop, buyer, { ...line!, price: order.price })
    await admin.shipOrder({ params: { id: order._id }, body: {} })
    const shippedAt = new Date(Date.now() - days * day).toISOString()
    await shop.db.update(orderLines).set({ shippedAt }).where(eq(orderLines.orderId, order._id))
    return { ...order, transactionId: transactionId! }
  }
  const readRequests = async () =>
    (await shop.mail.read({ q: 'How do you like' })).rows.map(({ to, subject }) => `${to}: ${subject}`)
  return { shop, admin, ada, customer, chain, hub, shipOrder, readRequests }
}

test('askForReviews sends one email per order from two weeks after it was shipped', async () => {
  const { shop, admin, customer, chain, shipOrder, readRequests } = await createScene()
  const order = await shipOrder(13)
  const refund = { amount: 69.99, reason: 'Late', returned: 0 }
  await admin.refundPurchase({ params: { id: order.lines[0]!._id }, body: refund })
  const { shippedAt } = await customer.readPurchase({ params: { id: order._id } })
  const shipped = Date.parse(shippedAt!)
  for (const wait of [14 * day - 1, 28 * day + 1]) await askForReviews(shop, shipped + wait)
  expect(await readRequests()).toEqual([])

  await askForReviews(shop, shipped + 14 * day)
  expect(await readRequests()).toEqual(['ada@example.com: How do you like Chain?'])
  const [email] = (await shop.mail.read({ q: 'How do you like' })).rows
  expect(email!.text).toContain(
    `On ${formatDate(shippedAt!, 'UTC')} we shipped Chain to you, from order #${order.number}.`,
  )
  expect(email!.text).toContain(`http://shop.test/dashboard/addReview?part=${chain._id}`)
  expect(email!.text).toContain(`${email!.unsubscribeUrl}`)
  // Another order of the same customer.
  await shipOrder(28 - 1 / 24)
  for (const _ of [1, 2]) await askForReviews(shop)
  expect(await readRequests()).toHaveLength(2)
})

test('two jobs at once send one email per order', async () => {
  const { shop, shipOrder, readRequests } = await createScene()
  await shipOrder(15)
  const job = () => askForReviews(shop)
  const lock = (tx: Queries) => tx.execute(sql`lock table review_requests in share mode`)
  const outcomes = await loseRace(shop, lock, [job, job])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await readRequests()).toHaveLength(1)
})

test('askForReviews asks for the part that the customer has not reviewed, and not at all when every part is', async () => {
  const { shop, customer, chain, hub, shipOrder, readRequests } = await createScene()
  await shipOrder(15)
  const bob = await createUser(shop, 'Bob')
  await shipOrder(1, bob)
  const asBob = await clientOf(shop, bob)
  for (const { _id: partId } of [chain, hub]) await asBob.addReview({ body: { ...review, partId } })
  await customer.addReview({ body: { ...review, partId: chain._id } })
  await askForReviews(shop)
  expect(await readRequests()).toEqual(['ada@example.com: How do you like Hub?'])
  await customer.addReview({ body: { ...review, partId: hub._id } })
  await shipOrder(15)
  await askForReviews(shop)
  expect(await readRequests()).toHaveLength(1)
})

test('askForReviews asks no admin and nobody without a confirmed address, nor about a refunded or deleted part, a disputed payment, or after four weeks', async () => {
  const { shop, admin, ada, chain, hub, shipOrder, readRequests } = await createScene()
  const { transactionId } = await shipOrder(15, await createUser(shop, 'Bob'))
  const { id } = await openDispute(shop.db, transactionId)
  await settlePayment(shop, (await shop.payments.find(transactionId))!)
  await askForReviews(shop)
  await bankSdk(shop).disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } })
  await settlePayment(shop, (await shop.payments.find(transactionId))!)
  const { lines } = await shipOrder(15)
  await shipOrder(29)
  const confirm = (emailConfirmedAt: string | null) =>
    shop.db.update(users).set({ emailConfirmedAt }).where(eq(users._id, ada._id))
  await confirm(null)
  await askForReviews(shop)
  expect(await readRequests()).toEqual([])
  await confirm(new Date().toISOString())
  await shop.db.update(users).set({ role: 'admin' }).where(eq(users._id, ada._id))
  await askForReviews(shop)
  expect(await readRequests()).toEqual([])
  await shop.db.update(users).set({ role: 'customer' }).where(eq(users._id, ada._id))
  const [ofChain] = lines
  const refund = (amount: number) =>
    admin.refundPurchase({ params: { id: ofChain!._id }, body: { amount, reason: 'Late', returned: 0 } })
  await refund(ofChain!.price)
  await admin.deleteProduct({ params: { id: hub._id } })
  await askForReviews(shop)
  expect([await readRequests(), chain.name]).toEqual([[], 'Chain'])
})

test('the link in the email ends these emails for its customer without a sign-in, and can resume them', async () => {
  const { shop, ada, shipOrder, readRequests } = await createScene()
  const eve = await createUser(shop, 'Eve')
  await shop.db.insert(reviewEmailOptOuts).values({ userId: eve._id })
  await shipOrder(15)
  await askForReviews(shop)
  const [email] = (await shop.mail.read({ q: 'How do you like' })).rows
  const token = new URL(email!.unsubscribeUrl!).searchParams.get('token')!
  const visitor = await clientOf(shop)
  const end = { body: { token, wanted: false } }
  expect(await visitor.updateReviewEmails(end)).toEqual({ modifiedCount: 1 })
  expect(await visitor.updateReviewEmails(end)).toEqual({ modifiedCount: 0 })
  const optedOut = async () =>
    (await shop.db.select().from(reviewEmailOptOuts)).map(({ userId }) => userId).toSorted()
  expect(await optedOut()).toEqual([ada._id, eve._id].toSorted())
  await shipOrder(15)
  await askForReviews(shop)
  expect(await readRequests()).toHaveLength(1)
  expect(await visitor.updateReviewEmails({ body: { token, wanted: true } })).toEqual({ modifiedCount: 1 })
  expect(await optedOut()).toEqual([eve._id])
  await askForReviews(shop)
  expect(await readRequests()).toHaveLength(2)

  const otherSubject = token.split('.').with(1, btoa(JSON.stringify({ sub: eve._id, aud: 'review emails' })))
  for (const forged of ['', 'x', otherSubject.join('.'), await accessTokenOf(shop, ada)])
    await expect(
      visitor.updateReviewEmails({ body: { token: forged, wanted: false } }),
    ).rejects.toMatchObject({ status: 400 })
})

function accessTokenOf(shop: TestShop, { _id }: Member) {
  return signToken(shop, 'access', { _id, tokenVersion: 0 })
}
