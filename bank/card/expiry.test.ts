import { expect, test } from 'vitest'
import { formatExpiry, readExpiry, validateExpiry } from './expiry.client.ts'

test('formatExpiry normalises every way to type an expiry', () => {
  for (const input of ['0130', '130', '1/30', '01/30', '01-30', ' 01 / 2030', '012030', '001 / 30'])
    expect(formatExpiry(input), input).toBe('01 / 30')
  expect(formatExpiry('12')).toBe('12 / ')
  expect(formatExpiry('5')).toBe('05 / ')
  expect(formatExpiry('1')).toBe('1')
  expect(formatExpiry('')).toBe('')
  expect(readExpiry('01 / 30')).toEqual({ month: 1, year: 2030 })
  expect(readExpiry('01 / 3')).toBeNull()
})

test('validateExpiry accepts a card until the end of its month', () => {
  const now = new Date(2026, 10, 30)
  expect(validateExpiry('11 / 26', now)).toBeUndefined()
  expect(validateExpiry('10 / 26', now)).toBe('This card has expired')
  expect(validateExpiry('11 / 26', new Date(2026, 11, 1))).toBe('This card has expired')
})

test('validateExpiry describes an empty, incomplete or impossible expiry', () => {
  const now = new Date(2026, 10, 30)
  expect(validateExpiry('', now)).toBe('Expiry is required')
  expect(validateExpiry('12 / ', now)).toBe('Enter a month and year, such as 04 / 31')
  expect(validateExpiry('00 / 30', now)).toBe('Month must be 01 to 12')
  expect(validateExpiry('12 / 76', now)).toBe('Year is too far in the future')
})
