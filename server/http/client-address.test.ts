import { expect, test } from 'vitest'
import { findClientAddress, isNetwork, type TrustProxy } from './client-address.ts'

const proxy = '10.0.0.9'
const client = '203.0.113.7'

test.each<[TrustProxy, string | undefined, string]>([
  [false, client, proxy],
  [1, client, client],
  [1, `192.0.2.1, ${client}`, client],
  [1, undefined, proxy],
  [1, '', proxy],
  [1, 'garbage', proxy],
  [1, `garbage, ${client}`, client],
  [1, `${client}, garbage`, proxy],
  [1, `${client}:4711`, client],
  [1, '[2001:db8::7]:4711', '2001:db8::7'],
  [2, `192.0.2.1, ${client}, 10.0.0.8`, client],
  [2, client, client],
  [['10.0.0.0/8'], `192.0.2.1, ${client}, 10.0.0.8`, client],
  [[proxy], `${client}, 10.0.0.8`, '10.0.0.8'],
  [['172.16.0.0/12'], client, proxy],
  [['10.0.0.0/8'], '10.0.0.1, 10.0.0.2', '10.0.0.1'],
])('trusting %j with X-Forwarded-For %j the client is %s', (trust, header, expected) => {
  expect(findClientAddress(trust, proxy, header)).toBe(expected)
})

test('without a connection the address is unknown', () => {
  expect(findClientAddress(false, undefined, client)).toBe('unknown')
})

test('isNetwork accepts addresses and networks only', () => {
  for (const valid of ['10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1'])
    expect(isNetwork(valid), valid).toBe(true)
  for (const invalid of ['', 'proxy', '10.0.0.1/33', '10.0.0.1/', '10.0.0.0/8/8', '::1/129', '10.0.0'])
    expect(isNetwork(invalid), invalid).toBe(false)
})
