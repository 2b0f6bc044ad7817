import { expect, test } from 'vitest'
import { securityHeaders } from './security.ts'

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

test('embedded identity allows only same-origin connections and windows', () => {
  const { contentSecurityPolicy, crossOriginOpenerPolicy, referrerPolicy } = securityHeaders(
    embedded,
    bank,
    null,
  )
  expect(contentSecurityPolicy.connectSrc).toEqual(["'self'"])
  expect(contentSecurityPolicy).not.toHaveProperty('frameSrc')
  expect(contentSecurityPolicy.frameAncestors).toEqual(["'none'"])
  expect(crossOriginOpenerPolicy).toBe('same-origin')
  expect(referrerPolicy).toBe('no-referrer')
})

test('Firebase adds its API hosts and the frame of the project', () => {
  const { contentSecurityPolicy, crossOriginOpenerPolicy, referrerPolicy } = securityHeaders(
    { ...firebase, providers: [] },
    bank,
    null,
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

test('the Firebase emulator replaces the Firebase hosts', () => {
  const emulator = 'http://127.0.0.1:9099'
  const { contentSecurityPolicy } = securityHeaders({ ...firebase, providers: [], emulator }, bank, null)
  expect(contentSecurityPolicy.connectSrc).toEqual(["'self'", emulator])
})

test('Stripe adds its script, frame and API hosts', () => {
  const { contentSecurityPolicy } = securityHeaders(
    embedded,
    { kind: 'stripe', publishableKey: 'pk_test_1' },
    null,
  )
  expect(contentSecurityPolicy.scriptSrc).toContain('https://js.stripe.com')
  expect(contentSecurityPolicy.connectSrc).toEqual(["'self'", 'https://api.stripe.com'])
  expect(contentSecurityPolicy.frameSrc).toContain('https://hooks.stripe.com')
})

test('img-src allows the shop and the configured image host only', () => {
  const imgSrc = (imageOrigin: string | null) =>
    securityHeaders({ ...firebase, providers: [] }, bank, imageOrigin).contentSecurityPolicy.imgSrc
  expect(imgSrc(null)).toEqual(["'self'", 'data:', 'blob:'])
  expect(imgSrc('https://i.ibb.co')).toEqual(["'self'", 'data:', 'blob:', 'https://i.ibb.co'])
})
