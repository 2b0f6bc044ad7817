import { expect, test } from 'vitest'
import { carrierName, carriers } from './carriers.ts'
import { otherCarrier, trackingForm } from './ship-form.ts'
import { tracking } from './shipment.ts'
import { trackingUrl } from './tracking-url.ts'

test('every known carrier has a tracking page that ends with the tracking number', () => {
  for (const carrier of carriers) {
    const url = trackingUrl(carrier, 'JD 014-6000')!
    expect(new URL(url).protocol, carrier).toBe('https:')
    expect(url).toMatch(/JD014-6000$/)
  }
})

test('an unknown carrier or a missing number has no tracking page', () => {
  expect([
    trackingUrl('Cycle Courier', 'JD01'),
    trackingUrl('constructor', 'JD01'),
    trackingUrl(null, 'JD01'),
    trackingUrl('DHL', null),
  ]).toEqual([null, null, null, null])
})

test('a known carrier gets its usual name, and any other keeps what was typed', () => {
  expect(['dhl', 'royal MAIL', 'Cycle courier'].map(carrierName)).toEqual([
    'DHL',
    'Royal Mail',
    'Cycle courier',
  ])
})

test('a tracking number has up to 40 letters, digits, spaces and dashes', () => {
  const isValid = (trackingNumber: string) => tracking.safeParse({ trackingNumber }).success
  expect(['JD 014-6000', '1'.repeat(40), ''].map(isValid)).toEqual([true, true, true])
  expect(['1'.repeat(41), 'a/b', 'a?b=c', 'ä1', '<b>'].map(isValid)).toEqual(Array(5).fill(false))
})

test('the name of another carrier is checked only while it is chosen', () => {
  const problems = (carrier: string, otherName: string) =>
    trackingForm.safeParse({ carrier, otherName, trackingNumber: '' }).error?.issues[0]?.message
  expect([
    problems('DHL', 'x'.repeat(41)),
    problems(otherCarrier, 'x'.repeat(40)),
    problems(otherCarrier, 'x'.repeat(41)),
    problems(otherCarrier, ''),
  ]).toEqual([undefined, undefined, 'At most 40 characters', 'Carrier name is required'])
})
