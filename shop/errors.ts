import type { z } from 'zod'

/** Errors that a client may see. Any other error is a bug and results in status 500. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'declined'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'rate-limited'
  | 'unavailable'
  | 'insufficient-storage'

export type Fields = Record<string, string[] | undefined>

export class ShopError extends Error {
  readonly code: ErrorCode
  readonly fields: Fields | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, options: { fields?: Fields; retryAfter?: number } = {}) {
    super(message)
    this.code = code
    this.fields = options.fields
    this.retryAfter = options.retryAfter
  }
}

/** The provider answered that it failed, and would repeat that answer to the same idempotency key. */
export class ProviderFailure extends ShopError {}

export function isUnavailable(error: Error & { code?: string }): boolean {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string }
  return (
    // Also: read-only, out of memory, out of connections.
    /^(ECONN|EPIPE|57014|57P0|55P03|08|25006|53200|53300)/.test(code ?? '') ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/.test(
      message,
    )
  )
}

export function isDiskFull({ code, cause }: Error & { code?: string }): boolean {
  // 53100 is Postgres's disk_full.
  return /^(ENOSPC|EDQUOT|53100)$/.test(code ?? '') || (cause instanceof Error && isDiskFull(cause))
}

const maxLoggedLength = 500
const maxStackFrames = 12

/** One line of at most 500 characters: a caller's text can neither fill the log nor forge lines in it. */
export function logText(text: string): string {
  const cut = text.length > maxLoggedLength ? `${text.slice(0, maxLoggedLength)}…` : text
  return cut.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}

/** The stack trace without SQL parameters, which contain personal data. */
export function stackTraceOf(error: Error): string {
  const { name, message, stack = '' } = (error.cause as Error | undefined) ?? error
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const calls = frames.filter((line) => /^ +at /.test(line)).slice(0, maxStackFrames)
  return [logText(`${name}: ${message}`), ...calls].join('\n')
}

export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields: Fields = {}
  for (const { path, message } of result.error.issues) {
    // A field of an item in a list is such as `lines.2.quantity`.
    const key = (path.length > 2 ? path : path.slice(0, 1)).join('.')
    if (key) fields[key] = [...(fields[key] ?? []), message]
  }
  throw new ShopError('invalid', result.error.issues[0]!.message, { fields })
}
