import { expect, test } from 'vitest'
import { rateLimits } from '#db/schema.ts'
import { stopClock, testShop } from '#test/shop.ts'
import {
  checkRateLimits,
  clientNetwork,
  networkLimits,
  type RateLimit,
  resetRateLimits,
  withRateLimit,
  withRateLimits,
} from './rate-limits.server.ts'

const attempt = { keys: ['try:a'], max: 2, seconds: 60 }
const works = async () => 'done'
const fails = async () => {
  throw new Error('no')
}

test('withRateLimit counts successes, failures or both', async () => {
  const shop = await testShop({ rateLimits: true })
  const countings = { successes: [works, fails], failures: [fails, works] } as const
  for (const [counting, [counted, free]] of Object.entries(countings)) {
    const go = (work: () => Promise<string>) =>
      withRateLimit(shop, { ...attempt, keys: [counting], counts: counting as 'failures' }, work).catch(
        (error) => error,
      )
    for (let i = 0; i < 3; i++) expect(await go(free)).not.toMatchObject({ code: 'rate-limited' })
    for (let i = 0; i < 2; i++) expect(await go(counted)).not.toMatchObject({ code: 'rate-limited' })
    expect(await go(free), counting).toMatchObject({ code: 'rate-limited', retryAfter: expect.any(Number) })
  }
  const all = { ...attempt, counts: 'all' } as const
  await withRateLimit(shop, all, works)
  await expect(withRateLimit(shop, all, fails)).rejects.toThrow('no')
  await expect(withRateLimit(shop, all, works)).rejects.toMatchObject({ code: 'rate-limited' })
})

test('checkRateLimits allows anything below the limit, rejects exactly it, and counts nothing', async () => {
  const shop = await testShop({ rateLimits: true })
  const all = { ...attempt, counts: 'all' } as const
  for (let points = 0; points < 2; points++) {
    expect((await checkRateLimits(shop, [all])).get('try:a') ?? 0).toBe(points)
    await withRateLimit(shop, all, works)
  }
  await expect(checkRateLimits(shop, [all])).rejects.toMatchObject({ code: 'rate-limited' })
  expect(await checkRateLimits(shop, [{ ...all, keys: ['try:b'] }])).toEqual(new Map())
})

test('a limit says how long it lasts, and not at all once its time is over', async () => {
  const shop = await testShop({ rateLimits: true })
  stopClock()
  const messageAfter = async (seconds: number) => {
    await shop.db.delete(rateLimits)
    const expire = new Date(Date.now() + seconds * 1000)
    await shop.db.insert(rateLimits).values({ key: 'try:a', points: 2, expire })
    const limits = [{ ...attempt, counts: 'all', hint: 'Wait.' } as const]
    return checkRateLimits(shop, limits).catch(({ message }) => message)
  }
  for (const [seconds, duration] of [
    [1, '1 minute'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [7_200, '120 minutes'],
    [7_201, '3 hours'],
  ] as const)
    expect(await messageAfter(seconds)).toBe(`Too many attempts. Try again in ${duration}. Wait.`)
  expect(await messageAfter(-1)).toEqual(new Map())
})

test('what one limit refuses uses up nothing of the others', async () => {
  const shop = await testShop({ rateLimits: true })
  const pair: RateLimit = { ...attempt, keys: ['wide', 'narrow'], max: 1, counts: 'all' }
  await withRateLimit(shop, { ...pair, keys: ['narrow'] }, works)
  await expect(withRateLimit(shop, pair, works)).rejects.toMatchObject({ code: 'rate-limited' })
  expect(await withRateLimit(shop, { ...pair, keys: ['wide'] }, works)).toBe('done')

  const outer: RateLimit = { ...attempt, keys: ['outer'], max: 1, counts: 'failures' }
  const both = () => withRateLimits(shop, [outer, { ...pair, keys: ['narrow'] }], works)
  for (let i = 0; i < 2; i++) await expect(both()).rejects.toMatchObject({ code: 'rate-limited' })
  expect(await withRateLimit(shop, outer, works)).toBe('done')
})

test('networkLimits allows an IPv6 /48 ten times as much as each of its /64, and IPv4 its own limit', () => {
  const limit = { max: 5, seconds: 60, counts: 'all' } as const
  const limitsOf = (network: string) => networkLimits(network, limit, (network) => `call:${network}`)
  expect(limitsOf('192.0.2.1')).toEqual([{ ...limit, keys: ['call:192.0.2.1'] }])
  expect(limitsOf('2001:db8:1:2::/64')).toEqual([
    { ...limit, keys: ['call:2001:db8:1::/48'], max: 50 },
    { ...limit, keys: ['call:2001:db8:1:2::/64'] },
  ])
})

test('resetRateLimits clears the counts', async () => {
  const shop = await testShop({ rateLimits: true })
  const all = { ...attempt, counts: 'all' } as const
  await withRateLimit(shop, all, works)
  await withRateLimit(shop, all, works)
  await resetRateLimits(shop, ['try:b', ...attempt.keys])
  expect(await withRateLimit(shop, all, works)).toBe('done')
})

test('clientNetwork groups IPv6 callers by /64 network and keeps IPv4 addresses', () => {
  const networks = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::FFFF:c000:201': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002::9': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    unknown: 'unknown',
  }
  for (const [caller, network] of Object.entries(networks))
    expect(clientNetwork(caller), caller).toBe(network)
})
