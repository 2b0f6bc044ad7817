import { loadPartPapers } from '#app/sheets/part-papers.server.ts'
import type { PartPaper } from '#app/sheets/part-papers.tsx'
import { type PartSummary, partSummary } from '#shop/parts/part.ts'
import { readPart, relatedParts } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import { describePlan, describeReplacement } from '#shop/replacements/describe-replacement.ts'
import { readFormerPart, readReplacementFacts } from '#shop/replacements/replacements.server.ts'

/** What the page of a part shows that is no longer sold. */
export interface FormerPart {
  _id: string
  name: string
  papers: PartPaper[]
  notice: string
  /** The part that replaces it. */
  by: { _id: string; name: string; partNumber: string } | null
  related: { title: string; parts: PartSummary[] }
  /** The address of the part that replaces it is the one to index. */
  meta: { title: string; description: string; path?: string; about?: Record<string, unknown>[] }
}

/** Null for an address that never was that of a part. */
export async function loadFormerPart(
  shop: Pick<Shop, 'db' | 'origin'>,
  id: string,
): Promise<FormerPart | null> {
  const former = await readFormerPart(shop, id)
  if (!former) return null
  const { part, replaced } = former
  const { name } = part
  const papers = await loadPartPapers(shop, id)
  if (!replaced) {
    const notice = `${part.partNumber} is no longer made.`
    return {
      _id: id,
      name,
      papers,
      notice,
      meta: { title: name, description: notice },
      by: null,
      related: {
        title: 'Similar parts',
        parts: (await relatedParts(shop, part)).map((other) => partSummary.parse(other)),
      },
    }
  }
  const by = partSummary.parse(await readPart(shop, replaced.byId))
  const notice = describeReplacement(replaced, replaced.byNumber)
  const path = `/parts/${by._id}`
  const model = { '@type': 'ProductModel', name: by.name, sku: by.partNumber, url: shop.origin + path }
  return {
    _id: id,
    name,
    papers,
    notice,
    meta: {
      title: name,
      description: notice,
      path,
      about: [{ '@type': 'ProductModel', name, sku: part.partNumber, predecessorOf: model }],
    },
    by: { _id: by._id, name: by.name, partNumber: by.partNumber },
    related: { title: `Replaced by ${by.partNumber}`, parts: [by] },
  }
}

/** Of a part that is for sale. */
export async function loadReplacementTexts(
  shop: Pick<Shop, 'db'>,
  part: { _id: string; partNumber: string },
) {
  const { replacedNumbers, plan } = await readReplacementFacts(shop, part._id)
  return {
    replaces: replacedNumbers.join(', '),
    plan: plan && { to: `/parts/${plan.byId}`, text: describePlan({ ...plan, ...part }, plan.byNumber) },
  }
}
