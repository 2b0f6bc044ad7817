import { client } from '#app/client.ts'
import { idsPerLookup, type LookedUpPart } from '#shop/parts/part.ts'
import { nextQuantity } from '#shop/parts/quantity.ts'
import { describeReplacement } from '#shop/replacements/describe-replacement.ts'
import type { ReplacedPart } from '#shop/replacements/replacement.ts'

/** Those that are for sale, and those that replace the others. */
export async function lookUpIds(ids: string[]): Promise<LookedUpPart[]> {
  const found: LookedUpPart[] = []
  for (let from = 0; from < ids.length; from += idsPerLookup)
    found.push(...(await client.lookUpParts({ body: { ids: ids.slice(from, from + idsPerLookup) } })))
  return found
}

export interface FoundById {
  part: LookedUpPart | undefined
  /** How it takes the place of the part that was looked up. */
  replaced: ReplacedPart | undefined
}

/** The part with this id, else the one that replaces it. */
export function findById(parts: LookedUpPart[], partId: string): FoundById {
  const same = parts.find(({ _id }) => _id === partId)
  const part = same ?? parts.find(({ replaces }) => replaces.some((one) => one.partId === partId))
  const replaced = same ? undefined : part?.replaces.find((one) => one.partId === partId)
  return { part, replaced }
}

/** Of a row: what replaces a part is proposed in a quantity that can be ordered. */
export function toPart({ part, replaced }: FoundById, quantity: number) {
  return {
    part,
    quantity: String(part && replaced ? nextQuantity(part, quantity) : quantity),
    replaced: part && replaced && describeReplacement(replaced, part.partNumber),
  }
}
