import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { readSession } from './auth/session.ts'

const prefix = 'draft:'

/** Each person's drafts are their own: the next one who signs in here does not see them. */
const place = (name: string, owner = currentUser()) => `${prefix}${owner}:${name}`
const currentUser = () => readSession()?.email ?? ''

/** What was typed into a form and not sent yet, in this tab: it outlives a reload and a new sign-in. */
export function readDraft<Form extends FieldValues>(name: string): DefaultValues<Form> | undefined {
  return readAt(place(name))
}

function readAt(place: string) {
  const kept = sessionStorage.getItem(place)
  return kept ? JSON.parse(kept) : undefined
}

/** Adds to what is kept of a form. */
export function updateDraft(name: string, values: FieldValues) {
  sessionStorage.setItem(place(name), JSON.stringify({ ...readDraft(name), ...values }))
}

/**
 * Keeps what is typed into a form until it is reset. Fields that nobody touched are left out, so that a later look fills
 * them in as they are then, except for those in `always`.
 */
export function useDraft<Form extends FieldValues>(
  name: string,
  { subscribe }: Pick<UseFormReturn<Form>, 'subscribe'>,
  always: readonly string[] = none,
) {
  const [owner] = useState(currentUser)
  useEffect(() => {
    const at = place(name, owner)
    return subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues = {} }) => {
        const before = readAt(at) ?? {}
        const initial: FieldValues = defaultValues
        const typed = Object.entries(values).filter(
          // A chosen file cannot be kept.
          ([field, value]) => !(value instanceof File) && (field in before || value !== initial[field]),
        )
        if (typed.length === 0) return
        const along = always.map((field) => [field, values[field as keyof typeof values]])
        sessionStorage.setItem(at, JSON.stringify(Object.fromEntries([...along, ...typed])))
      },
    })
  }, [subscribe, name, owner, always])
}

const none: readonly string[] = []

/**
 * The `Idempotency-Key` of a form: the same for the same content until the draft is forgotten, so that a second click, a
 * lost answer or a reload on the way does the work once.
 */
export function idempotencyKeyFor(name: string, content: unknown): string {
  const body = JSON.stringify(content)
  const kept = sessionStorage.getItem(keyName(name))
  const last = kept ? (JSON.parse(kept) as { body: string; key: string }) : null
  if (last?.body === body) return last.key
  const key = crypto.randomUUID()
  sessionStorage.setItem(keyName(name), JSON.stringify({ body, key }))
  return key
}

const keyName = (name: string) => `${place(name)}:key`

export function clearDraft(name: string) {
  sessionStorage.removeItem(place(name))
  sessionStorage.removeItem(keyName(name))
}

export function clearDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
