import { type SubmitEvent, useState } from 'react'
import { Field, SelectField } from '#app/ui/field.tsx'
import { describeInterface } from '#shop/fit/describe.ts'
import { exampleOfFact, parseFact } from '#shop/fit/fact-values.ts'
import type { FactRow, InterfaceFacts, KindRow } from '#shop/fit/interface.ts'
import { printInterface } from '#shop/fit/notation.ts'
import { findKind } from '#shop/fit/vocabulary.ts'
import { KindField } from './kind-field.tsx'

/** For what has no number of ours. */
export function InterfacePicker({ onAdd }: { onAdd: (text: string, label: string) => void }) {
  const [kindId, setKindId] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const kind = findKind(kindId)

  function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!kind) return
    const read = readFactFields(kind, new FormData(event.currentTarget))
    const isEmpty = Object.keys(read.facts).length === 0
    const problems = isEmpty ? { [kind.facts[0]!.id]: 'Enter at least one', ...read.errors } : read.errors
    setErrors(problems)
    if (Object.keys(problems).length > 0) return
    const stated = { kind: kind.id, facts: read.facts }
    onAdd(printInterface(stated), describeInterface(stated))
    setKindId('')
  }

  return (
    <form method="post" noValidate className="max-w-3xl" onSubmit={add}>
      <KindField
        label="Or describe what you have"
        optional
        value={kindId}
        onChoose={(id) => {
          setKindId(id)
          setErrors({})
        }}
      />
      {kind && (
        <>
          <FactFields key={kind.id} kind={kind} errors={errors} />
          <button type="submit" className="btn">
            {`Add ${kind.label.toLowerCase()}`}
          </button>
        </>
      )}
    </form>
  )
}

/** One for each fact of a kind, none of them required. */
export function FactFields({ kind, errors }: { kind: KindRow; errors: Record<string, string> }) {
  return (
    <div className="grid items-start gap-x-5 sm:grid-cols-2">
      {kind.facts.map((fact) => (
        <FactField key={fact.id} fact={fact} error={errors[fact.id]} />
      ))}
    </div>
  )
}

function FactField({ fact, error }: { fact: FactRow; error: string | undefined }) {
  const label = 'unit' in fact && fact.unit ? `${fact.label} (${fact.unit})` : fact.label
  const choices = fact.type === 'yesNo' ? ['yes', 'no'] : fact.type === 'choice' ? fact.choices : null
  const common = { label, name: `fact.${fact.id}`, error, optional: true }
  if (choices)
    return (
      <SelectField {...common} defaultValue="">
        <option value="">Not known</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </SelectField>
    )
  const hint = fact.type === 'number' ? undefined : `Such as ${exampleOfFact(fact)}`
  return <Field {...common} hint={hint} maxLength={200} autoComplete="off" />
}

export function readFactFields(kind: KindRow, form: FormData) {
  const facts: InterfaceFacts = {}
  const errors: Record<string, string> = {}
  for (const fact of kind.facts) {
    const text = String(form.get(`fact.${fact.id}`) ?? '').trim()
    if (text === '') continue
    const value = parseFact(fact, text)
    if (value === undefined) errors[fact.id] = `Enter ${exampleOfFact(fact)}`
    else facts[fact.id] = value
  }
  return { facts, errors }
}
