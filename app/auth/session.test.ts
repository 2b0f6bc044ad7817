import { afterEach, expect, test, vi } from 'vitest'
import { clearToken, readAccessToken, readLastSignOut, storeToken } from './session.ts'

afterEach(() => void vi.unstubAllGlobals())

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
