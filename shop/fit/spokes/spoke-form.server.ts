import { ShopError } from '#shop/errors.ts'
import { describeFact } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts } from '#shop/fit/interface.ts'
import { findFitParts } from '#shop/fit/part-interfaces.server.ts'
import type { Shop } from '#shop/ports.ts'
import { calculateSpokes, wheelFacts } from './wheel.ts'

/** Of an address with the number of a hub and the facts of a wheel. */
export async function readSpokeForm({ db }: Pick<Shop, 'db'>, params: URLSearchParams) {
  const hub = (params.get('hub') ?? '').trim().slice(0, 40)
  const { facts, error } = hub ? await readFlanges({ db }, hub) : { facts: {}, error: undefined }
  const typed = Object.fromEntries(wheelFacts.map(({ id }) => [id, (params.get(id) ?? '').slice(0, 12)]))
  const isAsked = params.size > 0
  const result = calculateSpokes(typed, facts)
  const errors = isAsked && 'errors' in result ? result.errors : {}
  return {
    hub,
    hubError: error,
    fields: wheelFacts.map((fact) => ({
      id: fact.id,
      label: 'unit' in fact && fact.unit ? `${fact.label} (${fact.unit})` : fact.label,
      value: typed[fact.id]!,
      error: errors[fact.id],
      hint: facts[fact.id] === undefined ? undefined : `The hub: ${describeFact(fact, facts[fact.id]!)}`,
    })),
    lengths:
      isAsked && 'lengths' in result
        ? [
            { side: 'Left', length: `${result.lengths.left.toFixed(1)} mm` },
            { side: 'Right', length: `${result.lengths.right.toFixed(1)} mm` },
          ]
        : null,
  }
}

async function readFlanges(
  { db }: Pick<Shop, 'db'>,
  hub: string,
): Promise<{ facts: InterfaceFacts; error?: string }> {
  try {
    const [part] = await findFitParts(db, [hub])
    const flanges = part!.interfaces.find(({ kind, source }) => kind === 'flanges' && source !== '')
    return flanges ? { facts: flanges.facts } : { facts: {}, error: `The flanges of ${hub} aren’t stated.` }
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    return { facts: {}, error: error.message }
  }
}
