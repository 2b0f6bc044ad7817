import { expect, test } from 'vitest'
import { brandOf, cvcProblem, grouped, numberProblem } from './card-number.client.ts'

test('a card number stands in groups as on the card', () => {
  expect(grouped('4242424242424242')).toBe('4242 4242 4242 4242')
  expect(grouped(' 4242-4242 42')).toBe('4242 4242 42')
  expect(grouped('378282246310005')).toBe('3782 822463 10005')
  expect(grouped('37828')).toBe('3782 8')
  expect(grouped('no digits')).toBe('')
})

test('a card number gets no longer than its brand has them', () => {
  expect(grouped('42424242424242421')).toBe('4242 4242 4242 4242')
  expect(grouped('3782822463100051')).toBe('3782 822463 10005')
  expect(grouped('9'.repeat(25))).toBe('9999 9999 9999 9999 999')
})

test('the first digits tell the brand', () => {
  const names = [
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
  expect(names.map((digits) => brandOf(digits)?.name)).toEqual([
    ...['Visa', 'Mastercard', 'Mastercard', 'Mastercard', 'American Express', 'American Express'],
    ...['Diners Club', 'Diners Club', 'Discover', 'Discover', 'JCB', 'UnionPay'],
    ...[undefined, undefined, undefined, undefined],
  ])
})

test('what is wrong with a card number is said in words', () => {
  expect(numberProblem('')).toBe('Card number is required')
  expect(numberProblem('4242 4242 4242')).toBe('Card number is too short')
  expect(numberProblem('4242 4242 4242 4224')).toBe('A digit of this card number is wrong')
  expect(numberProblem('3622 7206 2716 671')).toBe('A digit of this card number is wrong')
  for (const right of [
    '4242 4242 4242 4242',
    '3782 822463 10005',
    '3622 7206 2716 67',
    '6200 0000 0000 0005',
  ])
    expect(numberProblem(right)).toBeUndefined()
})

test('a CVC has as many digits as its brand prints', () => {
  expect(cvcProblem('', '4242')).toBe('CVC is required')
  expect(cvcProblem('12', '4242')).toBe('CVC has 3 digits')
  expect(cvcProblem('123', '37')).toBe('CVC has 4 digits')
  expect(cvcProblem('12', '')).toBe('CVC has 3 or 4 digits')
  expect(cvcProblem('1234', '37')).toBeUndefined()
  expect(cvcProblem('123', '4242')).toBeUndefined()
})
