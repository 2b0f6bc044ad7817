import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  clearDraft,
  clearDrafts,
  forgetSent,
  forgetSentWith,
  idempotencyKeyFor,
  isOutcomeUnknown,
  readDraft,
  takeVisitorDraft,
  updateDraft,
  wasSent,
} from './drafts.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Like a browser's, whose keys are its own properties. */
function storage() {
  const methods = {
    getItem(key: string) {
      return Object.hasOwn(this, key) ? Reflect.get(this, key) : null
    },
    setItem(key: string, value: string) {
      Reflect.set(this, key, value)
    },
    removeItem(key: string) {
      Reflect.deleteProperty(this, key)
    },
  }
  return Object.create(methods)
}

beforeEach(() => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, storage())
})

function signInAs(email: string) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  localStorage.setItem('accessToken', `${encode({ alg: 'HS256' })}.${encode({ email })}.x`)
}

test('a draft and its idempotency key belong to the signed-in user alone', () => {
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
  updateDraft('review', { rating: 4 })
  expect(readDraft('review')).toEqual({ reviews: 'Runs true.', rating: 4 })
  sessionStorage.setItem('theme', 'dark')
  clearDrafts()
  expect([readDraft('review'), sessionStorage.getItem('theme')]).toEqual([undefined, 'dark'])
})

test('a visitor’s draft goes along when they sign in, but not over the account’s', () => {
  const takeAs = (email: string) => {
    localStorage.removeItem('accessToken')
    updateDraft('message', { message: 'As a visitor' })
    takeVisitorDraft('message')
    expect(readDraft('message')).toEqual({ message: 'As a visitor' })
    signInAs(email)
    takeVisitorDraft('message')
    return readDraft('message')
  }
  signInAs('bob@example.com')
  updateDraft('message', { message: 'Before' })
  expect(takeAs('bob@example.com')).toEqual({ message: 'Before' })
  expect(takeAs('ada@example.com')).toEqual({ message: 'As a visitor' })
  localStorage.removeItem('accessToken')
  expect(readDraft('message')).toBeUndefined()
})

test('an idempotency key is kept for the same content until it is forgotten', () => {
  const key = idempotencyKeyFor('ship:1042:a', { quantity: 2 })
  const other = idempotencyKeyFor('ship:1043:a', { quantity: 2 })
  expect(idempotencyKeyFor('ship:1042:a', { quantity: 2 })).toBe(key)
  expect([wasSent('ship:1042:a', { quantity: 2 }), wasSent('ship:1042:a', { quantity: 3 })]).toEqual([
    true,
    false,
  ])
  forgetSentWith('ship:', '1042')
  expect([isOutcomeUnknown('ship:1042:a'), isOutcomeUnknown('ship:1043:a')]).toEqual([false, true])
  expect(idempotencyKeyFor('ship:1043:a', { quantity: 3 })).not.toBe(other)
  updateDraft('ship:1043:a', { quantity: 3 })
  forgetSent('ship:1043:a')
  expect(isOutcomeUnknown('ship:1043:a')).toBe(false)
  expect(readDraft('ship:1043:a')).toEqual({ quantity: 3 })
})
