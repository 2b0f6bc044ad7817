import { type RefObject, useEffect, useRef } from 'react'
import { useSession } from '#app/auth/session.ts'
import { readDraft, takeVisitorDraft } from '#app/drafts.ts'

export function isField(element: unknown): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

/**
 * Fills in the draft and who is signed in, but not over what was typed. Empties the form when a
 * session ends: when the same user signs in again, the draft is back.
 */
export function useContactPrefill(form: RefObject<HTMLFormElement | null>, draft: string) {
  const session = useSession()
  const owner = useRef<string>(undefined)
  useEffect(() => {
    if (owner.current && owner.current !== session?.email) form.current?.reset()
    owner.current = session?.email
    takeVisitorDraft(draft)
    const known = { name: session?.name, email: session?.email }
    for (const [name, value] of [...Object.entries(readDraft(draft) ?? {}), ...Object.entries(known)]) {
      const field = form.current?.elements.namedItem(name)
      if (isField(field) && field.value === '') field.value = value ?? ''
    }
  }, [form, draft, session])
}
