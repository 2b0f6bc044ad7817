import { expect, test } from 'vitest'
import { carriers } from './carriers.ts'
import { toTracking } from './ship-form.ts'
import { doubtTracking, findSameTracking } from './tracking-shape.ts'

test('a number of the usual shape of its carrier is not doubted', () => {
  const usual = [
    ['UPS', '1Z 999 AA1 01 2345 6784'],
    ['UPS', '1z999aa10123456784'],
    ['FedEx', '9999 9999 9999'],
    ['USPS', '9400 1000 0000 0000 0000 00'],
    ['USPS', 'EC000000000US'],
    ['DHL', '0034-0434161-09400-0000'.slice(0, 23)],
    ['DHL', 'JJD0099999999'],
    ['GLS', 'ABC12345'],
    ['Cycle Courier', '12345678'],
  ] as const
  for (const [carrier, number] of usual) expect(doubtTracking(carrier, number), number).toBeNull()
})

test('a number that another carrier gives, or that is too short, is doubted', () => {
  expect(doubtTracking('UPS', '9999 9999 99')).toBe('This doesn’t look like a UPS number.')
  expect(doubtTracking('FedEx', '1Z999AA10123456784')).toBe('This doesn’t look like a FedEx number.')
  expect(doubtTracking('USPS', 'ABC12345')).toBe('This doesn’t look like a USPS number.')
  expect(doubtTracking('DHL', '12345')).toBe('This doesn’t look like a DHL number.')
  expect(doubtTracking('GLS', '1234567')).toBe('This doesn’t look like a tracking number.')
  expect(doubtTracking('constructor', '1'.repeat(41))).toBe('This doesn’t look like a tracking number.')
})

test('without a number there is nothing to doubt', () => {
  for (const carrier of [...carriers, '', null])
    for (const number of ['', ' ', null, undefined]) expect(doubtTracking(carrier, number)).toBeNull()
})

test('a number that only UPS gives is of UPS when no carrier is chosen, and no other is of any', () => {
  const carrierOf = (trackingNumber: string, carrier = '') => toTracking({ carrier, trackingNumber }).carrier
  expect(carrierOf('1z 999 aa1 01 2345 6784')).toBe('UPS')
  expect(carrierOf('1Z999AA10123456784', 'DHL')).toBe('DHL')
  for (const number of ['', '999999999999', '1Z999', 'EC000000000US']) expect(carrierOf(number)).toBeFalsy()
})

test('a tracking number that another customer’s order has is found, however it is typed', () => {
  const [ida, bo, again] = [
    { number: '1003', name: 'Ida', trackingNumber: '1Z 999-aa' },
    { number: '1033', name: 'Bo', trackingNumber: '1z999AA' },
    { number: '1040', name: 'Ida', trackingNumber: '1Z999AA' },
  ]
  expect(findSameTracking(bo, [bo, ida])).toBe('1003')
  expect(findSameTracking(again, [again, ida])).toBeUndefined()
  expect(findSameTracking({ ...bo, trackingNumber: ' ' }, [{ ...ida, trackingNumber: '' }])).toBeUndefined()
})
