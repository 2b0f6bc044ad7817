import { expect, test } from 'vitest'
import {
  basketItems,
  emailConfirmations,
  idempotencyKeys,
  rateLimits,
  usedIdTokens,
  webhookEvents,
} from '#db/schema.ts'
import { pickTerms } from '#shop/basket/items.ts'
import { createPart, createUser, type TestShop, testShop } from '#test/shop.ts'
import { purgeExpired } from './purge.server.ts'

const [second, day] = [1_000, 24 * 60 * 60 * 1000]
const now = Date.parse('2028-03-01T00:00:00.000Z')
const at = (ms: number) => new Date(now + ms).toISOString()

/** Each adds a row whose time is up at `now`, and one that has a second left. */
const rows: Record<string, (shop: TestShop) => Promise<() => Promise<number>>> = {
  async 'idempotency keys, which are kept for a day'({ db }) {
    const key = (createdAt: string) => ({ key: createdAt, fingerprint: '-', createdAt })
    await db.insert(idempotencyKeys).values([key(at(-day - 1)), key(at(second - day))])
    return () => db.$count(idempotencyKeys)
  },
  async 'rate limits'({ db }) {
    const limit = (key: string, ms: number) => ({ key, points: 1, expire: new Date(now + ms) })
    await db.insert(rateLimits).values([limit('a', -1), limit('b', second)])
    return () => db.$count(rateLimits)
  },
  async 'spent ID tokens'({ db }) {
    await db.insert(usedIdTokens).values([-1, second].map((ms) => ({ id: String(ms), expiresAt: at(ms) })))
    return () => db.$count(usedIdTokens)
  },
  async 'confirmation links'(shop) {
    const { _id: userId, email } = await createUser(shop, 'Ada')
    const link = (ms: number) => ({ tokenHash: String(ms), userId, email, expiresAt: at(ms) })
    await shop.db.insert(emailConfirmations).values([link(-1), link(second)])
    return () => shop.db.$count(emailConfirmations)
  },
  async 'webhook events, which are kept for a week'({ db }) {
    const event = (createdAt: string) => ({ _id: createdAt, createdAt })
    await db.insert(webhookEvents).values([event(at(-7 * day - 1)), event(at(second - 7 * day))])
    return () => db.$count(webhookEvents)
  },
  async 'basket items, which are kept for a year after their last change'(shop) {
    const { _id: userId } = await createUser(shop, 'Ada')
    for (const [name, ms] of [
      ['Chain', -1],
      ['Hub', second],
    ] as const) {
      const part = await createPart(shop, { name })
      const item = { userId, partId: part._id, quantity: 10, seen: pickTerms(part) }
      await shop.db.insert(basketItems).values({ ...item, changedAt: at(ms - 365 * day) })
    }
    return () => shop.db.$count(basketItems)
  },
}

test.for(Object.entries(rows))('purgeExpired removes %s, exactly when their time is up', async ([, add]) => {
  const shop = await testShop()
  const count = await add(shop)
  await purgeExpired(shop, now - second)
  expect(await count()).toBe(2)
  await purgeExpired(shop, now)
  expect(await count()).toBe(1)
})
