import { expect, test } from 'vitest'
import { findBrand, formatCardNumber, validateCardNumber, validateCvc } from './card-number.client.ts'

test('formatCardNumber formats a card number in its brand’s groups', () => {
  expect(formatCardNumber('4242424242424242')).toBe('4242 4242 4242 4242')
  expect(formatCardNumber(' 4242-4242 42')).toBe('4242 4242 42')
  expect(formatCardNumber('378282246310005')).toBe('3782 822463 10005')
  expect(formatCardNumber('37828')).toBe('3782 8')
  expect(formatCardNumber('no digits')).toBe('')
})

test('formatCardNumber drops digits beyond the brand’s maximum length', () => {
  expect(formatCardNumber('42424242424242421')).toBe('4242 4242 4242 4242')
  expect(formatCardNumber('3782822463100051')).toBe('3782 822463 10005')
  expect(formatCardNumber('9'.repeat(25))).toBe('9999 9999 9999 9999 999')
})

test('brandOf detects the brand from the first digits', () => {
  const prefixes = [
    '4',
    '51',
    '2221',
    '2720',
    '34',
    '37',
    '36',
    '3056',
    '6011',
    '65',
    '3566',
    '62',
    '2220',
    '2721',
    '9',
    '',
  ]
  expect(prefixes.map((digits) => findBrand(digits)?.name)).toEqual([
    ...['Visa', 'Mastercard', 'Mastercard', 'Mastercard', 'American Express', 'American Express'],
    ...['Diners Club', 'Diners Club', 'Discover', 'Discover', 'JCB', 'UnionPay'],
    ...[undefined, undefined, undefined, undefined],
  ])
})

test('validateCardNumber describes an empty, short or invalid card number', () => {
  expect(validateCardNumber('')).toBe('Card number is required')
  expect(validateCardNumber('4242 4242 4242')).toBe('Card number is too short')
  expect(validateCardNumber('4242 4242 4242 4224')).toBe('Card number is invalid')
  expect(validateCardNumber('3622 7206 2716 671')).toBe('Card number is invalid')
  for (const valid of [
    '4242 4242 4242 4242',
    '3782 822463 10005',
    '3622 7206 2716 67',
    '6200 0000 0000 0005',
  ])
    expect(validateCardNumber(valid)).toBeUndefined()
})

test('validateCvc checks the CVC length of the brand', () => {
  expect(validateCvc('', '4242')).toBe('CVC is required')
  expect(validateCvc('12', '4242')).toBe('CVC must be 3 digits')
  expect(validateCvc('123', '37')).toBe('CVC must be 4 digits')
  expect(validateCvc('12', '')).toBe('CVC must be 3 or 4 digits')
  expect(validateCvc('1234', '37')).toBeUndefined()
  expect(validateCvc('123', '4242')).toBeUndefined()
})
