import { afterEach, expect, test, vi } from 'vitest'
import { clearToken, hasSignedInCookie, readAccessToken, readLastSignOut, storeToken } from './session.ts'

afterEach(() => void vi.unstubAllGlobals())

test('hasSignedInCookie accepts exactly its name and value', () => {
  for (const cookies of ['signed-in=yes', 'a=b; signed-in=yes', 'signed-in=yes; a=b'])
    expect(hasSignedInCookie(cookies), cookies).toBe(true)
  for (const cookies of [null, '', 'signed-in=', 'not-signed-in=yes', 'signed-in=yes!', 'a=signed-in=yes'])
    expect(hasSignedInCookie(cookies), String(cookies)).toBe(false)
})

test('what is refused after a sign-out does not replace its reason', () => {
  const items: Record<string, string> = {}
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(items, { [key]: value }),
    removeItem: (key: string) => delete items[key],
  })
  const reason = 'Only admins can open that page.'
  storeToken('token')
  clearToken({ reason })
  clearToken()
  expect(readAccessToken()).toBeNull()
  expect(readLastSignOut()).toEqual({ reason })

  storeToken('another token')
  clearToken()
  expect(readLastSignOut(), 'of the next session').toEqual({})
})
