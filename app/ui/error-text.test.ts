import { expect, test } from 'vitest'
import { unreachableMessage } from '#api/unreachable.ts'
import { errorText } from './error-text.ts'

test('errorText shows messages that are written for people', () => {
  expect(errorText(new Error('This part sold out.'))).toBe('This part sold out.')
})

test('errorText shows no message of the browser’s own errors', () => {
  const general = 'Something went wrong. Try again.'
  expect(errorText(new RangeError('Invalid time value'))).toBe(general)
  expect(errorText(new ReferenceError('x is not defined'))).toBe(general)
  expect(errorText(new DOMException('The operation is insecure.', 'SecurityError'))).toBe(general)
  expect(errorText('text')).toBe(general)
  expect(errorText(new TypeError('Failed to fetch'))).toBe(unreachableMessage)
})
