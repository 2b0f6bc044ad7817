/** What to show of an error that was caught. */
export function errorText(error: unknown) {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
}
