import { api } from '#api/contract.ts'
import { type CallGroup, groupCalls } from '#api/docs/call-groups.ts'
import { summarizeApi } from '#api/docs/schema-outline.ts'
import { openApi } from '#api/openapi.ts'
import type { ShopContext } from '#app/context.ts'
import { listParts } from '#shop/parts/parts.server.ts'

/** What the index shows of each group. */
export interface IndexGroup {
  noun: string
  sentence: string
  path: string
  calls: { name: string; method: string; path: string }[]
}

/** Of the last part that examples named: they are costly to work out, and the same for everybody. */
let latest: { key: string; groups: CallGroup[] } | undefined

export async function readCallGroups({ reader }: ShopContext): Promise<CallGroup[]> {
  const { rows } = await listParts(reader, { limit: 1 })
  const place = { origin: reader.origin, partId: rows[0]?._id ?? 'PART_ID' }
  const key = `${place.origin} ${place.partId}`
  if (latest?.key !== key) latest = { key, groups: groupCalls(summarizeApi(openApi(api), place)) }
  return latest.groups
}

export function toIndex(groups: CallGroup[]): IndexGroup[] {
  return groups.map(({ noun, sentence, path, calls }) => ({
    noun,
    sentence,
    path,
    calls: calls.map(({ name, method, path }) => ({ name, method, path })),
  }))
}
