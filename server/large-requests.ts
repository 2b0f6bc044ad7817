import { type AnyCall, pathOf } from '#api/call.ts'
import { api } from '#api/contract.ts'

const paths = Object.values<AnyCall>(api).flatMap((call) => (call.isLarge ? [pathOf(call)] : []))

/** Has a limit of its own, which applies once the caller is known. */
export function isLargeRequest(path = '') {
  return paths.includes(path)
}
