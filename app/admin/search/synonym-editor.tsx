import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { idempotencyKeyFor } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatCount } from '#shop/money.ts'
import { type Synonym, type SynonymForm, type SynonymPreview, synonymForm } from '#shop/search/synonym.ts'

interface Props {
  /** Null for a new one. */
  synonym: Synonym | null
  phrase: string
  onDone: () => void
}

export function SynonymEditor({ synonym, phrase, onDone }: Props) {
  const [preview, setPreview] = useState<SynonymPreview & { q: string }>()
  const [busy, setBusy] = useState(false)
  const root = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const form = useForm<SynonymForm>({
    resolver: zodResolver(synonymForm),
    defaultValues: { phrase: synonym?.phrase ?? phrase, terms: synonym?.terms ?? '' },
  })
  const { register, handleSubmit, setError, reset, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, ['phrase', 'terms'])

  useEffect(() => {
    if (synonym) root.current?.querySelector('input')?.focus()
  }, [synonym])

  const submit = handleSubmit(async (body) => {
    formError.clear()
    try {
      if (synonym) await adminClient.updateSynonym({ params: { id: synonym._id }, body })
      else await adminClient.addSynonym({ body, key: idempotencyKeyFor('synonym', body) })
      showToast(synonym ? 'Synonym changed' : 'Synonym added')
      reset({ phrase: '', terms: '' })
      setPreview(undefined)
      onDone()
      await navigate('/dashboard/synonyms', { preventScrollReset: true })
    } catch (error) {
      formError.show(error)
    }
  })

  const show = handleSubmit(async (body) => {
    formError.clear()
    setBusy(true)
    try {
      setPreview({ q: body.phrase, ...(await adminClient.previewSynonym({ body })) })
    } catch (error) {
      formError.show(error)
    }
    setBusy(false)
  })

  return (
    <form ref={root} method="post" noValidate className="mb-10 max-w-3xl" onSubmit={submit}>
      <h2 className="mb-3">{synonym ? `Edit “${synonym.phrase}”` : 'Add a synonym'}</h2>
      <div className="grid gap-x-6 *:min-w-0 sm:grid-cols-[1fr_2fr]">
        <Field
          label="Customers type"
          autoComplete="off"
          hint="One to four words."
          error={errors.phrase?.message}
          {...register('phrase')}
        />
        <Field
          label="We search for"
          autoComplete="off"
          hint="Single words with “or” between alternatives, such as “brake and disc or rotor”."
          error={errors.terms?.message}
          {...register('terms')}
        />
      </div>
      <FormError message={formError.message} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={isSubmitting && !busy} className="">
          Save synonym
        </SubmitButton>
        <button type="button" className="btn" aria-disabled={busy} onClick={show}>
          Preview results
        </button>
        {synonym && (
          <button type="button" className="btn btn-ghost" onClick={onDone}>
            Cancel
          </button>
        )}
      </div>
      {preview && <Preview preview={preview} />}
    </form>
  )
}

function Preview({ preview: { q, before, after } }: { preview: SynonymPreview & { q: string } }) {
  return (
    <div role="status" className="mt-5 grid gap-6 *:min-w-0 sm:grid-cols-2">
      {[
        { title: `“${q}” now`, found: before },
        { title: 'With this synonym', found: after },
      ].map(({ title, found }) => (
        <section key={title} className="rounded-box border border-base-300 p-4">
          <h3 className="text-base">{title}</h3>
          <p className="mb-2 text-sm text-base-content/75">
            {`${formatCount(found.total)} ${found.total === 1 ? 'part' : 'parts'}`}
          </p>
          <ol className="list-decimal pl-5">
            {found.parts.map(({ _id, partNumber, name }) => (
              <li key={_id} className="wrap-anywhere">{`${name} (${partNumber})`}</li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}
