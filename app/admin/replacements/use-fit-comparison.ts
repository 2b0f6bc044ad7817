import { useState } from 'react'
import { client } from '#app/client.ts'
import { compareFit, type FitComparison } from '#shop/fit/compare-fit.ts'
import type { StatedInterface } from '#shop/fit/fit.ts'
import type { FitPart } from '#shop/fit/interface.ts'
import { parseInterface } from '#shop/fit/notation.ts'
import type { Product } from '#shop/parts/part.ts'

/** Of the two parts that were chosen last; null until it is known. */
export function useFitComparison() {
  const [known, setKnown] = useState<{ of: string; comparison: FitComparison | null } | null>(null)

  async function compare(part: Product | null, by: Product | null) {
    if (!part || !by) return
    // Nothing is said of what cannot be read.
    const comparison = await compareProducts(part, by).catch(() => null)
    setKnown({ of: toKey(part, by), comparison })
  }

  function findComparison(part: Product | null, by: Product | null) {
    return part && by && known?.of === toKey(part, by) ? known.comparison : null
  }

  return { compare, findComparison }
}

function toKey(part: Product, by: Product) {
  return `${part._id} ${by._id}`
}

async function compareProducts(part: Product, by: Product) {
  const [old, next] = await Promise.all([part, by].map(readFitPart))
  return compareFit(old!, next!)
}

async function readFitPart({ _id: partId, partNumber: name }: Product): Promise<FitPart> {
  const stated = await client.listInterfaces({ params: { partId } })
  return { name, interfaces: stated.flatMap(toPartInterface) }
}

function toPartInterface({ interface: text, role, source, date }: StatedInterface) {
  const parsed = parseInterface(text)
  return 'interface' in parsed ? [{ ...parsed.interface, role, source, date }] : []
}
