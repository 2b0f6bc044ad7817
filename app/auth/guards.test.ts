import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isProviderReturn, providerReturnUrl, returnPath } from './guards.ts'

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://shop.example/login'))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const pathFor = (from: string) => returnPath(`?${new URLSearchParams({ from })}`)

test('returnPath keeps an internal path with its query string', () => {
  for (const from of ['/', '/parts', '/dashboard/payment/1', '/parts?q=chain&page=2', '/part/1?x=//y']) {
    expect(pathFor(from), from).toBe(from)
  }
  expect(returnPath(''), 'nothing remembered').toBe('/')
})

test('providerReturnUrl leads to the page that asked to sign in, and to no other site', () => {
  const from = `?${new URLSearchParams({ from: '/parts?q=chain' })}`
  expect(providerReturnUrl('/login', from, 'google')).toBe('/login?from=%2Fparts%3Fq%3Dchain&via=google')
  expect(providerReturnUrl('/login', from)).toBe('/login?from=%2Fparts%3Fq%3Dchain')
  expect(providerReturnUrl('/login', '?from=//evil.example')).toBe('/login')
  expect(['?via=google', '?error=denied', from, ''].map(isProviderReturn)).toEqual([true, true, false, false])
})

test('returnPath falls back to the home page for anything but an internal path', () => {
  for (const from of [
    '//evil.example',
    '///evil.example',
    'https:evil.example',
    'https://evil.example',
    'https://shop.example/parts',
    '/\\evil.example',
    '/..//evil.example/login',
    '/parts/..//evil.example',
    '/%2e%2E//evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'parts',
    '',
  ]) {
    expect(pathFor(from), JSON.stringify(from)).toBe('/')
  }
  expect(returnPath('?from=//evil.example'), 'as it is').toBe('/')
})
