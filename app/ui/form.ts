import { useEffect, useState } from 'react'
import type { FieldValues, Path, UseFormReturn, UseFormSetError } from 'react-hook-form'
import { CallFailed } from '#api/client.ts'

/**
 * What to show above a form's button when sending failed. Errors that belong to a field go under it; the rest, and
 * errors of fields that the form does not show, are the returned words.
 */
export function useFailure<Form extends FieldValues>(setError: UseFormSetError<Form>, shown: Path<Form>[]) {
  const [failure, setFailure] = useState<string>()
  return {
    failure,
    clear: () => setFailure(undefined),
    show(error: unknown) {
      const fields = error instanceof CallFailed ? error.fields : {}
      const known = shown.filter((name) => fields[name]?.length)
      for (const name of known)
        setError(name, { message: fields[name]![0]! }, { shouldFocus: name === known[0] })
      setFailure(known.length ? undefined : error instanceof Error ? error.message : 'Something went wrong.')
    },
  }
}

/**
 * Says at once what is wrong with what a form begins with, such as a draft, and again when `rules` is another thing than
 * before. What is still empty says nothing yet.
 */
export function useInitialValidation<Form extends FieldValues>(
  { getValues, trigger }: Pick<UseFormReturn<Form>, 'getValues' | 'trigger'>,
  rules?: unknown,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form's resolver goes by the rules
  useEffect(() => {
    const values = getValues()
    trigger((Object.keys(values) as Path<Form>[]).filter((name) => values[name]))
  }, [getValues, trigger, rules])
}

/** Whoever sent a form with the keyboard, and sees its button go grey, goes on at the form and not at the page's beginning. */
export function keepFocus(sent: { target: unknown } | undefined) {
  if (sent?.target instanceof HTMLElement) sent.target.focus({ preventScroll: true })
}
