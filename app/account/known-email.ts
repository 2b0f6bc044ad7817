/** That the page before knew: of a registration whose email is taken, or of an invitation. */
export function readKnownEmail(state: unknown) {
  const { email } = (state ?? {}) as { email?: unknown }
  return typeof email === 'string' ? email : ''
}
