import { expect, test } from 'vitest'
import { isLocalName } from './local-names.ts'

test('isLocalName accepts addresses and local names, and no name that can be registered', () => {
  const local = ['192.168.1.20:3000', '[fd00::1]:3000', 'workshop', 'workshop:3000', 'shop.lan', 'shop.local']
  expect(local.filter((host) => !isLocalName(host))).toEqual([])
  const others = ['evil.example', 'lan.example:3000', 'shop.lan.example', '192.168.1.20.example', 'a.b.lan']
  expect(others.filter(isLocalName)).toEqual([])
})
