import { z } from 'zod'

/** Every failure that a caller is meant to see. Anything else is a bug and answers 500. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'declined'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'limited'
  | 'unavailable'
  | 'full'

export type Fields = Record<string, string[] | undefined>

export class ShopError extends Error {
  readonly code: ErrorCode
  /** What is wrong with each field, in the words to show under it. */
  readonly fields: Fields | undefined
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, more: { fields?: Fields; retryAfter?: number } = {}) {
    super(message)
    this.code = code
    this.fields = more.fields
    this.retryAfter = more.retryAfter
  }
}

/** Whether the database could not be reached, or is going down or coming up. */
export function isUnavailable(error: Error & { code?: string }): boolean {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string }
  return (
    /^(ECONN|EPIPE|57P0|08)/.test(code ?? '') || /^(Connection terminated|timeout exceeded)/.test(message)
  )
}

/** Whether a disk, or somebody's share of it, has no room left. */
export function isDiskFull(error: Error & { code?: string }): boolean {
  return error.code === 'ENOSPC' || error.code === 'EDQUOT'
}

/** What of a failure belongs into the log: never a statement's parameters, which are people's data. */
export function traceOf(error: Error): string {
  const { name, message, stack = `${name}: ${message}` } = (error.cause as Error | undefined) ?? error
  return stack
}

/** The one door for untrusted input: returns what the schema promises or throws its own words as 'invalid'. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields: Fields = z.flattenError(result.error).fieldErrors
  throw new ShopError('invalid', result.error.issues[0]!.message, { fields })
}
