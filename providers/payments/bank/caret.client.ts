import { digitsOf } from './card-number.client.ts'

/**
 * Writes anew what stands in a field, as `format` has it, and leaves the caret behind the same digit. What is erased is
 * always a digit: of a gap or slash, the one beyond it. `before` is what stood in the field until now.
 */
export function formatKeepingCaret(
  input: HTMLInputElement,
  inputType: string | undefined,
  before: string,
  format: (typed: string) => string,
) {
  let left = input.value.slice(0, input.selectionStart ?? undefined)
  let right = input.value.slice(left.length)
  if (digitsOf(input.value) === digitsOf(before)) {
    if (inputType === 'deleteContentBackward') left = left.replace(/\d\D*$/, '')
    if (inputType === 'deleteContentForward') right = right.replace(/^\D*\d/, '')
  }
  const typed = left + right
  const written = format(typed)
  // A zero that the format puts first moves everything on.
  const added = digitsOf(written).startsWith(`0${digitsOf(typed).slice(0, 1)}`) && !typed.startsWith('0')
  const caret = right ? afterDigit(written, digitsOf(left).length + (added ? 1 : 0)) : written.length
  input.value = written
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}

function afterDigit(written: string, count: number) {
  let seen = 0
  for (let at = 0; at < written.length; at++) {
    if (seen === count) return at
    if (/\d/.test(written[at]!)) seen++
  }
  return written.length
}
