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

/** Of a form based on what is no longer stored. `now` is what is, when it can be shown. */
export function changedMeanwhile(now?: string | number | null): string {
  const isShown = now !== undefined && now !== null && now !== ''
  return `Another admin changed this${isShown ? ` to “${now}”` : ''}. Save again to replace it.`
}

export const shopUnavailable = 'The shop is temporarily unavailable. Try again in a moment.'

export function isUnavailable(error: Error & { code?: string }): boolean {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string }
  return (
    // Also: read-only, out of memory, out of connections, a deadlock that came again.
    /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|57014|57P0|55P03|08|25006|4000|40P01|53200|53300)/.test(
      code ?? '',
    ) ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/.test(
      message,
    )
  )
}

export function isDiskFull({ code, cause }: Error & { code?: string }): boolean {
  // 53100 is Postgres's disk_full.
  return /^(ENOSPC|EDQUOT|53100)$/.test(code ?? '') || (cause instanceof Error && isDiskFull(cause))
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
