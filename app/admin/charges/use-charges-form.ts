import { type FocusEvent, type SubmitEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '#api/client.ts'
import { adminClient } from '#app/admin/client.ts'
import { settingsDraft } from '#app/admin/settings/leave-dialog.tsx'
import { clearDraft, readDraft, updateDraft } from '#app/drafts.ts'
import { keepFocus } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { type DeliveryAndTax, deliveryAndTax } from '#shop/charges/rates.ts'
import type { StoredSettings } from '#shop/settings/settings.ts'
import { type ChargesInput, findProblems, readChargesInput, toChargesInput } from './charges-input.ts'

type Stored = Pick<StoredSettings['deliveryAndTax'], 'value' | 'version'>

/** With the version that it was typed over. */
type Draft = ChargesInput & Pick<Stored, 'version'>

const draftName = settingsDraft('deliveryAndTax')

/** Problems of a field, by its path in the settings. */
export interface FieldErrors {
  at: (path: string) => string | undefined
  /** The first one of a field that has several values, or of a row. */
  within: (path: string) => string | undefined
}

/**
 * Lists in lists are plain state, and the schema of the settings checks all of it at once. What did not change, and `change` itself, stay the
 * same objects: with a thousand rates, a key renders only what it changes.
 */
export function useChargesForm(initial: Stored) {
  const [stored, setStored] = useState(initial)
  const [draft, setDraft] = useState<Draft>(
    () => ({ ...toDraft(stored), ...readDraft<Draft>(draftName) }) as Draft,
  )
  const version = useRef(draft.version)
  const [busy, setBusy] = useState(false)
  const { form, problems, message, onBlur, refuse, start, forget } = useProblems(draft)
  const typed = readChargesInput(draft)
  const saved = useMemo(() => JSON.stringify(readChargesInput(toChargesInput(stored.value))), [stored])
  const isDirty = JSON.stringify(typed) !== saved

  const change = useCallback((changes: Partial<ChargesInput>) => {
    const changed = { ...changes, version: version.current }
    setDraft((current) => ({ ...current, ...changed }))
    updateDraft(draftName, changed)
  }, [])

  function restart(next: Stored) {
    version.current = next.version
    setStored(next)
    setDraft(toDraft(next))
    clearDraft(draftName)
    forget()
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    keepFocus(event)
    if (busy || !start()) return
    setBusy(true)
    try {
      const value = deliveryAndTax.parse(typed)
      const saved = await adminClient.updateSettings({
        body: { section: 'deliveryAndTax', version: version.current, ...value },
      })
      restart({ value, version: saved.version })
      showToast('Delivery and tax saved')
    } catch (error) {
      refuse(error)
      // Saving again replaces what the errors show; discarding shows what replaced this.
      if (error instanceof ApiError && error.status === 409) {
        const newer = await adminClient.readSettings().catch(() => null)
        if (newer) {
          version.current = newer.deliveryAndTax.version
          setStored(newer.deliveryAndTax)
          change({})
        }
      }
    }
    setBusy(false)
  }

  return {
    form,
    input: draft as ChargesInput,
    errors: problems,
    message,
    busy,
    isDirty,
    isDecided: stored.version > 0,
    change,
    submit,
    onBlur,
    discard: () => restart(stored),
  }
}

function toDraft({ value, version }: { value: DeliveryAndTax; version: number }): Draft {
  return { ...toChargesInput(value), version }
}

/** A field shows its problem once it was left, and all do once the form was sent. */
function useProblems(input: ChargesInput) {
  const [attempts, setAttempts] = useState(0)
  const [left, setLeft] = useState(new Set<string>())
  const [refused, setRefused] = useState<{ fields: ApiError['fields']; message?: string }>()
  const form = useRef<HTMLFormElement>(null)
  const key = JSON.stringify([...findProblems(input)])
  const found = useMemo(() => new Map<string, string>(JSON.parse(key)), [key])

  useEffect(() => {
    if (attempts === 0) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (field) field.focus()
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
  }, [attempts])

  const problems = useMemo((): FieldErrors => {
    const isShown = (path: string) => attempts > 0 || left.has(path)
    const at = (path: string) => refused?.fields[path]?.[0] ?? (isShown(path) ? found.get(path) : undefined)
    return {
      at,
      within(path) {
        const inner = [...found.keys()].find((key) => key.startsWith(`${path}.`))
        return at(path) ?? (inner && isShown(path) ? found.get(inner) : undefined)
      },
    }
  }, [found, attempts, left, refused])

  function refuse(error: unknown) {
    const fields = error instanceof ApiError ? error.fields : {}
    const isAtField = ['zones', 'tax', 'note'].some((name) => fields[name]?.length)
    setRefused(isAtField ? { fields } : { fields, message: errorText(error) })
    setAttempts((count) => count + 1)
  }

  function forget() {
    setAttempts(0)
    setLeft(new Set())
    setRefused(undefined)
  }

  return {
    form,
    problems,
    message: refused?.message,
    refuse,
    forget,
    /** False when something has to be corrected first. */
    start() {
      setRefused(undefined)
      if (found.size > 0) setAttempts((count) => count + 1)
      return found.size === 0
    },
    onBlur({ target }: FocusEvent<HTMLFormElement>) {
      const { name } = target as unknown as HTMLInputElement
      if (name && !left.has(name)) setLeft(new Set([...left, name]))
    },
  }
}
