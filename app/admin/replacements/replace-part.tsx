import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { FindPart } from '#app/admin/quotes/find-part.tsx'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field, SelectField, TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Product } from '#shop/parts/part.ts'
import { type ReplacementForm, replacementForm } from '#shop/replacements/replacement.ts'
import { useFitComparison } from './use-fit-comparison.ts'

type Input = z.input<typeof replacementForm>

/** `part` is the one to replace, unless it is still to be chosen. */
export function ReplacePart({ part: initial }: { part: Product | null }) {
  const [part, setPart] = useState(initial)
  const [by, setBy] = useState<Product | null>(null)
  const navigate = useNavigate()
  const form = useForm<Input, unknown, ReplacementForm>({
    resolver: zodResolver(replacementForm),
    defaultValues: { byId: '', startsOn: '', kind: 'direct', note: '' },
  })
  const { register, handleSubmit, setValue, setError, reset, watch, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, ['byId', 'startsOn', 'kind', 'note'])

  const { compare, findComparison } = useFitComparison()
  const fit = findComparison(part, by)
  const isDoubtful = fit?.answer === 'differs' && watch('kind') === 'direct'

  function choosePart(chosen: Product | null) {
    setPart(chosen)
    void compare(chosen, by)
  }

  function chooseBy(chosen: Product | null) {
    setBy(chosen)
    void compare(part, chosen)
    setValue('byId', chosen?._id ?? '', { shouldValidate: chosen !== null })
  }

  const submit = handleSubmit(async (body) => {
    formError.clear()
    if (!part || !by) return
    try {
      await adminClient.replacePart({ params: { partId: part._id }, body })
      showToast(`${part.partNumber} is replaced by ${by.partNumber}`)
      setPart(null)
      setBy(null)
      reset()
      // The part of the address is no longer sold.
      await navigate('/dashboard/replacements')
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <form method="post" noValidate className="mb-10 max-w-xl" onSubmit={submit}>
      <h2 className="mb-3">Replace a part</h2>
      {part ? (
        <Chosen label="Part" part={part} onChange={() => choosePart(null)} />
      ) : (
        <FindPart label="Part to replace" verb="Replace" onFound={choosePart} />
      )}
      {part &&
        (by ? (
          <Chosen
            label="Replaced by"
            part={by}
            problem={errors.byId?.message}
            onChange={() => chooseBy(null)}
          />
        ) : (
          <FindPart label="Replaced by" verb="Use" problem={errors.byId?.message} onFound={chooseBy} />
        ))}
      {fit && <p className="mb-4 border-l-4 border-base-300 pl-3">{fit.text}</p>}
      {part && (
        <>
          <Field
            label="From"
            type="date"
            autoComplete="off"
            error={errors.startsOn?.message}
            hint="From this day on, the part is no longer sold. A day that is over counts as today."
            {...register('startsOn')}
          />
          <SelectField label="How" error={errors.kind?.message} {...register('kind')}>
            <option value="direct">Direct: it fits wherever the old part did</option>
            <option value="with changes">With changes: customers must check whether it fits</option>
          </SelectField>
          {isDoubtful && (
            <p role="status" className="mb-4 border-l-4 border-warning pl-3">
              {`Their fit differs, so ${by?.partNumber} doesn’t fit wherever ${part.partNumber} did. Choose “With changes”, or correct the fit of one of them first.`}
            </p>
          )}
          <TextField
            label="Note for customers"
            optional
            rows={2}
            error={errors.note?.message}
            hint="Such as what is different."
            {...register('note')}
          />
          <FormError message={formError.message} />
          <SubmitButton busy={isSubmitting} className="">
            {isDoubtful ? 'Save as direct anyway' : 'Save replacement'}
          </SubmitButton>
        </>
      )}
    </form>
  )
}

interface ChosenProps {
  label: string
  part: Product
  problem?: string | undefined
  onChange: () => void
}

function Chosen({ label, part, problem, onChange }: ChosenProps) {
  return (
    <div className="mb-4">
      <p className="text-sm font-medium">{label}</p>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="wrap-anywhere">{`${part.name} (${part.partNumber})`}</span>
        <button type="button" className="link" aria-label={`Change: ${label}`} onClick={onChange}>
          Change
        </button>
      </p>
      <FormError message={problem} />
    </div>
  )
}
