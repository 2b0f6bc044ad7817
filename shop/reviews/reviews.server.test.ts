import { expect, test } from 'vitest'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  type TestShop,
  testShop,
} from '#test/shop.ts'
import { readPartRating } from './reviews.server.ts'

const review = { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }

test('addReview uses the author’s name and picture and ignores those in the request', async () => {
  const shop = await testShop()
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  await ada.addReview({
    body: { ...review, name: 'Admin', image: 'https://evil.example/x.png' } as typeof review,
  })
  const { rows } = await (await clientOf(shop)).listReviews()
  expect(rows).toEqual([
    { _id: expect.any(String), name: 'Ada', image: null, ...review, verifiedBuyer: false, answer: null },
  ])
})

test('listReviews returns reviews newest first', async () => {
  const shop = await testShop()
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  for (const rating of [1, 2, 3]) await ada.addReview({ body: { ...review, rating } })
  const { rows, total } = await ada.listReviews({ body: { limit: 2 } })
  expect([rows.map((row) => row.rating), total]).toEqual([[3, 2], 3])
})

test('addReview rejects a missing text or a rating out of range', async () => {
  const shop = await testShop()
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  for (const rating of [0, 6, 4.5, -1, 'five']) {
    await expect(ada.addReview({ body: { ...review, rating } })).rejects.toMatchObject({ status: 400 })
  }
  await expect(ada.addReview({ body: { address: ' ', reviews: '', rating: 5 } })).rejects.toMatchObject({
    fields: { address: ['Address is required'], reviews: ['review is required'] },
  })
  expect((await ada.listReviews()).total).toBe(0)
})

test('addReview creates one review per Idempotency-Key', async () => {
  const shop = await testShop()
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  const [one, two] = [
    await ada.addReview({ body: review, key: 'k' }),
    await ada.addReview({ body: review, key: 'k' }),
  ]
  expect(two).toEqual(one)
  expect((await ada.listReviews()).total).toBe(1)
})

/** A customer who has paid for an order of a part. */
async function createBuyer(shop: TestShop, name: string, partId: string) {
  const member = await createUser(shop, name)
  const client = await clientOf(shop, member)
  const order = await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  await payOrderByCard(shop, member, order)
  return { member, client, order }
}

test('a customer reviews a part once, and only with a paid order of it', async () => {
  const shop = await testShop()
  const [{ _id: partId }, other] = [await createPart(shop), await createPart(shop, { name: 'Hub' })]
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  const body = { ...review, partId }
  const params = { partId }
  const { client: bob } = await createBuyer(shop, 'Bob', partId)
  await bob.addReview({ body: review })
  await ada.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  await expect(ada.addReview({ body })).rejects.toMatchObject({
    status: 409,
    message: 'Only customers who have bought Chain can review it.',
  })
  expect(await ada.readPartReviewStatus({ params })).toEqual({ bought: false, reviewed: false })

  await expect(bob.addReview({ body: { ...review, partId: other._id } })).rejects.toMatchObject({
    status: 409,
  })
  expect(await bob.readPartReviewStatus({ params })).toEqual({ bought: true, reviewed: false })
  expect(await bob.listReviewableParts()).toMatchObject([{ _id: partId, name: 'Chain' }])
  expect(await ada.listReviewableParts()).toEqual([])
  await bob.addReview({ body })
  expect(await bob.listReviewableParts()).toEqual([])
  expect(await bob.readPartReviewStatus({ params })).toEqual({ bought: true, reviewed: true })
  await expect(bob.addReview({ body })).rejects.toMatchObject({
    status: 409,
    message: 'You’ve already reviewed Chain.',
  })
  expect(await ada.readPartReviewStatus({ params })).toEqual({ bought: false, reviewed: false })
  const ofOther = await bob.readPartReviewStatus({ params: { partId: other._id } })
  expect(ofOther).toEqual({ bought: false, reviewed: false })
  await expect(bob.addReview({ body: { ...review, partId: 'none' } })).rejects.toMatchObject({ status: 404 })
  expect((await ada.listPartReviews({ params })).total).toBe(1)
})

test('reviews of a part and of the shop are listed apart, and those of people who had paid name them verified buyers', async () => {
  const shop = await testShop()
  const { _id: partId } = await createPart(shop)
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  const { client: bob } = await createBuyer(shop, 'Bob', partId)
  await ada.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  await ada.addReview({ body: { ...review, verifiedBuyer: true } as typeof review })
  await bob.addReview({ body: review })
  await bob.addReview({ body: { ...review, partId } })
  const ofShop = await ada.listReviews()
  expect(ofShop.rows.map(({ name, verifiedBuyer }) => [name, verifiedBuyer])).toEqual([
    ['Bob', true],
    ['Ada', false],
  ])
  const ofPart = await ada.listPartReviews({ params: { partId } })
  expect(ofPart).toMatchObject({ total: 1, rows: [{ name: 'Bob', verifiedBuyer: true }] })
  await expect(ada.listPartReviews({ params: { partId: 'none' } })).rejects.toMatchObject({ status: 404 })
})

test('the rating of a part is the average of its reviews, rounded to one decimal', async () => {
  const shop = await testShop()
  const [{ _id: partId }, hub] = [
    await createPart(shop, { availableQuantity: 100 }),
    await createPart(shop, { name: 'Hub' }),
  ]
  expect(await readPartRating(shop, partId)).toBeNull()
  const { client: zoe } = await createBuyer(shop, 'Zoe', hub._id)
  await zoe.addReview({ body: { ...review, rating: 1, partId: hub._id } })
  for (const [name, rating] of [
    ['Ada', 5],
    ['Bob', 4],
    ['Cleo', 4],
    ['Dora', 4],
  ] as const) {
    const { client } = await createBuyer(shop, name, partId)
    await client.addReview({ body: { ...review, rating, partId } })
    await client.addReview({ body: { ...review, rating: 1 } })
  }
  expect(await readPartRating(shop, partId)).toBe('4.3')
  for (const [id, total] of [
    [partId, 4],
    [hub._id, 1],
  ] as const)
    expect(await zoe.listPartReviews({ params: { partId: id } })).toMatchObject({ total })
})
