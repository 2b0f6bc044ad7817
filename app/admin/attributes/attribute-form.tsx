import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError, useReloadedValues } from '#app/ui/behaviour/form.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field, SelectField, TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { type AttributeForm, attributeForm, type ListedAttribute } from '#shop/specifications/attribute.ts'
import { attributeKindLabels, attributeKinds, hasUnit } from '#shop/specifications/kinds.ts'
import { describeUnit, unitNames } from '#shop/specifications/units.ts'

type Input = z.input<typeof attributeForm>

interface Props {
  /** Null for a new one. */
  attribute: ListedAttribute | null
  categories: string[]
}

export function AttributeEditor({ attribute, categories }: Props) {
  const { form, message, submit } = useAttributeForm(attribute)
  const { register, watch, setValue, formState } = form
  const { errors, isSubmitting } = formState
  const [kind, choices = []] = watch(['kind', 'choices'])
  const isUsed = attribute !== null && attribute.parts > 0
  const fixed = isUsed ? 'It can’t change any more, because parts have this attribute.' : undefined
  return (
    <form method="post" noValidate onSubmit={submit} className="max-w-xl">
      <Field
        label="Name"
        maxLength={60}
        autoComplete="off"
        error={errors.name?.message}
        {...register('name')}
      />
      <Field
        label="Category"
        optional
        list="categories"
        autoComplete="off"
        readOnly={isUsed}
        hint={fixed ?? 'Leave it empty for all parts.'}
        error={errors.category?.message}
        {...register('category')}
      />
      <datalist id="categories">
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      <SelectField
        label="Kind of values"
        disabled={isUsed}
        hint={fixed}
        error={errors.kind?.message}
        {...register('kind', { disabled: isUsed, onChange: () => forgetOthers() })}
      >
        {attributeKinds.map((kind) => (
          <option key={kind} value={kind}>
            {attributeKindLabels[kind]}
          </option>
        ))}
      </SelectField>
      {hasUnit(kind ?? attribute?.kind) && (
        <SelectField
          label="Unit"
          optional
          disabled={isUsed}
          hint={fixed ?? 'Values can be entered in related units, too: in inches, and shown in millimetres.'}
          error={errors.unit?.message}
          {...register('unit', { disabled: isUsed, setValueAs: (unit: string) => unit || null })}
        >
          <option value="">No unit</option>
          {unitNames.map((unit) => (
            <option key={unit} value={unit}>
              {describeUnit(unit)}
            </option>
          ))}
        </SelectField>
      )}
      {(kind ?? attribute?.kind) === 'choice' && (
        <TextField
          label="Choices"
          rows={6}
          hint="One on a line. To rename one, change its line."
          hintStays
          error={errors.choices?.message ?? errors.choices?.find?.((error) => error)?.message}
          value={choices.join('\n')}
          onChange={(event) =>
            setValue('choices', event.target.value.split('\n'), {
              shouldDirty: true,
              shouldValidate: formState.isSubmitted,
            })
          }
        />
      )}
      <div className="mb-5">
        <label className="flex items-center gap-3">
          <input
            type="checkbox"
            className="checkbox"
            aria-describedby="filter-note"
            {...register('isFilter')}
          />
          Filter in the catalogue
        </label>
        <p id="filter-note" className="mt-1 text-sm text-base-content/70">
          Customers who look at the category can choose among its values.
        </p>
      </div>
      <FormError message={message} />
      <SubmitButton busy={isSubmitting} className="">
        {attribute ? 'Save attribute' : 'Add attribute'}
      </SubmitButton>
    </form>
  )

  /** What another kind has is no longer shown. */
  function forgetOthers() {
    setValue('unit', null)
    setValue('choices', [])
  }
}

function toInput(attribute: ListedAttribute | null): Input {
  const { name = '', category = '', kind = 'text', unit = null, choices = [] } = attribute ?? {}
  return { name, category, kind, unit, choices, isFilter: attribute?.isFilter ?? false }
}

function useAttributeForm(attribute: ListedAttribute | null) {
  const draft = `attribute:${attribute?._id ?? 'new'}`
  const initial = toInput(attribute)
  const form = useForm<Input, unknown, AttributeForm>({
    // Disabled fields have no values, and stay as they are.
    resolver: (values, ...rest) =>
      zodResolver(attributeForm)(attribute?.parts ? { ...values, ...pickFixed(initial) } : values, ...rest),
    defaultValues: { ...initial, ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  useReloadedValues(form, initial)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const formError = useFormError(form.setError, ['name', 'category', 'kind', 'unit', 'choices'])

  const submit = form.handleSubmit(async (body) => {
    formError.clear()
    const isHere = rememberPage()
    try {
      if (attribute) await adminClient.updateAttribute({ params: { id: attribute._id }, body })
      else await adminClient.addAttribute({ body, key: idempotencyKeyFor(draft, body) })
      clearDraft(draft)
      showToast(attribute ? `Attribute ${body.name} saved` : `Attribute ${body.name} added`)
      form.reset(form.getValues())
      if (isHere()) await navigate('/dashboard/attributes')
      else await revalidate()
    } catch (error) {
      formError.show(error)
    }
  })

  return { form, message: formError.message, submit }
}

function pickFixed({ kind, unit, category }: Input) {
  return { kind, unit, category }
}
