import type { Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { describeInterface } from './describe.ts'
import { listFitting } from './fit-lists.server.ts'
import type { Fit, FitPart } from './interface.ts'
import { judgeFit } from './judge.ts'
import { findFitParts, readFitParts } from './part-interfaces.server.ts'
import { listCounterparts } from './rules.ts'
import { findKind } from './vocabulary.ts'

/** On a part's page; texts are written on the server, so that browsers need no script for them. */
export interface PartFit {
  number: string
  needs: { what: string; by: string }[]
  fits: { id: string; name: string; number: string; answer: string; because: string }[]
  /** What can be asked about without a part number. */
  suggestions: string[]
  asked: AskedFit | null
}

/** A part that this one goes on. */
export interface CarryingPart {
  id: string
  name: string
  number: string
  /** This one wears out there. */
  wearsOut: boolean
}

export interface AskedFit {
  text: string
  /** Null with a problem. */
  fit: Fit | null
  problem: string
}

const maxListed = 12

/** Without a fit for a part of which nothing is stated. `carriers` are of what is listed. */
export async function readPartFit(
  { db }: { db: Queries },
  partId: string,
  asked: string | null,
): Promise<{ fit: PartFit | null; carriers: CarryingPart[] }> {
  const part = (await readFitParts(db, [partId])).get(partId)
  if (!part || part.interfaces.length === 0) return { fit: null, carriers: [] }
  const fitting = await listFitting({ db }, part, maxListed)
  const fit = {
    number: part.name,
    needs: part.interfaces.filter(({ role }) => role === 'needs').map(describeNeed),
    fits: fitting.map(({ part: { _id, name, partNumber }, fit }) => ({
      id: _id,
      name,
      number: partNumber,
      answer: nameAnswer(fit),
      because: fit.because,
    })),
    suggestions: suggestInterfaces(part),
    asked: asked ? await answerAsked(db, part, asked) : null,
  }
  const carriers = fitting.flatMap(({ part: { _id: id, name, partNumber: number }, relation }) =>
    relation.goesOn ? [{ id, name, number, wearsOut: relation.wearsOut }] : [],
  )
  return { fit, carriers }
}

async function answerAsked(db: Queries, part: FitPart, text: string): Promise<AskedFit> {
  try {
    const [other] = await findFitParts(db, [text])
    return { text, fit: judgeFit(part, other!), problem: '' }
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    return { text, fit: null, problem: error.message }
  }
}

export function nameAnswer({ answer, with: item }: Fit) {
  const names = {
    fits: 'Fits',
    fitsWith: `Fits with ${item}`,
    doesNotFit: 'Does not fit',
    notKnown: 'Not known',
  }
  return names[answer]
}

/** What meets it, and by which facts. */
function describeNeed(own: FitPart['interfaces'][number]) {
  const [first = '', ...others] = listCounterparts(own.kind).flatMap((kind) => findKind(kind)?.label ?? [])
  return {
    what: [first, ...others.map((label) => label.toLowerCase())].join(', '),
    by: describeInterface(own),
  }
}

/** Those of one choice, such as freehub:XD. */
function suggestInterfaces(part: FitPart) {
  const kinds = [...new Set(part.interfaces.flatMap(({ kind }) => listCounterparts(kind)))]
  return kinds.flatMap((id) => {
    const fact = findKind(id)?.facts[0]
    return fact?.type === 'choice' ? fact.choices.map((choice) => `${id}:${choice}`) : []
  })
}
