import { getSystemErrorMessage } from 'node:util'

/** What the system says, with its code: “permission denied (EACCES)”. */
export function describeSystemError(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException
  // Some of Node’s own have the number without its sign.
  return errno ? `${getSystemErrorMessage(-Math.abs(errno))} (${code})` : (code ?? message)
}
