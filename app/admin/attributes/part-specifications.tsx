import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { ApiError, client, nullIfMissing } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { useFormError, useReloadedValues } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatDay } from '#shop/dates.ts'
import type { ListedAttribute } from '#shop/specifications/attribute.ts'
import type { Specification } from '#shop/specifications/specification.ts'
import { describeUnit } from '#shop/specifications/units.ts'
import { parseSpecValue } from '#shop/specifications/values.ts'
import type { Route } from './+types/part-specifications'

export const meta = () => noindex('Specifications')

export async function clientLoader({ request, params: { partId } }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const part = await adminClient.readProduct({ params: { id: partId } }).catch(nullIfMissing)
  if (!part) return { part, attributes: [], specifications: [] }
  const { category } = part
  const [{ rows }, specifications] = await Promise.all([
    adminClient.listAttributes({ body: { limit: 1000, ...(category && { category }) } }),
    client.readSpecifications({ params: { partId } }),
  ])
  return { part, attributes: category ? rows : rows.filter((one) => one.category === ''), specifications }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function PartSpecifications({ loaderData }: Route.ComponentProps) {
  const { part, attributes, specifications } = loaderData
  if (!part)
    return (
      <>
        <h1 className="mb-5">Product not found</h1>
        <p>It may have been deleted.</p>
      </>
    )
  return (
    <>
      <Link to={`/dashboard/manageProducts/${part._id}`} className="mb-3 inline-block link">
        Back to the product
      </Link>
      <h1 className="mb-2">{`Specifications of ${part.name}`}</h1>
      {attributes.length === 0 ? (
        <p>
          {part.category
            ? `Parts in ${part.category} have no attributes yet. `
            : 'There are no attributes yet. '}
          <Link to="/dashboard/attributes/new" className="link">
            Add an attribute
          </Link>
        </p>
      ) : (
        <SpecificationsEditor
          key={part._id}
          partId={part._id}
          attributes={attributes}
          specifications={specifications}
        />
      )}
    </>
  )
}

interface Props {
  partId: string
  attributes: ListedAttribute[]
  specifications: Specification[]
}

type Values = Record<string, string>

function SpecificationsEditor({ partId, attributes, specifications }: Props) {
  const stored = new Map(specifications.map((one) => [one._id, one]))
  const initial: Values = Object.fromEntries(attributes.map(({ _id }) => [_id, stored.get(_id)?.value ?? '']))
  const form = useForm<Values>({ defaultValues: initial })
  useReloadedValues(form, initial)
  const { register, handleSubmit, setError, formState } = form
  const formError = useFormError<Values>(setError, Object.keys(initial))
  const { revalidate } = useRevalidator()
  const [seen, setSeen] = useState(initial)

  const submit = handleSubmit(async (typed) => {
    formError.clear()
    const changed = attributes.filter(({ _id }) => typed[_id] !== seen[_id])
    if (changed.length === 0) return showToast('Nothing changed')
    const values = changed.map(({ _id }) => {
      return { attributeId: _id, value: typed[_id] ?? '', before: seen[_id] ?? '' }
    })
    try {
      await adminClient.updateSpecifications({ params: { partId }, body: { values } })
      const now = await client.readSpecifications({ params: { partId } })
      const saved = toValues(attributes, now)
      setSeen(saved)
      form.reset(saved)
      showToast('Specifications saved')
      await revalidate()
    } catch (error) {
      formError.show(toFields(error, changed))
      // Saved again, it replaces what another admin has entered.
      if (error instanceof ApiError && error.status === 409)
        setSeen(toValues(attributes, await client.readSpecifications({ params: { partId } })))
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit} className="mt-5 max-w-3xl">
      <div className="grid gap-x-6 sm:grid-cols-2">
        {attributes.map((attribute) => {
          const field = {
            label: attribute.name,
            optional: true,
            error: formState.errors[attribute._id]?.message,
            hint: hint(attribute, stored.get(attribute._id)),
            ...register(attribute._id, { validate: (typed) => check(attribute, typed) }),
          }
          const options = attribute.kind === 'yesNo' ? ['Yes', 'No'] : attribute.choices
          return options.length > 0 ? (
            <SelectField key={attribute._id} {...field}>
              <option value="">Not stated</option>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </SelectField>
          ) : (
            <Field key={attribute._id} autoComplete="off" maxLength={200} {...field} />
          )
        })}
      </div>
      <FormError message={formError.message} />
      <SubmitButton busy={formState.isSubmitting} className="">
        Save specifications
      </SubmitButton>
    </form>
  )
}

function toValues(attributes: ListedAttribute[], specifications: Specification[]): Values {
  const stored = new Map(specifications.map(({ _id, value }) => [_id, value]))
  return Object.fromEntries(attributes.map(({ _id }) => [_id, stored.get(_id) ?? '']))
}

function check(attribute: ListedAttribute, typed: string | undefined) {
  return !typed?.trim() || (parseSpecValue(attribute, typed).error ?? true)
}

function hint({ kind, unit }: ListedAttribute, stored: Specification | undefined) {
  const how =
    kind === 'number' || kind === 'range'
      ? `${kind === 'range' ? 'A range' : 'A number'}${unit ? ` in ${describeUnit(unit)}` : ''}`
      : undefined
  const source = stored?.source && `From ${stored.source}${stored.date ? `, ${formatDay(stored.date)}` : ''}`
  return [how, source].filter(Boolean).join('. ') || undefined
}

/** The server calls fields by their place in the request. */
function toFields(error: unknown, changed: ListedAttribute[]) {
  if (!(error instanceof ApiError)) return error
  const fields = Object.fromEntries(
    changed.map(({ _id }, i) => [_id, error.fields[`values.${i}.value`] ?? []]),
  )
  return new ApiError(error.status, error.message, fields)
}
