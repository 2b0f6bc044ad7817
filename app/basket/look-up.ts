import { client } from '#app/client.ts'
import { idsPerLookup, type PartSummary } from '#shop/parts/part.ts'

/** Those that are for sale. */
export async function lookUpIds(ids: string[]): Promise<PartSummary[]> {
  const found: PartSummary[] = []
  for (let from = 0; from < ids.length; from += idsPerLookup)
    found.push(...(await client.lookUpParts({ body: { ids: ids.slice(from, from + idsPerLookup) } })))
  return found
}
