import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'
import { readPartRating } from './reviews.server.ts'

const review = { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }

async function createScene() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const ada = await createUser(shop, 'Ada')
  const customer = await clientOf(shop, ada)
  const { _id: partId } = await createPart(shop)
  const order = await customer.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  await payOrderByCard(shop, ada, order)
  const { insertedId: ofShop } = await customer.addReview({ body: review })
  const { insertedId: ofPart } = await customer.addReview({
    body: { ...review, reviews: 'A señorial chain.', rating: 3, partId },
  })
  return { shop, admin, customer, partId, order, ofShop, ofPart }
}

test('a hidden review is in no public list and no rating, keeps its text, and can be shown again', async () => {
  const { shop, admin, customer, partId, order, ofShop, ofPart } = await createScene()
  const countPublic = async () => [
    (await customer.listReviews()).total,
    (await customer.listPartReviews({ params: { partId } })).total,
    await readPartRating(shop, partId),
  ]
  expect(await countPublic()).toEqual([1, 1, '3.0'])
  await admin.hideReview({ params: { id: ofPart }, body: { reason: 'Off topic' } })
  expect(await countPublic()).toEqual([1, 0, null])
  for (const id of [ofShop, ofPart]) {
    expect(await admin.hideReview({ params: { id }, body: { reason: 'Spam' } })).toEqual({ modifiedCount: 1 })
    expect(await admin.hideReview({ params: { id }, body: { reason: 'Spam' } })).toEqual({ modifiedCount: 0 })
  }
  expect(await countPublic()).toEqual([0, 0, null])
  const { rows } = await admin.listAllReviews()
  expect(rows).toMatchObject([
    {
      reviews: 'A señorial chain.',
      hiddenReason: 'Spam',
      part: { _id: partId, name: 'Chain', image: expect.stringContaining('/') },
      order: { _id: order.orderId, number: order.number },
    },
    { reviews: 'Runs true.', hiddenReason: 'Spam', part: null, order: null },
  ])
  await admin.showReview({ params: { id: ofShop } })
  expect(await countPublic()).toEqual([1, 0, null])
  await admin.showReview({ params: { id: ofPart } })
  expect(await admin.showReview({ params: { id: ofShop } })).toEqual({ modifiedCount: 0 })
  expect(await countPublic()).toEqual([1, 1, '3.0'])
})

test('hiding a review requires a reason, and neither hiding nor answering changes a review that does not exist', async () => {
  const { admin, ofShop: id } = await createScene()
  await expect(admin.hideReview({ params: { id }, body: { reason: ' ' } })).rejects.toMatchObject({
    fields: { reason: ['Reason is required'] },
  })
  const params = { id: 'none' }
  for (const call of [
    () => admin.hideReview({ params, body: { reason: 'Spam' } }),
    () => admin.showReview({ params }),
    () => admin.answerReview({ params, body: { answer: 'Thanks.' } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404, message: 'This review doesn’t exist.' })
})

test('a review has one public answer, which can be changed', async () => {
  const { admin, customer, partId, ofPart: id } = await createScene()
  const readAnswer = async () => (await customer.listPartReviews({ params: { partId } })).rows[0]!.answer
  expect(await readAnswer()).toBeNull()
  await admin.answerReview({ params: { id }, body: { answer: 'Thank you.' } })
  expect(await readAnswer()).toBe('Thank you.')
  await admin.answerReview({ params: { id }, body: { answer: 'Thank you, Ada.' } })
  expect(await readAnswer()).toBe('Thank you, Ada.')
  expect((await customer.listReviews()).rows).toMatchObject([{ answer: null }])
})

test('an answer replaces only the one that was read', async () => {
  const { admin, customer, partId, ofPart: id } = await createScene()
  const save = (answer: string, before: string | null) =>
    admin.answerReview({ params: { id }, body: { answer, before } })
  await save('Thank you.', null)
  const message = 'Another admin changed this to “Thank you.”. Save again to replace it.'
  await expect(save('Thanks.', null)).rejects.toMatchObject({ status: 409, fields: { answer: [message] } })
  expect(await save('Thank you.', null)).toEqual({ modifiedCount: 0 })
  await save('Thanks.', 'Thank you.')
  expect((await customer.listPartReviews({ params: { partId } })).rows[0]!.answer).toBe('Thanks.')
})

test('listAllReviews supports search without regard to accents, filters, sort and paging', async () => {
  const { admin, ofShop, ofPart } = await createScene()
  await admin.hideReview({ params: { id: ofPart }, body: { reason: 'Spam' } })
  const find = async (body: Parameters<typeof admin.listAllReviews>[0] extends infer T ? T : never) =>
    (await admin.listAllReviews(body)).rows.map(({ _id }) => _id)
  expect(await find({})).toEqual([ofPart, ofShop])
  expect(await find({ body: { sort: 'added' } })).toEqual([ofShop, ofPart])
  expect(await find({ body: { sort: '-rating' } })).toEqual([ofShop, ofPart])
  for (const q of ['ada senorial', 'GDYNIA SEÑORIAL']) expect(await find({ body: { q } })).toEqual([ofPart])
  expect(await find({ body: { status: 'hidden' } })).toEqual([ofPart])
  expect(await find({ body: { status: 'shown' } })).toEqual([ofShop])
  expect(await find({ body: { of: 'parts' } })).toEqual([ofPart])
  expect(await find({ body: { of: 'shop' } })).toEqual([ofShop])
  expect(await find({ body: { limit: 1, page: 2 } })).toEqual([ofShop])
  expect(await find({ body: { answer: 'missing' } }), 'not the one that is hidden').toEqual([ofShop])
  expect(await find({ body: { rating: 'low' } })).toEqual([])
  await admin.answerReview({ params: { id: ofShop }, body: { answer: 'Thank you.' } })
  expect(await find({ body: { answer: 'missing' } })).toEqual([])
})

test('reviews of one and two stars are low ratings, and all pages of them are counted', async () => {
  const { admin, customer } = await createScene()
  for (const rating of [2, 1, 2]) await customer.addReview({ body: { ...review, rating } })
  const { rows, total } = await admin.listAllReviews({ body: { rating: 'low', limit: 2 } })
  expect(rows.map(({ rating }) => rating)).toEqual([2, 1])
  expect(total).toBe(3)
})
