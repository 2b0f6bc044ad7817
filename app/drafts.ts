import { useEffect } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { readSession } from './session.ts'

const prefix = 'draft:'

/** Each person's drafts are their own: the next one who signs in here does not see them. */
const place = (name: string) => `${prefix}${readSession()?.email ?? ''}:${name}`

/** What was typed into a form and not sent yet, in this tab: it outlives a reload and a new sign-in. */
export function readDraft<Form extends FieldValues>(name: string): DefaultValues<Form> | undefined {
  const kept = sessionStorage.getItem(place(name))
  return kept ? JSON.parse(kept) : undefined
}

/** Fills in what was typed elsewhere, before the form is shown. */
export function amendDraft(name: string, values: FieldValues) {
  sessionStorage.setItem(place(name), JSON.stringify({ ...readDraft(name), ...values }))
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
        callback: ({ values }) => sessionStorage.setItem(place(name), JSON.stringify(values)),
      }),
    [form, name],
  )
}

/**
 * The `Idempotency-Key` of a form: the same for the same content until the draft is forgotten, so that a second click, a
 * lost answer or a reload on the way does the work once.
 */
export function keyFor(name: string, content: unknown): string {
  const body = JSON.stringify(content)
  const kept = sessionStorage.getItem(keyName(name))
  const last = kept ? (JSON.parse(kept) as { body: string; key: string }) : null
  if (last?.body === body) return last.key
  const key = crypto.randomUUID()
  sessionStorage.setItem(keyName(name), JSON.stringify({ body, key }))
  return key
}

const keyName = (name: string) => `${place(name)}:key`

export function forgetDraft(name: string) {
  sessionStorage.removeItem(place(name))
  sessionStorage.removeItem(keyName(name))
}

export function forgetDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
