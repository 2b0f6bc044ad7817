import type { MiddlewareHandler } from 'hono'
import { type AnyCall, maxBodyBytes, pathOf } from '#api/call.ts'
import { api } from '#api/contract.ts'
import { limitBody, limitBodyTo } from '#api/server.ts'

const calls = Object.values<AnyCall>(api)
const paths = calls.flatMap((call) => (call.isLarge ? [pathOf(call)] : []))
const limits = new Map(
  calls
    .filter(({ maxBytes }) => maxBytes > maxBodyBytes)
    .map((call) => [pathOf(call), limitBodyTo(call.maxBytes)]),
)

/** For a body that is not large. */
export function bodyLimitOf(path: string): MiddlewareHandler {
  return limits.get(path) ?? limitBody
}

/** Has a limit of its own, which applies once the caller is known. */
export function isLargeRequest(path = '') {
  return paths.includes(path)
}
