import { useEffect } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'

const prefix = 'draft:'

/** What was typed into a form and not sent yet, in this tab: it outlives a reload and a new sign-in. */
export function readDraft<Form extends FieldValues>(name: string): DefaultValues<Form> | undefined {
  const kept = sessionStorage.getItem(prefix + name)
  return kept ? JSON.parse(kept) : undefined
}

/** Keeps what is typed into a form until it is reset. */
export function useDraft<Form extends FieldValues>(
  name: string,
  form: Pick<UseFormReturn<Form>, 'subscribe'>,
) {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => sessionStorage.setItem(prefix + name, JSON.stringify(values)),
      }),
    [form, name],
  )
}

export function forgetDraft(name: string) {
  sessionStorage.removeItem(prefix + name)
}

export function forgetDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
