import { type SubmitEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { FactFields, readFactFields } from '#app/builds/interface-picker.tsx'
import { KindField } from '#app/builds/kind-field.tsx'
import { ApiError } from '#app/client.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { describeInterface } from '#shop/fit/describe.ts'
import type { StatedInterface } from '#shop/fit/fit.ts'
import { printInterface } from '#shop/fit/notation.ts'
import { findKind } from '#shop/fit/vocabulary.ts'

interface Props {
  partId: string
  /** Its source is likely that of the next one. */
  last: StatedInterface | undefined
}

/** Built from the vocabulary: one field for each fact of the chosen kind. */
export function AddInterface({ partId, last }: Props) {
  const [kindId, setKindId] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [message, setMessage] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState(0)
  const { revalidate } = useRevalidator()
  const kind = findKind(kindId)

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy || !kind) return
    const form = new FormData(event.currentTarget)
    const read = readFactFields(kind, form)
    setErrors(read.errors)
    setMessage(undefined)
    if (Object.keys(read.errors).length > 0) return
    if (Object.keys(read.facts).length === 0) return setMessage('Enter at least one fact.')
    setBusy(true)
    const stated = { kind: kind.id, facts: read.facts }
    try {
      const body = {
        interface: printInterface(stated),
        role: form.get('role') === 'has' ? ('has' as const) : ('needs' as const),
        source: String(form.get('source')),
        date: String(form.get('date')),
      }
      await adminClient.saveInterface({ params: { partId }, body })
      showToast(`Saved ${describeInterface(stated)}`)
      setKindId('')
      setSaved(saved + 1)
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {}
      setErrors(Object.fromEntries(Object.entries(fields).map(([name, texts]) => [name, texts?.[0] ?? ''])))
      setMessage(errorText(error))
    }
    setBusy(false)
    revalidate()
  }

  return (
    <form key={saved} method="post" noValidate className="max-w-3xl" onSubmit={save}>
      <KindField
        label="Kind"
        value={kindId}
        onChoose={(id) => {
          setKindId(id)
          setErrors({})
        }}
      />
      {kind && (
        <>
          <FactFields key={kind.id} kind={kind} errors={errors} />
          <div className="grid items-start gap-x-5 sm:grid-cols-[10rem_1fr_12rem]">
            <SelectField key={kind.id} label="This part" name="role" defaultValue={kind.role}>
              <option value="has">has it</option>
              <option value="needs">needs its counterpart</option>
            </SelectField>
            <Field
              label="Source"
              name="source"
              defaultValue={last?.source}
              error={errors.source}
              hint="Where its maker says so, such as a data sheet"
              maxLength={200}
            />
            <Field
              label="Date of the source"
              name="date"
              type="date"
              defaultValue={last?.date}
              error={errors.date}
            />
          </div>
          <FormError message={message} />
          <SubmitButton busy={busy} className="">
            Save interface
          </SubmitButton>
        </>
      )}
    </form>
  )
}
