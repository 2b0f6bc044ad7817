import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { describeInterface } from './describe.ts'
import { exampleOfFact } from './fact-values.ts'
import { maxFitText } from './fit-text.ts'
import type { FactRow, Fit, FitPart, KindRow } from './interface.ts'
import { judgeFit } from './judge.ts'
import { isInterfaceText } from './notation.ts'
import { findFitParts } from './part-interfaces.server.ts'
import { listCounterparts } from './rules.ts'
import { findKind, interfaceKinds } from './vocabulary.ts'

export interface FitForm {
  part: string
  with: string
  errors: { part?: string; with?: string }
  answer: { title: string; fit: Fit } | null
  /** What can be described: of a part, only what meets it. */
  kinds: { id: string; label: string }[]
  described: {
    id: string
    label: string
    about: string
    fields: { id: string; label: string; choices: string[]; hint: string; value: string }[]
  } | null
}

/** Of an address with `part` and `with`, or with a `kind` and its facts as `fact.body`. */
export async function readFitForm({ db }: Pick<Shop, 'db'>, params: URLSearchParams): Promise<FitForm> {
  const read = (name: string) => (params.get(name) ?? '').trim().slice(0, maxFitText)
  const kind = findKind(read('kind'))
  const stated = kind ? composeText(kind, read) : ''
  const form = { part: read('part'), with: stated || read('with') }
  const errors: FitForm['errors'] = {}
  const find = async (name: 'part' | 'with') => {
    if (!form[name]) return undefined
    try {
      return (await findFitParts(db, [form[name]]))[0]
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      errors[name] = error.message
      return undefined
    }
  }
  const [part, other] = [await find('part'), await find('with')]
  const fit = part && other && judgeFit(part, other)
  return {
    ...form,
    errors,
    answer: fit ? { title: `${nameSide(part)} with ${nameSide(other)}`, fit } : null,
    kinds: listKinds(part).map(({ id, label }) => ({ id, label })),
    described: kind ? describeKind(kind, read) : null,
  }
}

function composeText(kind: KindRow, read: (name: string) => string) {
  const facts = kind.facts.flatMap(({ id }) => {
    const value = read(`fact.${id}`)
    return value ? [`${id}=${value}`] : []
  })
  return facts.length > 0 ? `${kind.id}:${facts.join(';')}` : ''
}

function nameSide(part: FitPart) {
  return isInterfaceText(part.name) ? describeInterface(part.interfaces[0]!) : part.name
}

function listKinds(part: FitPart | undefined) {
  const met = part?.interfaces.flatMap(({ kind }) => listCounterparts(kind)) ?? []
  const kinds = interfaceKinds.filter(({ id }) => met.length === 0 || met.includes(id))
  return kinds.toSorted((a, b) => (a.label < b.label ? -1 : 1))
}

function describeKind(
  { id, label, about, facts }: KindRow,
  read: (name: string) => string,
): FitForm['described'] {
  const fields = facts.map((fact) => ({
    id: fact.id,
    label: 'unit' in fact && fact.unit ? `${fact.label} (${fact.unit})` : fact.label,
    choices: listChoices(fact),
    hint: fact.type === 'number' ? '' : `Such as ${exampleOfFact(fact)}`,
    value: read(`fact.${fact.id}`),
  }))
  return { id, label, about, fields }
}

function listChoices(fact: FactRow) {
  if (fact.type === 'yesNo') return ['yes', 'no']
  return fact.type === 'choice' ? fact.choices : []
}
