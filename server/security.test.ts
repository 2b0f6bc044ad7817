import { expect, test } from 'vitest'
import { security } from './security.ts'

const firebase = {
  kind: 'firebase',
  providers: ['google', 'github'],
  apiKey: 'key',
  authDomain: 'shop.firebaseapp.com',
  projectId: 'shop',
  emulator: null,
} as const

const embedded = { kind: 'embedded' as const, providers: [], testMode: [] }
const bank = { kind: 'bank' } as const
const folder = { kind: 'folder' } as const

test('with accounts of its own the shop speaks to nobody else and is held by no window', () => {
  const { contentSecurityPolicy, crossOriginOpenerPolicy, referrerPolicy } = security(embedded, bank, folder)
  expect(contentSecurityPolicy.connectSrc).toEqual(["'self'"])
  expect(contentSecurityPolicy).not.toHaveProperty('frameSrc')
  expect(crossOriginOpenerPolicy).toBe('same-origin')
  expect(referrerPolicy).toBe('no-referrer')
})

test('with Firebase the pages may ask it, and show the window of the project', () => {
  const { contentSecurityPolicy, crossOriginOpenerPolicy, referrerPolicy } = security(
    { ...firebase, providers: [] },
    bank,
    folder,
  )
  expect(contentSecurityPolicy.connectSrc).toEqual([
    "'self'",
    'https://identitytoolkit.googleapis.com',
    'https://securetoken.googleapis.com',
  ])
  expect(contentSecurityPolicy.frameSrc).toEqual(['https://shop.firebaseapp.com'])
  expect(crossOriginOpenerPolicy).toBe('same-origin-allow-popups')
  expect(referrerPolicy).toBe('strict-origin-when-cross-origin')
})

test('with the emulator they ask the emulator alone', () => {
  const emulator = 'http://127.0.0.1:9099'
  const { contentSecurityPolicy } = security({ ...firebase, providers: [], emulator }, bank, folder)
  expect(contentSecurityPolicy.connectSrc).toEqual(["'self'", emulator])
})

test('with Stripe the pages may load its script and its fields, and ask it', () => {
  const { contentSecurityPolicy } = security(
    embedded,
    { kind: 'stripe', publishableKey: 'pk_test_1' },
    folder,
  )
  expect(contentSecurityPolicy.scriptSrc).toContain('https://js.stripe.com')
  expect(contentSecurityPolicy.connectSrc).toEqual(["'self'", 'https://api.stripe.com'])
  expect(contentSecurityPolicy.frameSrc).toContain('https://hooks.stripe.com')
})

test('pages show pictures of the image host that the settings name, which on this machine has no https', () => {
  const uploadUrl = 'http://127.0.0.1:9100/1/upload'
  const { contentSecurityPolicy } = security(embedded, bank, { kind: 'imgbb', key: 'key', uploadUrl })
  expect(contentSecurityPolicy.imgSrc).toEqual([
    "'self'",
    'data:',
    'blob:',
    'https:',
    'http://127.0.0.1:9100',
  ])
})
