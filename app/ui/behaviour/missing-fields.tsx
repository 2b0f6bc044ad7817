import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

interface Props<Form extends FieldValues> {
  form: Pick<UseFormReturn<Form>, 'watch'>
  /** The labels of the required fields. */
  labels: Partial<Record<Path<Form>, string>>
}

/** Names the empty fields that a disabled button waits for. */
export function MissingFields<Form extends FieldValues>({ form: { watch }, labels }: Props<Form>) {
  const values = watch()
  const missing = Object.entries(labels).filter(([name]) => String(values[name] ?? '').trim() === '')
  if (missing.length === 0) return null
  return (
    <p className="mb-3 text-sm text-base-content/75">
      {`Still missing: ${missing.map(([, label]) => label).join(', ')}`}
    </p>
  )
}
