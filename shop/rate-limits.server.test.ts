import { expect, test } from 'vitest'
import { testShop } from '#test/shop.ts'
import {
  checkRateLimits,
  clientNetwork,
  networkLimits,
  resetRateLimits,
  withRateLimit,
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
