import { pickDigits } from './card-number.client.ts'

/** Formats the field and keeps the caret behind the same digit. Deleting a separator deletes the digit beyond it. `before` is the previous value. */
export function formatKeepingCaret(
  input: HTMLInputElement,
  inputType: string | undefined,
  before: string,
  format: (raw: string) => string,
) {
  let left = input.value.slice(0, input.selectionStart ?? undefined)
  let right = input.value.slice(left.length)
  if (pickDigits(input.value) === pickDigits(before)) {
    if (inputType === 'deleteContentBackward') left = left.replace(/\d\D*$/, '')
    if (inputType === 'deleteContentForward') right = right.replace(/^\D*\d/, '')
  }
  const raw = left + right
  const formatted = format(raw)
  // A zero inserted by the format shifts the caret.
  const addsLeadingZero =
    pickDigits(formatted).startsWith(`0${pickDigits(raw).slice(0, 1)}`) && !raw.startsWith('0')
  const caret = right
    ? offsetAfterDigits(formatted, pickDigits(left).length + (addsLeadingZero ? 1 : 0))
    : formatted.length
  input.value = formatted
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}

function offsetAfterDigits(formatted: string, count: number) {
  let seen = 0
  for (let offset = 0; offset < formatted.length; offset++) {
    if (seen === count) return offset
    if (/\d/.test(formatted[offset]!)) seen++
  }
  return formatted.length
}
