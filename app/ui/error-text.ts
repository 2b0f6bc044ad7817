import { unreachableMessage } from '#api/unreachable.ts'

/** What to show of an error that was caught. The messages of the browser’s own errors help nobody but programmers. */
export function errorText(error: unknown, otherwise = 'Something went wrong. Try again.') {
  // A failed `fetch` throws a TypeError whose message differs between browsers.
  if (error instanceof TypeError) return unreachableMessage
  return error instanceof Error && !isOfBrowser(error) ? error.message : otherwise
}

function isOfBrowser(error: Error) {
  return [DOMException, EvalError, RangeError, ReferenceError, SyntaxError].some(
    (kind) => error instanceof kind,
  )
}
