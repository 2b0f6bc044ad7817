import { afterEach, expect, test, vi } from 'vitest'
import { clearDraft, idempotencyKeyFor, readDraft, updateDraft } from './drafts.ts'

afterEach(() => void vi.unstubAllGlobals())

function storage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

function signInAs(email: string) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  localStorage.setItem('accessToken', `${encode({ alg: 'HS256' })}.${encode({ email })}.x`)
}

test('a draft and its idempotency key belong to the signed-in user alone', () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, storage())
  signInAs('bob@example.com')
  updateDraft('review', { reviews: 'Runs true.' })
  const key = idempotencyKeyFor('review', { rating: 5 })

  signInAs('ada@example.com')
  expect(readDraft('review')).toBeUndefined()
  expect(idempotencyKeyFor('review', { rating: 5 })).not.toBe(key)
  updateDraft('review', { reviews: 'Too loud.' })
  clearDraft('review')

  signInAs('bob@example.com')
  expect(readDraft('review')).toEqual({ reviews: 'Runs true.' })
  expect(idempotencyKeyFor('review', { rating: 5 })).toBe(key)
})
