import { decodeJwt } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testShop } from '#test/shop.ts'
import { readToken, signToken } from './tokens.server.ts'

const user = { _id: 'ada', tokenVersion: 3 }

test('an access token is valid for exactly an hour and an upload key for ten minutes', async () => {
  const shop = await testShop()
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  const issuedAt = Date.now()
  for (const [purpose, seconds] of [
    ['access', 3_600],
    ['upload', 600],
  ] as const) {
    vi.setSystemTime(issuedAt)
    const token = await signToken(shop, purpose, user)
    const { iat, exp } = decodeJwt(token)
    expect(exp! - iat!, purpose).toBe(seconds)
    vi.setSystemTime(issuedAt + (seconds - 1) * 1000)
    expect(await readToken(shop, purpose, token), purpose).toMatchObject(user)
    vi.setSystemTime(issuedAt + seconds * 1000)
    expect(await readToken(shop, purpose, token), purpose).toBeNull()
  }
})

test('a token is valid for its purpose alone', async () => {
  const shop = await testShop()
  for (const [purpose, other] of [
    ['access', 'upload'],
    ['upload', 'access'],
  ] as const) {
    const token = await signToken(shop, purpose, user)
    const read = async () => [await readToken(shop, other, token), await readToken(shop, purpose, token)]
    // Remembered the second time.
    for (let time = 0; time < 2; time++) expect(await read()).toEqual([null, expect.objectContaining(user)])
  }
})
