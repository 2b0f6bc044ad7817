import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { IdentitySettings, PaymentSettings } from '#shop/ports.ts'
import { securityHeaders } from './security.ts'

// As in a build; the development server allows inline styles besides.
beforeEach(() => void vi.stubEnv('DEV', false))
afterEach(() => void vi.unstubAllEnvs())

const firebase: IdentitySettings = {
  kind: 'firebase',
  providers: [],
  apiKey: 'key',
  authDomain: 'shop.firebaseapp.com',
  projectId: 'shop',
  emulator: null,
}
const embedded: IdentitySettings = { kind: 'embedded', providers: [], testMode: [] }
const bank: PaymentSettings = { kind: 'bank' }
const stripe: PaymentSettings = { kind: 'stripe', publishableKey: 'pk_test_1' }

/** All headers of a page, an API error and an unknown path; the nonce is replaced by NONCE. */
async function headersOf(
  identity: IdentitySettings,
  payments: PaymentSettings,
  imageOrigin: string | null = null,
) {
  const app = new Hono()
  app.use(securityHeaders(identity, payments, imageOrigin).page)
  app.get('/', (c) => c.body(null))
  app.get('/error', () => {
    throw new Error('broken')
  })
  app.onError((_, c) => c.body(null, 500))
  app.notFound((c) => c.body(null, 404))
  const answers = await Promise.all(['/', '/error', '/nothing'].map(async (path) => app.request(path)))
  const [page, ...others] = answers.map(({ headers }) => {
    const all = Object.fromEntries(headers)
    const nonce = /'nonce-[\w+/=]{24}'/
    return { ...all, 'content-security-policy': all['content-security-policy']!.replace(nonce, "'NONCE'") }
  })
  for (const other of others) expect(other).toEqual(page)
  return page!
}

const strict = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const afterFirebase = {
  ...strict,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

const policy = (...directives: string[]) => ({ 'content-security-policy': directives.join('; ') })
const end = [
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
]

test('with the embedded identity and the test bank, the headers are exactly these', async () => {
  expect(await headersOf(embedded, bank)).toEqual({
    ...strict,
    ...policy(
      "default-src 'none'",
      "script-src 'NONCE' 'strict-dynamic'",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      ...end,
    ),
  })
})

test('with Firebase, the headers are exactly these', async () => {
  expect(await headersOf(firebase, bank)).toEqual({
    ...afterFirebase,
    ...policy(
      "default-src 'none'",
      "script-src 'NONCE' 'strict-dynamic' https://apis.google.com",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com",
      'frame-src https://shop.firebaseapp.com',
      ...end,
    ),
  })
})

test('with the Firebase emulator, its address replaces the Firebase hosts', async () => {
  const emulator = 'http://127.0.0.1:9099'
  expect(await headersOf({ ...firebase, emulator }, bank)).toEqual({
    ...afterFirebase,
    ...policy(
      "default-src 'none'",
      "script-src 'NONCE' 'strict-dynamic' https://apis.google.com",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self' http://127.0.0.1:9099",
      'frame-src http://127.0.0.1:9099',
      ...end,
    ),
  })
})

test('with Stripe, the headers are exactly these', async () => {
  expect(await headersOf(embedded, stripe)).toEqual({
    ...strict,
    ...policy(
      "default-src 'none'",
      "script-src 'NONCE' 'strict-dynamic' https://js.stripe.com https://*.js.stripe.com",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self' https://api.stripe.com",
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      ...end,
    ),
  })
})

test('with Firebase, Stripe and an image host, the headers are exactly these', async () => {
  expect(await headersOf(firebase, stripe, 'https://i.ibb.co')).toEqual({
    ...afterFirebase,
    ...policy(
      "default-src 'none'",
      "script-src 'NONCE' 'strict-dynamic' https://apis.google.com https://js.stripe.com https://*.js.stripe.com",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob: https://i.ibb.co",
      "font-src 'self'",
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://api.stripe.com",
      'frame-src https://shop.firebaseapp.com https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      ...end,
    ),
  })
})

test('only the development server allows inline styles, and nothing else besides', async () => {
  const built = await headersOf(embedded, bank)
  vi.stubEnv('DEV', true)
  const { 'content-security-policy': developed, ...others } = await headersOf(embedded, bank)
  expect(developed).toBe(
    built['content-security-policy'].replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  )
  expect({ ...others, 'content-security-policy': built['content-security-policy'] }).toEqual(built)
})

test('the API has a policy that allows nothing, and a page below it keeps its own', async () => {
  const { page, api } = securityHeaders(embedded, bank, null)
  const app = new Hono().use(api)
  app.get('/list', (c) => c.json([]))
  app.get('/docs', page, (c) => c.html(''))
  const [list, docs] = await Promise.all(['/list', '/docs'].map(async (path) => app.request(path)))
  const headers = Object.fromEntries(list!.headers)
  expect(headers).toEqual({
    ...strict,
    ...policy("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"),
    'content-type': 'application/json',
  })
  expect(docs!.headers.get('content-security-policy')).toMatch(/script-src 'nonce-/)
})
