import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, Path, UseFormReturn, UseFormSetError } from 'react-hook-form'
import { ApiError } from '#api/client.ts'
import { errorText } from '#app/ui/error-text.ts'

/** Errors of the fields in `shown` go to the fields; `message` is that of any other error. */
export function useFormError<Form extends FieldValues>(setError: UseFormSetError<Form>, shown: Path<Form>[]) {
  const [message, setMessage] = useState<string>()
  return {
    message,
    clear: () => setMessage(undefined),
    show(error: unknown) {
      const fields = error instanceof ApiError ? error.fields : {}
      const failedFields = shown.filter((name) => fields[name]?.length)
      for (const name of failedFields)
        setError(name, { message: fields[name]![0]! }, { shouldFocus: name === failedFields[0] })
      setMessage(failedFields.length ? undefined : errorText(error))
    },
  }
}

/** Shows values that are reloaded, such as after a save, in a form in which nothing was changed. */
export function useReloadedValues<Form extends FieldValues>(
  { reset, formState: { isDirty } }: Pick<UseFormReturn<Form>, 'reset' | 'formState'>,
  values: DefaultValues<Form>,
) {
  const content = JSON.stringify(values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for other values
  useEffect(() => {
    // The error may say why they are others.
    if (!isDirty) reset(values, { keepErrors: true })
  }, [content])
}

/** Validates prefilled fields, such as those of a draft, at once and whenever `rules` changes. */
export function useInitialValidation<Form extends FieldValues>(
  { getValues, trigger }: Pick<UseFormReturn<Form>, 'getValues' | 'trigger'>,
  rules?: unknown,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form's resolver depends on `rules`
  useEffect(() => {
    const values = getValues()
    trigger((Object.keys(values) as Path<Form>[]).filter((name) => values[name]))
  }, [getValues, trigger, rules])
}

/** Focuses the form before its button is disabled and loses the focus. */
export function keepFocus(event: { target: unknown } | undefined) {
  if (event?.target instanceof HTMLElement) event.target.focus({ preventScroll: true })
}
