import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { returnPath } from './guards.ts'

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://shop.example/login'))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const leadsTo = (from: string) => returnPath(`?${new URLSearchParams({ from })}`)

test('signing in leads back to a page of the shop, with its search', () => {
  for (const from of ['/', '/parts', '/dashboard/payment/1', '/parts?q=chain&page=2', '/part/1?x=//y']) {
    expect(leadsTo(from), from).toBe(from)
  }
  expect(returnPath(''), 'nothing remembered').toBe('/')
})

test('signing in leads home instead of to any other site', () => {
  for (const from of [
    '//evil.example',
    '///evil.example',
    'https:evil.example',
    'https://evil.example',
    'https://shop.example/parts',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'parts',
    '',
  ]) {
    expect(leadsTo(from), JSON.stringify(from)).toBe('/')
  }
  expect(returnPath('?from=//evil.example'), 'as it is').toBe('/')
})
