import { expect, test } from 'vitest'
import { clientOf, createUser, testShop } from '#test/shop.ts'

const review = { address: 'Gdynia', reviews: 'Runs true.', rating: 5 }

test('addReview uses the author’s name and picture and ignores those in the request', async () => {
  const shop = await testShop()
  const ada = await clientOf(shop, await createUser(shop, 'Ada'))
  await ada.addReview({
    body: { ...review, name: 'Admin', image: 'https://evil.example/x.png' } as typeof review,
  })
  const { rows } = await (await clientOf(shop)).listReviews()
  expect(rows).toEqual([{ _id: expect.any(String), name: 'Ada', image: null, ...review }])
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
