import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { readSession } from '#app/auth/session.ts'
import { randomId } from '#app/browser/random-id.ts'
import { sessionItems } from '#app/browser/storage.ts'

const prefix = 'draft:'

/** Per user, so that the next one to sign in does not see them. */
const storageKey = (name: string, owner = currentUser()) => `${prefix}${owner}:${name}`
const currentUser = () => readSession()?.email ?? ''

/** Survives a reload and a new sign-in, in this tab. */
export function readDraft<Form extends FieldValues>(name: string): DefaultValues<Form> | undefined {
  return readStored(storageKey(name))
}

function readStored(key: string) {
  const stored = sessionItems.read(key)
  return stored ? JSON.parse(stored) : undefined
}

/** What a visitor has typed goes along when they sign in, unless they had typed something before. */
export function takeVisitorDraft(name: string) {
  const [from, to] = [storageKey(name, ''), storageKey(name)]
  const stored = sessionItems.read(from)
  if (from === to || stored === null) return
  if (sessionItems.read(to) === null) sessionItems.keep(to, stored)
  sessionItems.remove(from)
}

export function updateDraft(name: string, values: FieldValues) {
  sessionItems.keep(storageKey(name), JSON.stringify({ ...readDraft(name), ...values }))
}

/** Stores changed fields; untouched ones get fresh values on the next visit, except those in `always`. */
export function useDraft<Form extends FieldValues>(
  name: string,
  { subscribe }: Pick<UseFormReturn<Form>, 'subscribe'>,
  always: readonly string[] = noFields,
) {
  const [owner] = useState(currentUser)
  useEffect(() => {
    const key = storageKey(name, owner)
    return subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues = {} }) => {
        const stored = readStored(key) ?? {}
        const initial: FieldValues = defaultValues
        const changed = Object.entries(values).filter(
          ([field, value]) => !(value instanceof File) && (field in stored || !isSame(value, initial[field])),
        )
        if (changed.length === 0) return
        const alwaysStored = always.map((field) => [field, values[field as keyof typeof values]])
        sessionItems.keep(key, JSON.stringify(Object.fromEntries([...alwaysStored, ...changed])))
      },
    })
  }, [subscribe, name, owner, always])
}

const noFields: readonly string[] = []

/** Also of lists, which are copied with each change. */
function isSame(value: unknown, initial: unknown) {
  return JSON.stringify(value) === JSON.stringify(initial)
}

/** Whether the same content was sent before, and its response may have been lost. */
export function wasSent(name: string, content: unknown): boolean {
  return readSent(name)?.body === JSON.stringify(content)
}

/** Whether something was sent whose response may have been lost. */
export function isOutcomeUnknown(name: string): boolean {
  return readSent(name) !== null
}

/** The same key for the same content until the draft is cleared, also after a reload. */
export function idempotencyKeyFor(name: string, content: unknown): string {
  const body = JSON.stringify(content)
  const previous = readSent(name)
  if (previous?.body === body) return previous.key
  const key = randomId()
  sessionItems.keep(idempotencyStorageKey(name), JSON.stringify({ body, key }))
  return key
}

function readSent(name: string) {
  const stored = sessionItems.read(idempotencyStorageKey(name))
  return stored ? (JSON.parse(stored) as { body: string; key: string }) : null
}

const keySuffix = ':key'
const idempotencyStorageKey = (name: string) => storageKey(name) + keySuffix

export function clearDraft(name: string) {
  sessionItems.remove(storageKey(name))
  forgetSent(name)
}

/** When the shop has refused what was sent; the draft stays. */
export function forgetSent(name: string) {
  sessionItems.remove(idempotencyStorageKey(name))
}

/** Of all drafts whose names begin so and contain the word. */
export function forgetSentWith(beginning: string, word: string) {
  for (const key of sessionItems.listKeys()) {
    const isMeant = key.startsWith(storageKey(beginning)) && key.includes(word)
    if (isMeant && key.endsWith(keySuffix)) sessionItems.remove(key)
  }
}

export function clearDrafts() {
  for (const key of sessionItems.listKeys()) if (key.startsWith(prefix)) sessionItems.remove(key)
}
