import type { MiddlewareHandler } from 'hono'
import { type AnyCall, maxBodyBytes, toPath } from '#api/call.ts'
import { api } from '#api/contract.ts'
import { limitBody, limitBodyTo } from '#api/server.ts'

const calls = Object.values<AnyCall>(api)
const paths = calls.flatMap((call) => (call.isLarge ? [toPath(call)] : []))
const limits = new Map(
  calls
    .filter(({ maxBytes }) => maxBytes > maxBodyBytes)
    .map((call) => [toPath(call), limitBodyTo(call.maxBytes)]),
)

/** For a body that is not large. */
export function chooseBodyLimit(path: string): MiddlewareHandler {
  return limits.get(path) ?? limitBody
}

/** Has a limit of its own, which applies once the caller is known. */
export function isLargeRequest(path = '') {
  return paths.includes(path)
}
