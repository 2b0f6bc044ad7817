import { expect, test } from 'vitest'
import { idempotencyKeys, rateLimits, usedIdTokens, webhookEvents } from '#db/schema.ts'
import { clientOf, testShop } from '#test/shop.ts'
import { purgeExpired } from './purge.server.ts'

const hour = 60 * 60 * 1000

test('purgeExpired removes idempotency keys after a day and rate limits when they expire', async () => {
  const shop = await testShop({ rateLimits: true })
  const body = { name: 'Ada', email: 'ada@example.com', phone: '5550100', message: 'Hello' }
  await (await clientOf(shop)).sendMessage({ body, key: 'k' })
  const countStored = async () => [await shop.db.$count(idempotencyKeys), await shop.db.$count(rateLimits)]

  await purgeExpired(shop, Date.now() + 0.9 * hour)
  expect(await countStored()).toEqual([1, 1])
  await purgeExpired(shop, Date.now() + 1.1 * hour)
  expect(await countStored()).toEqual([1, 0])
  await purgeExpired(shop, Date.now() + 23.9 * hour)
  expect(await countStored()).toEqual([1, 0])
  await purgeExpired(shop, Date.now() + 24.1 * hour)
  expect(await countStored()).toEqual([0, 0])
})

test('purgeExpired removes spent ID tokens when they expire', async () => {
  const shop = await testShop()
  const expiresAt = new Date(Date.now() + hour).toISOString()
  await shop.db.insert(usedIdTokens).values({ id: 'a', expiresAt })
  await purgeExpired(shop, Date.now() + 0.9 * hour)
  expect(await shop.db.$count(usedIdTokens)).toBe(1)
  await purgeExpired(shop, Date.now() + 1.1 * hour)
  expect(await shop.db.$count(usedIdTokens)).toBe(0)
})

test('purgeExpired removes webhook events after a week', async () => {
  const shop = await testShop()
  const day = 24 * 60 * 60 * 1000
  await shop.db.insert(webhookEvents).values({ _id: 'evt_1' })
  await purgeExpired(shop, Date.now() + 6 * day)
  expect(await shop.db.$count(webhookEvents)).toBe(1)
  await purgeExpired(shop, Date.now() + 8 * day)
  expect(await shop.db.$count(webhookEvents)).toBe(0)
})
